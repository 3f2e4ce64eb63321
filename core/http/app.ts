import { Elysia } from 'elysia'
import { fail } from '../errors.ts'
import type { Cors } from './cors.ts'
import { IncomingBody } from './incoming-body.ts'
import { identifyAnyone } from './limit.ts'
import type { MountedRoute } from './mount.ts'
import { type PipelineParts, serve } from './pipeline.ts'
import { asGet, methodOf, requestIdOf } from './request.ts'
import { errorResponse, withoutBody } from './respond.ts'

/** Responds to one request; never throws. */
export type FetchHandler = (request: Request) => Promise<Response>

/** Puts every route on one Elysia router and wraps it with what concerns all requests: CORS, unknown paths, wrong methods. */
export function createApp(
  routes: readonly MountedRoute[],
  given: Omit<PipelineParts, 'findRoute'>,
  cors: Cors,
): FetchHandler {
  // By default the router assumes hosts of four letters or more: with a Host header of `x`, `/aa/metrics` was
  // `/metrics`.
  const app = new Elysia({ name: 'mneme', handler: { standardHostname: false } })
  const byName = new Map(routes.map(mounted => [`${mounted.route.method} ${mounted.route.path}`, mounted]))
  const parts: PipelineParts = { ...given, findRoute: (method, path) => byName.get(`${method} ${path}`) }
  app.onError(({ request, error, code }) =>
    refuse(code === 'NOT_FOUND' ? fail('NOT_FOUND') : error, {}, request, parts),
  )
  for (const mounted of routes) {
    const { method, path } = mounted.route
    const names = namesIn(path)
    const handler = ({ request, params = {} }: { request: Request; params?: Record<string, string> }) =>
      serve(mounted, request, underNames(names, params), parts)
    // The pipeline reads bodies itself: bounded, after the gate, with our errors.
    app.route(method, numbered(path), handler, { parse: 'none' })
  }
  for (const [path, own] of Map.groupBy(routes, ({ route }) => numbered(route.path))) {
    const methods = new Set(own.map(({ route }) => route.method))
    const allow = [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].join(', ')
    const headers = own[0]?.headers
    const wrongMethod = ({ request }: { request: Request }) =>
      refuse(
        fail('METHOD_NOT_ALLOWED', { message: `This path answers ${allow}.` }),
        { ...headers, allow },
        request,
        parts,
      )
    app.all(path, wrongMethod, { parse: 'none' })
  }
  app.compile()
  return async request => {
    const preflight = cors.preflight(request)
    if (preflight) {
      preflight.headers.set('x-request-id', requestIdOf(request))
      return preflight
    }
    return cors.allow(request, await app.handle(request.method === 'HEAD' ? asGet(request) : request))
  }
}

/** Responds with an error where no route serves a request, which counts as any other of its caller. */
async function refuse(
  error: unknown,
  given: Record<string, string>,
  request: Request,
  parts: PipelineParts,
): Promise<Response> {
  const headers: Record<string, string> = { ...given, 'x-request-id': requestIdOf(request) }
  const incoming = new IncomingBody(request, parts, () => `address ${parts.clientAddress(request)}`)
  const refusal = await identifyAnyone({ request, incoming, headers, parts }).then(
    () => error,
    limited => limited,
  )
  if (!(await incoming.discard())) headers.connection = 'close'
  const response = errorResponse(refusal, headers, parts.log)
  return methodOf(request) === 'HEAD' ? withoutBody(response, {}) : response
}

const PARAMETER = /:([^/]+)/g

function namesIn(path: string): string[] {
  return [...path.matchAll(PARAMETER)].map(([, name = '']) => name)
}

/** The router knows one name for a parameter at a place, of all routes: it gets numbers, so that each route may have its own names. */
function numbered(path: string): string {
  let count = 0
  return path.replace(PARAMETER, () => `:${++count}`)
}

/** Gives the values that the router found by number the names that the route has for them. */
function underNames(names: readonly string[], found: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(found).map(([number, value]) => [names[Number(number) - 1] ?? number, value]),
  )
}
