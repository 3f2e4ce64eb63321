import type { Authenticator } from '../auth/authenticate.ts'
import type { Caller, Tenant } from '../auth/caller.ts'
import type { ClientAddress } from '../auth/client-address.ts'
import type { TenantGate } from '../auth/directory.ts'
import { requireFeature } from '../auth/features.ts'
import type { Clock } from '../clock.ts'
import { fail, validationError } from '../errors.ts'
import type { Release } from '../fair/semaphore.ts'
import { blame } from '../faults/attribution.ts'
import type { Logger } from '../log.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { Wiring } from '../ports.ts'
import type { MemoryWatch } from '../resources/memory-watch.ts'
import type { RequestQuotas } from '../usage/quotas.ts'
import { JSON_BODY_MAX_BYTES } from './body.ts'
import { type Delivered, type DeliveryOutcome, deliver, deliverJson, deliverStream, setEnd } from './deliver.ts'
import { type Download, isDownload } from './download.ts'
import { type Idempotency, keptKey } from './idempotency.ts'
import { IncomingBody } from './incoming-body.ts'
import { type RequestInput, readAddress, readInput, requestedWorkspace } from './input.ts'
import { identifyAnyone, limitRate, type RateParts, recognise } from './limit.ts'
import { type MountedRoute, verifyResponse } from './mount.ts'
import { RELAYED_MAX_BYTES, relayedFor, relayOf } from './relay.ts'
import { goneSignal, methodOf, requestIdOf } from './request.ts'
import { errorResponse, handlersRequest, isJson, jsonOf, jsonResponse, withoutBody } from './respond.ts'
import { changesSomething, type Route, type RouteResponse } from './route.ts'
import { type RequestShares, restAfter, type ShareClass } from './shares.ts'
import { admitted, handled, NO_TENANT, requireAccess, standing } from './standing.ts'
import { holdToSubject } from './subject.ts'
import type { Transfers } from './transfers.ts'

/** The services that the pipeline works with. */
export interface PipelineParts extends RateParts {
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  readonly clientAddress: ClientAddress
  readonly directory: TenantGate
  readonly quotas: RequestQuotas
  readonly memory: Pick<MemoryWatch, 'admit'>
  readonly shares: RequestShares
  readonly idempotency: Idempotency
  readonly transfers: Transfers
  readonly metrics: HttpMetrics
  readonly log: Logger
  readonly clock: Clock
  readonly wiring: Wiring
  /** For tests: a response that does not fit its route's response schema becomes a 500. */
  readonly verifyResponses: boolean
  /** Finds the route that a relayed request is for. */
  readonly findRoute: (method: string, path: string) => MountedRoute | undefined
}

/** One request under way. Each stage adds what it learns. */
export interface Exchange {
  readonly parts: PipelineParts
  readonly mounted: MountedRoute
  readonly request: Request
  readonly rawParams: Record<string, string>
  readonly requestId: string
  readonly startedAt: number
  readonly begunAt: number
  readonly incoming: IncomingBody
  readonly headers: Record<string, string>
  caller: Caller
  /** The request counts for this workspace: none before the rate limit, the caller's own until another is selected. */
  workspaceId: string
  given?: RequestInput | undefined
  tenant?: Tenant
  result?: Result | undefined
  release?: Release
}

type Input = Parameters<Route['handle']>[0]
/** A handler's result; `text` is that of a kept response. */
type Result = RouteResponse | Download | Response | KeptText
interface KeptText {
  readonly status: number
  readonly text: string
  readonly headers: Record<string, string>
  readonly isReplayed: boolean
}

/** The way of a request, in the order that the contract fixes. The first stage that throws gives the response. */
const STAGES: readonly ((exchange: Exchange) => Promise<void> | void)[] = [
  identify,
  limit,
  authorise,
  entitle,
  admit,
  read,
  selectTenant,
  holdToSubject,
  run,
]

export async function serve(
  mounted: MountedRoute,
  request: Request,
  rawParams: Record<string, string>,
  parts: PipelineParts,
): Promise<Response> {
  const exchange = begin(mounted, request, rawParams, parts)
  let delivered: Delivered
  let failure: unknown
  try {
    for (const stage of STAGES) {
      const work = stage(exchange)
      if (work) await work
    }
    delivered = await respond(exchange)
  } catch (error) {
    failure = error
    delivered = { response: errorResponse(error, exchange.headers, parts.log, mounted.route) }
  }
  await exchange.given?.close?.()
  exchange.release?.(restAfter(failure, parts.clock.now() - exchange.begunAt, delivered.readyBytes))
  return finish(exchange, delivered)
}

