import type { Authenticator } from '../auth/authenticate.ts'
import type { Caller, Subject, Tenant } from '../auth/caller.ts'
import type { TenantGate } from '../auth/directory.ts'
import { permissionCatalogue } from '../auth/permissions.ts'
import { inWorkspace } from '../auth/roles.ts'
import type { Clock } from '../clock.ts'
import { fail } from '../errors.ts'
import { blame } from '../faults/attribution.ts'
import type { Logger } from '../log.ts'
import type { Wiring } from '../ports.ts'
import { describe } from '../suggest.ts'
import { isDownload } from './download.ts'
import type { MountedRoute } from './mount.ts'
import { relayedFor } from './relay.ts'
import { mayCall, type Route, type RouteResponse } from './route.ts'
import type { RequestShares } from './shares.ts'
import { isUpload } from './upload.ts'

/** Throws FORBIDDEN for a caller that the route does not admit. */
export function requireAccess(route: Route, caller: Caller): void {
  if (mayCall(route, caller)) return
  const { access } = route
  if (caller.subject && mayCall(route, { ...caller, subject: undefined }))
    throw fail('FORBIDDEN', { message: 'This operation does not serve keys that are bound to a user.' })
  const needed = typeof access === 'object' ? `This key lacks the permission ${access.permission}.` : undefined
  throw fail('FORBIDDEN', { message: needed ?? 'Only a signed-in account may do this, never a key.' })
}

/** Returns a caller as it stands in the workspace of its request. Throws FORBIDDEN where its account's role there does not suffice. */
export function admitted(
  { route }: Pick<MountedRoute, 'route'>,
  caller: Caller,
  { workspace }: Tenant,
  wiring: Wiring,
): Caller {
  if (caller.kind !== 'session' && !caller.roles) return caller
  const there = inWorkspace(caller, workspace, wiring.use(permissionCatalogue).groups())
  if (!there.role) throw fail('WORKSPACE_ACCESS_DENIED')
  if (mayCall(route, there)) return there
  throw fail('FORBIDDEN', { message: `The role ${there.role} does not allow this in the workspace ${workspace.name}.` })
}

/**
 * A caller that was recognised longer ago is recognised again. What is kept of keys and workspaces is read again after four seconds, so that a
 * revocation holds within five.
 */
const RECOGNISED_MS = 500

interface Recognised {
  readonly mounted: MountedRoute
  readonly request: Request
  /** When its caller was recognised, by the clock. */
  readonly begunAt: number
  readonly caller: Caller
  readonly parts: {
    readonly authenticator: Pick<Authenticator, 'authenticate'>
    readonly directory: Pick<TenantGate, 'select'>
    readonly shares: Pick<RequestShares, 'limits'>
    readonly clock: Clock
    readonly wiring: Wiring
  }
}

/**
 * The workspace as the handler sees it: its statements end in time, and no transaction begins for a caller that may not go on. An upload
 * or a download takes minutes, in which its key may be revoked, lose the permission or the workspace, or the workspace be deleted; then
 * the handler gets what the next request would get.
 * @param named the workspace that the request named
 */
export function standing(
  { mounted, request, begunAt, caller: { kind, id: actor }, parts }: Recognised,
  { workspaceId, workspace, transaction }: Tenant,
  named: string | undefined,
  subject: Subject | undefined,
): Tenant {
  const { statementMs } = parts.shares.limits[mounted.share]
  const relayed = relayedFor(request)
  // The request that one was relayed for may have begun long before.
  let lookedAt = relayed ? Number.NEGATIVE_INFINITY : begunAt
  const look = async () => {
    const caller = await parts.authenticator.authenticate(relayed?.credentials ?? request)
    requireAccess(mounted.route, caller)
    admitted(mounted, caller, await parts.directory.select(caller, named), parts.wiring)
    lookedAt = parts.clock.now()
  }
  return {
    workspaceId,
    workspace,
    ...(kind === 'session' ? { isObserver: true } : {}),
    subject,
    async transaction(work, options) {
      if (!options?.undoes && parts.clock.now() - lookedAt >= RECOGNISED_MS) await look()
      return transaction(work, { urgent: true, statementMs, actor, ...options })
    },
  }
}

/** A public route has no workspace; touching one is a mistake of the route. */
export const NO_TENANT: Tenant = {
  workspaceId: '',
  get workspace(): never {
    throw new Error('a public route has no workspace')
  },
  transaction() {
    throw new Error('a public route has no workspace')
  },
}

/** Nobody waits longer for a response, and a stop must not wait for a handler that never settles. */
export const HANDLER_MAX_MS = 600_000

type Result = Awaited<ReturnType<Route['handle']>>

/** Has a handler work, in time, and holds it to what can become a response. Its faults carry its plugin's name. */
export async function handled(
  work: () => ReturnType<Route['handle']>,
  mounted: MountedRoute,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<Result> {
  const { owner, route, undocumented } = mounted
  const named = `plugin ${owner}: the handler of ${route.method} ${route.path}`
  try {
    const handling = work()
    const result = handling instanceof Promise ? await settled(handling, route, named, clock) : handling
    if (result instanceof Response || isDownload(Object(result))) return result
    if (!isRouteResponse(result))
      throw new Error(`${named} returned ${describe(result)}; return ok(body), created(body), noContent or the like`)
    if (route.responses[result.status] === undefined && !undocumented.has(result.status)) {
      undocumented.add(result.status)
      log.warn(`${named} responds with ${result.status}, which its \`responses\` do not list`)
    }
    return result
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(`${named} threw ${describe(thrown)}, which is no Error`)
    if (owner !== 'core') blame(error, owner)
    throw error
  }
}

/** A response with a body can have these statuses. */
function isRouteResponse(result: unknown): result is RouteResponse {
  const { status } = Object(result)
  return Number.isInteger(status) && status >= 200 && status <= 599
}

/**
 * Limits a handler's time. Handlers that read their bodies themselves take as long as those take to arrive; any other
 * is abandoned when it takes too long, whether its client is still there or not.
 */
async function settled<T>(handling: Promise<T>, { raw, body }: Route, named: string, clock: Clock): Promise<T> {
  if (raw || isUpload(body)) return handling
  const { promise: late, reject } = Promise.withResolvers<never>()
  const cancel = clock.after(HANDLER_MAX_MS, () => {
    reject(new Error(`${named} did not settle within ${HANDLER_MAX_MS / 1000} s; its request is answered without it`))
  })
  try {
    return await Promise.race([handling, late])
  } finally {
    cancel()
  }
}
