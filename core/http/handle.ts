import type { Authenticator } from '../auth/authenticate.ts'
import type { Caller, Tenant } from '../auth/caller.ts'
import type { TenantGate } from '../auth/directory.ts'
import type { Clock } from '../clock.ts'
import type { MemoryWatch } from '../resources/memory-watch.ts'
import { JSON_BODY_MAX_BYTES } from './body.ts'
import { requireAccess, type SelectParts, selectTenant } from './checks.ts'
import { goneSignal } from './gone.ts'
import { methodOf } from './head.ts'
import { type RequestInput, requestedWorkspace } from './input.ts'
import { type MountedRoute, verifyResponse } from './mount.ts'
import { relayedFor } from './relay.ts'
import type { Route } from './route.ts'
import { type RequestShares, shareOf } from './shares.ts'
import { isUpload } from './upload.ts'

/** Handlers are called with this beside their input. */
export interface HandleParts extends SelectParts {
  readonly shares: RequestShares
  readonly memory: Pick<MemoryWatch, 'admit'>
  readonly clock: Clock
  /** For tests: a response that does not fit its route's response schema becomes a 500. */
  readonly verifyResponses: boolean
}

type Input = Parameters<Route['handle']>[0]
type HandlerResult = Awaited<ReturnType<Route['handle']>>

/**
 * The workspace as the handler sees it: its transactions are waited for, their statements end in time, and none begins for a caller that may not
 * go on.
 */
export async function tenantOf(
  mounted: MountedRoute,
  exchange: Recognised & { readonly caller: Caller },
  given: RequestInput,
  parts: HandleParts & StandingParts,
) {
  if (mounted.route.access === 'public') return NO_TENANT
  const { workspaceId, workspace, transaction } = await selectTenant(mounted, exchange.caller, given, parts)
  const { statementMs } = parts.shares.limits[mountedShare(mounted)]
  const requireStanding = standingOf(mounted, exchange, requestedWorkspace(mounted.route, given), parts)
  const tenant: Tenant = {
    workspaceId,
    workspace,
    async transaction(work, options) {
      if (!options?.undoes) await requireStanding()
      return transaction(work, { urgent: true, statementMs, ...options })
    },
  }
  return tenant
}

/** Refuses, before its body is read, what needs much memory while there is too little: quick work on a long body, too. */
export function admit(mounted: MountedRoute, { memory }: Pick<HandleParts, 'memory'>): void {
  const { access, bodyMaxBytes = 0 } = mounted.route
  if (access === 'public') return
  const share = mountedShare(mounted)
  memory.admit(share === 'light' && bodyMaxBytes > JSON_BODY_MAX_BYTES ? 'bulk' : share)
}

/**
 * Reads a request's input. Forms are read when it is the request's turn among the uploads of the caller's workspace, which is known before any of
 * their fields.
 */
export function readInTurn(
  { route, upload }: MountedRoute,
  caller: Caller,
  request: Request,
  shares: RequestShares,
  read: () => Promise<RequestInput>,
): Promise<RequestInput> {
  if (!upload || upload.kind === 'bytes' || route.access === 'public') return read()
  return shares.permits.upload.run(caller.workspaceId, { signal: () => goneSignal(request) }, read)
}

function mountedShare({ route, upload }: MountedRoute) {
  return shareOf(route, upload !== undefined)
}

/**
 * Calls the handler when it is the request's turn among those of its workspace.
 * @param finish makes what its result is sent as, which is a part of the turn: a large result takes memory until it is counted
 */
export async function handle<T>(
  mounted: MountedRoute,
  input: Input,
  parts: HandleParts,
  finish: (result: HandlerResult) => Promise<T> | T,
): Promise<T> {
  const work = async () => finish(await handleNow(mounted, input, parts))
  // A relay that held a turn could wait for ever for those that it relays to.
  if (mounted.route.access === 'public' || mounted.route.relays) return work()
  const permits = parts.shares.permits[mountedShare(mounted)]
  return permits.run(input.tenant.workspaceId, { signal: () => goneSignal(input.request) }, work)
}

async function handleNow(mounted: MountedRoute, input: Input, { verifyResponses, clock }: HandleParts) {
  const { route } = mounted
  const handling = methodOf(input.request) === 'HEAD' && route.head ? route.head(input) : route.handle(input)
  const response = handling instanceof Promise ? await settled(handling, mounted, clock) : handling
  if (verifyResponses && !(response instanceof Response)) verifyResponse(route, response)
  return response
}

/** A public route has no workspace; touching one is a mistake of the route. */
const NO_TENANT: Tenant = {
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

/**
 * Limits a handler's time. Handlers that read their bodies themselves take as long as those take to arrive; any other
 * is abandoned when it takes too long, whether its client is still there or not.
 */
async function settled<T>(
  handling: Promise<T>,
  { owner, route }: Pick<MountedRoute, 'owner' | 'route'>,
  clock: Clock,
): Promise<T> {
  if (route.raw || isUpload(route.body)) return handling
  const { promise: late, reject } = Promise.withResolvers<never>()
  const cancel = clock.after(HANDLER_MAX_MS, () => {
    const named = `plugin ${owner}: the handler of ${route.method} ${route.path}`
    reject(new Error(`${named} did not settle within ${HANDLER_MAX_MS / 1000} s; its request is answered without it`))
  })
  try {
    return await Promise.race([handling, late])
  } finally {
    cancel()
  }
}

/**
 * A caller that was recognised longer ago is recognised again. What is kept of keys and workspaces is read again after four seconds, so that a
 * revocation holds within five.
 */
const RECOGNISED_MS = 500

/** A request, and when its caller was recognised, as a reading of the pipeline's clock. */
interface Recognised {
  readonly request: Request
  readonly begunAt: number
}

interface StandingParts {
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  readonly directory: Pick<TenantGate, 'select'>
  readonly clock: Clock
}

/**
 * Makes the check that a request may still go on: an upload or a download takes minutes, in which its key may be revoked, lose the permission or
 * the workspace, or the workspace be deleted. It throws what the next request would get.
 */
function standingOf(
  { route }: Pick<MountedRoute, 'route'>,
  { request, begunAt }: Recognised,
  workspaceId: string | undefined,
  { authenticator, directory, clock }: StandingParts,
): () => Promise<void> {
  const relayed = relayedFor(request)
  // The request that one was relayed for may have begun long before.
  let lookedAt = relayed ? Number.NEGATIVE_INFINITY : begunAt
  return async () => {
    if (clock.now() - lookedAt < RECOGNISED_MS) return
    const caller = await authenticator.authenticate(relayed?.credentials ?? request)
    requireAccess(route, caller)
    await directory.select(caller, workspaceId)
    lookedAt = clock.now()
  }
}