function begin(
  mounted: MountedRoute,
  request: Request,
  rawParams: Record<string, string>,
  parts: PipelineParts,
): Exchange {
  const requestId = requestIdOf(request)
  return {
    parts,
    mounted,
    request,
    rawParams,
    requestId,
    startedAt: performance.now(),
    begunAt: parts.clock.now(),
    incoming: new IncomingBody(request, parts, () => `address ${parts.clientAddress(request)}`),
    headers: { ...mounted.headers, 'x-request-id': requestId },
    caller: ANONYMOUS,
    workspaceId: '',
  }
}

/** Recognises the caller. A public route needs none; whoever calls it is counted here, by key or address. */
async function identify(exchange: Exchange): Promise<void> {
  const { mounted, request, headers, incoming } = exchange
  if (mounted.route.access === 'public') {
    requireEnabled(mounted)
    if (!mounted.route.probe) await identifyAnyone(exchange)
    return
  }
  // A cache on the way identifies requests by their address, not by their key.
  headers['cache-control'] = 'no-store'
  const caller = relayedFor(request)?.caller ?? (await recognise(exchange))
  exchange.caller = caller
  incoming.holder = () => `workspace ${caller.workspaceId}`
}

/** Counts the request, of its key and of all of that key's workspace. Throws RATE_LIMITED. */
function limit(exchange: Exchange): Promise<void> | void {
  const { mounted, request, caller } = exchange
  if (mounted.route.access === 'public' || relayedFor(request)?.isCounted === false) return
  return limitRate(caller, exchange)
}

function authorise(exchange: Exchange): void {
  const { mounted, caller } = exchange
  if (mounted.route.access === 'public') return
  exchange.workspaceId = caller.workspaceId
  requireAccess(mounted.route, caller)
}

/**
 * Requires the plan feature of the caller's own workspace before the body is looked at. A caller of several workspaces may name one in the body
 * that has the feature: that one is checked once it is selected.
 */
function entitle({ mounted, caller, parts }: Exchange): Promise<void> | void {
  if (mounted.route.access === 'public') return
  requireEnabled(mounted)
  const { feature } = mounted
  if (!feature || caller.kind === 'session' || (caller.grantedWorkspaceIds?.size ?? 0) > 1) return
  return parts.directory.find(caller.workspaceId).then(own => own && requireFeature(own, feature))
}

/** Refuses what needs memory while there is too little, and what changes something for a caller who reads none of its responses. */
function admit({ mounted: { route, share, upload }, incoming, parts }: Exchange): void {
  if (upload) incoming.reserveUnread()
  // Quick work on a long body needs as much as a long write.
  const isLong = share === 'light' && (route.bodyMaxBytes ?? 0) > JSON_BODY_MAX_BYTES
  if (route.access !== 'public') parts.memory.admit(isLong ? 'bulk' : share)
  if (changesSomething(route)) parts.transfers.requireRoom(incoming.holder())
}

/** Reads and validates path, query and body. A form takes a permit meanwhile, of the caller's workspace, which is known before any of its fields. */
async function read(exchange: Exchange): Promise<void> {
  const { mounted, caller, request, rawParams, incoming, parts } = exchange
  const isForm = mounted.upload && mounted.route.access !== 'public'
  const release = isForm ? await permit(exchange, 'upload', caller.workspaceId) : undefined
  try {
    const address = readAddress(mounted, request, rawParams, caller.subject)
    exchange.given = address
    exchange.given = await readInput(mounted, request, address, incoming, parts, caller.subject)
    if (exchange.given.faults.length > 0) throw validationError(exchange.given.faults)
  } catch (error) {
    // A caller whose plan lacks the feature is told that first, by as much of the request as could be read.
    await requireNamedFeature(exchange)
    throw error
  } finally {
    release?.()
  }
}

