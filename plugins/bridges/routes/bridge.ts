import { type Route, routesOf, Type } from 'mneme/plugin'
import { answer, type Bridge, type Method } from '../bridge.ts'
import { failBridge, serviceOf } from '../service.ts'

/** Routes are called with this. */
export interface BridgesScope {
  /** Ids of the bridges that are on. */
  readonly on: ReadonlySet<string>
  readonly deletesAll: boolean
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const MB = 1024 * 1024
const anything = Type.Object({}, { additionalProperties: true })

/** Takes every request below the path of a bridge; its rows say what becomes of them. */
export function bridgeRoutes(bridge: Bridge): Route<BridgesScope>[] {
  const prefix = `/bridges/${bridge.id}/`
  return METHODS.map(method =>
    routesOf<BridgesScope>()({
      method,
      path: `${prefix}*`,
      access: 'anyKey',
      workspace: 'none',
      relays: true,
      // Each call becomes calls of operations that hold a bound caller to its user themselves.
      subject: 'nobody',
      ignoresUnknownQuery: true,
      summary: `Calls of ${bridge.id}`,
      ...(method === 'GET' ? {} : { body: anything, bodyMaxBytes: 16 * MB, bodyValuesMax: 200_000 }),
      responses: { 200: Type.Unknown(), 201: Type.Unknown(), 202: Type.Unknown(), 204: null },
      errors: ['BRIDGE_UNSUPPORTED', 'BRIDGE_OFF'],
      failureBody: error => bridge.failureBody(error),
      async handle({ request, body, scope, caller, tenant, relay }) {
        if (!scope.on.has(bridge.id)) {
          const message = `The bridge ${bridge.id} is switched off on this server: \`BRIDGES\` names those that are on.`
          throw failBridge('BRIDGE_OFF', { message })
        }
        // A client's Host header can make the address as a whole unreadable.
        const [path = '', search = ''] = request.url.slice(request.url.indexOf(prefix) + prefix.length).split(/[?#]/)
        const query = new URLSearchParams(search)
        const asked = {
          query,
          body: body ?? {},
          service: serviceOf(relay, query.get('project_id') ?? undefined),
          caller,
          tenant,
          deletesAll: scope.deletesAll,
        }
        return answer(bridge, method, path, asked)
      },
    }),
  )
}