/** Selects the workspace and counts against its plan. Throws WORKSPACE_*, FEATURE_NOT_ENABLED or QUOTA_EXCEEDED. */
async function selectTenant(exchange: Exchange): Promise<void> {
  const { mounted, caller, parts } = exchange
  const { route, feature } = mounted
  if (route.access === 'public') return
  const given = givenTo(exchange)
  const named = requestedWorkspace(route, given)
  const tenant = await parts.directory.select(caller, named)
  exchange.caller = admitted(mounted, caller, tenant, parts.wiring)
  requireFeature(tenant.workspace, feature)
  if (!route.beyondQuota) await parts.quotas.admit(tenant.workspace)
  exchange.tenant = standing(exchange, tenant, named, caller.subject)
  exchange.workspaceId = tenant.workspaceId
  given.selected?.(tenant.workspaceId)
}

/** Has the handler work, at most once for each Idempotency-Key. */
async function run(exchange: Exchange): Promise<void> {
  const { mounted, request, caller, parts, headers } = exchange
  const { fingerprint, digest } = givenTo(exchange)
  const key = request.headers.get('idempotency-key')
  if (key === null || fingerprint === undefined) {
    exchange.result = await handle(exchange)
    return
  }
  const kept = await parts.idempotency.run(
    {
      callerId: caller.id,
      workspaceId: exchange.workspaceId,
      homeWorkspaceId: caller.workspaceId,
      key: keptKey(key),
      fingerprint,
      ...(digest ? { digest } : {}),
      secret: mounted.route.secretResponse ?? false,
    },
    () => keepable(exchange, `${caller.id} ${key} ${fingerprint}`),
  )
  if (kept.replayed) headers['idempotent-replayed'] = 'true'
  exchange.result = { status: kept.status, text: kept.body, headers: kept.headers, isReplayed: kept.replayed }
}

/** Calls the handler with a permit of its workspace, which lasts until the response is written: a large result takes memory until it is counted. */
async function handle(exchange: Exchange, idempotencySeed?: string): Promise<Result> {
  const { mounted, request, parts, requestId, caller } = exchange
  const { route, share } = mounted
  const given = givenTo(exchange)
  const tenant = exchange.tenant ?? NO_TENANT
  // A relay that held a permit could wait for ever for those that it relays to.
  if (route.access !== 'public' && !route.relays) exchange.release = await permit(exchange, share, tenant.workspaceId)
  const origin = { route, request, requestId, caller }
  const input: Input = {
    params: given.params as never,
    query: given.query as never,
    body: given.body as never,
    scope: mounted.scope as never,
    caller,
    tenant,
    request: handlersRequest(mounted, request, exchange.incoming),
    requestId,
    ...(idempotencySeed === undefined ? {} : { idempotencySeed }),
    relay: relayOf(origin, {
      find: parts.findRoute,
      serve: (target, relayed, params) => serve(target, relayed, params, parts),
    }),
  }
  const work = () => (methodOf(request) === 'HEAD' && route.head ? route.head(input) : route.handle(input))
  const result = await handled(work, mounted, parts)
  if (parts.verifyResponses && !(result instanceof Response)) verifyResponse(route, result)
  return result
}

/** Turns a handler's outcome, failures included, into text, so that both can be kept and replayed. */
async function keepable(exchange: Exchange, seed: string) {
  let response: Response
  try {
    const result = await handle(exchange, seed)
    if (isDownload(result)) throw new Error('a download cannot be kept for an Idempotency-Key')
    response =
      result instanceof Response ? result : jsonResponse(result.status, textOf(exchange, result), result.headers ?? {})
  } catch (error) {
    response = errorResponse(blamedOn(exchange, error), exchange.headers, exchange.parts.log)
  }
  const retryAfter = response.headers.get('retry-after')
  const headers: Record<string, string> = retryAfter ? { 'retry-after': retryAfter } : {}
  return { status: response.status, body: await response.text(), headers }
}

/** Makes what is sent. A response that cannot be sent, such as one with an invalid header, is the fault of the handler's plugin. */
async function respond(exchange: Exchange): Promise<Delivered> {
  const { mounted, request, headers, incoming, parts, result } = exchange
  const recipient = { request, holder: incoming.holder() }
  try {
    if (!result) throw new Error('the handler gave no result')
    if (isDownload(result)) return await deliver(result, mounted.owner, recipient, headers, parts)
    if (result instanceof Response) {
      for (const [name, value] of Object.entries(headers)) result.headers.set(name, value)
      return !isJson(result) ? deliverStream(result, request, parts) : { response: result }
    }
    const text = textOf(exchange, result)
    const own = { ...headers, ...result.headers }
    // Nobody is slow to take what is relayed, and it is short.
    if (relayedFor(request)) return { response: jsonResponse(result.status, text, own) }
    // Where something has changed a refusal would come too late.
    const isDone = 'text' in result ? !result.isReplayed : changesSomething(mounted.route)
    return deliverJson({ status: result.status, text, headers: own, isDone }, recipient, parts)
  } catch (error) {
    throw blamedOn(exchange, error)
  }
}

/** Ends the body and the exchange, and sees to it that it is observed at its end. */
async function finish(exchange: Exchange, { response: made, delivery, readyBytes }: Delivered): Promise<Response> {
  const { mounted, request, startedAt } = exchange
  const readyMs = readyBytes ? performance.now() - startedAt : undefined
  // A client that reads slowly keeps the bytes of its response alone.
  exchange.given = exchange.result = undefined
  const isRead = exchange.incoming.discard()
  if (isRead !== true && !(await isRead)) made.headers.set('connection', 'close')
  const response = methodOf(request) === 'HEAD' ? await withoutBody(made, mounted.route) : made
  if (!delivery) observe(exchange, response)
  else
    setEnd(
      response,
      delivery.ended.then(outcome => observe(exchange, response, outcome, readyMs)),
    )
  return response
}

function observe(exchange: Exchange, response: Response, outcome?: DeliveryOutcome, readyMs?: number): void {
  const { mounted, request, requestId, caller, workspaceId, startedAt, parts } = exchange
  const { route } = mounted
  const [method, durationMs] = [methodOf(request), readyMs ?? performance.now() - startedAt]
  parts.metrics.observe(method, route.path, response.status, durationMs / 1000)
  // A person who looks by the console does not use what the plan allows.
  if (workspaceId && caller.kind !== 'session' && relayedFor(request)?.isCounted !== false)
    parts.quotas.countRequest(workspaceId)
  // Balancers ask a probe for every request, or so often that nothing else could be read.
  parts.log[route.probe ? 'debug' : 'info']({
    req: requestId,
    method,
    route: route.path,
    status: response.status,
    ms: Math.round(durationMs * 10) / 10,
    caller: caller.id,
    ...(outcome ? { bytes: outcome.sentBytes } : {}),
    ...(outcome?.broken ? { broken: outcome.broken } : {}),
  })
}

function requireEnabled({ enabled, owner }: MountedRoute): void {
  if (!enabled) throw fail('FEATURE_NOT_ENABLED', { message: `The plugin ${owner} is switched off on this server.` })
}

/** A workspace that the caller may not use tells nothing of its plan. */
async function requireNamedFeature({ mounted, caller, given, parts }: Exchange): Promise<void> {
  const { route, feature } = mounted
  if (!feature || route.access === 'public') return
  const named = given && requestedWorkspace(route, given)
  const tenant = await parts.directory.select(caller, named).catch(() => undefined)
  if (tenant) requireFeature(tenant.workspace, feature)
}

function permit({ parts, request }: Exchange, share: ShareClass, workspaceId: string): Promise<Release> {
  return parts.shares.permits[share].acquire(workspaceId, { signal: () => goneSignal(request) })
}

function givenTo({ given }: Exchange): RequestInput {
  if (!given) throw new Error('the request was not read')
  return given
}

/** A kept response is text already. */
function textOf({ mounted, request }: Exchange, result: RouteResponse | KeptText): string | undefined {
  if ('text' in result) return result.text === '' ? undefined : result.text
  if (result.body === undefined) return undefined
  return jsonOf(result.body, mounted, relayedFor(request) ? RELAYED_MAX_BYTES : undefined)
}

function blamedOn({ mounted: { owner } }: Exchange, error: unknown): unknown {
  if (owner !== 'core') blame(error, owner)
  return error
}

const ANONYMOUS: Caller = {
  kind: 'anonymous',
  id: 'anonymous',
  accountId: '',
  mode: 'live',
  permissions: new Set(),
  workspaceId: '',
}
