import type { Caller } from '../auth/caller.ts'
import { blame } from '../faults/attribution.ts'
import type { Logger } from '../log.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { Wiring } from '../ports.ts'
import type { RequestQuotas } from '../usage/quotas.ts'
import { type AnonymousParts, admitAnyone, recognise } from './anonymous.ts'
import { limitRate, requireAccess, requireEnabled, requireFeatureOf, requireOwnFeature } from './checks.ts'
import { attributed, deliver, deliverStream } from './deliver.ts'
import { deliverJson, type JsonText } from './deliver-json.ts'
import { type Delivered, type DeliveryOutcome, type Recipient, setEnd } from './delivery.ts'
import { type Download, isDownload } from './download.ts'
import { admit, type HandleParts, handle, readInTurn, tenantOf } from './handle.ts'
import { methodOf } from './head.ts'
import { type Idempotency, keptKey } from './idempotency.ts'
import { IncomingBody } from './incoming-body.ts'
import { type RequestInput, readInput } from './input.ts'
import { boundedJson, RESPONSE_MAX_BYTES } from './json-text.ts'
import type { MountedRoute } from './mount.ts'
import { RELAYED_MAX_BYTES, relayedFor, relayOf } from './relay.ts'
import { errorResponse, handlersRequest, isJson, jsonResponse, requestIdOf, withoutBody } from './respond.ts'
import { requireRoom } from './response-room.ts'
import { changesSomething, type Route, type RouteResponse } from './route.ts'
import type { Transfers } from './transfers.ts'

/** The services that the pipeline works with. */
export interface PipelineParts extends HandleParts, AnonymousParts {
  readonly idempotency: Idempotency
  readonly quotas: RequestQuotas
  readonly metrics: HttpMetrics
  readonly log: Logger
  readonly wiring: Wiring
  readonly transfers: Transfers
  /** Finds the route that a relayed request is for. */
  readonly findRoute: (method: string, path: string) => MountedRoute | undefined
}

/**
 * Serves a request by checks in the order that the contract fixes: key, rate limit, permission, plan feature, body and
 * query, workspace, and then the handler, which finds state errors. The first check that fails gives the response.
 */
export async function serve(
  mounted: MountedRoute,
  request: Request,
  rawParams: Record<string, string>,
  parts: PipelineParts,
): Promise<Response> {
  const exchange = begin(mounted, request, parts)
  const served = await respond(mounted, exchange, rawParams, parts)
  const { delivery, isReady } = served
  const readyMs = isReady ? performance.now() - exchange.startedAt : undefined
  let { response } = served
  if (!(await exchange.incoming.discard())) response.headers.set('connection', 'close')
  if (methodOf(request) === 'HEAD') response = await withoutBody(response, mounted.route)
  if (delivery) {
    const ended = delivery.ended.then(outcome => observe(mounted.route, exchange, response, parts, outcome, readyMs))
    setEnd(response, ended)
  } else observe(mounted.route, exchange, response, parts)
  return response
}

/** One request under way; later steps add what they learn. */
interface Exchange {
  readonly request: Request
  readonly requestId: string
  readonly startedAt: number
  readonly begunAt: number
  readonly incoming: IncomingBody
  /** Sent with the response, whichever it is. */
  readonly headers: Record<string, string>
  caller: Caller
  /** The request counts for this workspace: none before the rate limit, the caller's own until another is selected. */
  workspaceId: string
}

function begin(mounted: MountedRoute, request: Request, parts: PipelineParts): Exchange {
  const requestId = requestIdOf(request)
  return {
    request,
    requestId,
    startedAt: performance.now(),
    begunAt: parts.clock.now(),
    incoming: new IncomingBody(request, parts, () => `address ${parts.clientAddress(request)}`),
    headers: { ...mounted.headers, 'x-request-id': requestId },
    caller: ANONYMOUS,
    workspaceId: '',
  }
}

async function respond(
  mounted: MountedRoute,
  exchange: Exchange,
  rawParams: Record<string, string>,
  parts: PipelineParts,
): Promise<Delivered> {
  const { route } = mounted
  const { request, headers } = exchange
  let given: RequestInput | undefined
  try {
    if (route.access === 'public') {
      requireEnabled(mounted)
      if (!route.probe) await admitAnyone(request, exchange.incoming, headers, parts)
    } else {
      // A cache on the way identifies requests by their address, not by their key.
      headers['cache-control'] = 'no-store'
      const relayed = relayedFor(request)
      exchange.caller = relayed?.caller ?? (await recognise(request, exchange.incoming, parts))
      const holder = `workspace ${exchange.caller.workspaceId}`
      exchange.incoming.holder = () => holder
      if (relayed?.isCounted !== false) await limitRate(exchange.caller, exchange.incoming, headers, parts)
      exchange.workspaceId = exchange.caller.workspaceId
      requireAccess(route, exchange.caller)
      if (mounted.upload) exchange.incoming.reserveUnread()
      await requireOwnFeature(mounted, exchange.caller, parts.directory)
    }
    admit(mounted, parts)
    if (changesSomething(route)) requireRoom(parts.transfers, exchange.incoming.holder())
    const { caller, incoming } = exchange
    given = await readInTurn(mounted, caller, request, parts.shares, () =>
      readInput(mounted, request, rawParams, incoming, parts, read =>
        requireFeatureOf(mounted, caller, read, parts.directory),
      ),
    )
    return await runRoute(mounted, exchange, given, parts)
  } catch (error) {
    return { response: errorResponse(error, headers, parts.log) }
  } finally {
    if (given?.close) await given.close()
  }
}

async function runRoute(
  mounted: MountedRoute,
  exchange: Exchange,
  given: RequestInput,
  parts: PipelineParts,
): Promise<Delivered> {
  const { route } = mounted
  const { request, requestId, caller, headers, incoming } = exchange
  const tenant = await tenantOf(mounted, exchange, given, parts)
  exchange.workspaceId = tenant.workspaceId
  given.selected?.(tenant.workspaceId)
  const input = {
    params: given.params as never,
    query: given.query as never,
    body: given.body as never,
    scope: mounted.scope as never,
    caller,
    tenant,
    request: handlersRequest(mounted, request, incoming),
    requestId,
    relay: relayOf(
      { route, request, requestId, caller },
      { find: parts.findRoute, serve: (target, relayed, params) => serve(target, relayed, params, parts) },
    ),
  }
  const key = request.headers.get('idempotency-key')
  const { fingerprint } = given
  if (key === null || fingerprint === undefined) {
    return handle(mounted, input, parts, result => toDelivered(result, exchange, mounted, parts))
  }
  const repeatable = { ...input, idempotencySeed: `${caller.id} ${key} ${fingerprint}` }
  const kept = await parts.idempotency.run(
    {
      callerId: caller.id,
      workspaceId: tenant.workspaceId,
      homeWorkspaceId: caller.workspaceId,
      key: keptKey(key),
      fingerprint,
      ...(given.digest ? { digest: given.digest } : {}),
      secret: route.secretResponse ?? false,
    },
    async () => {
      const result = () => handle(mounted, repeatable, parts, result => result)
      return keepable(await responseOf(result, { headers, request }, mounted, parts.log))
    },
  )
  if (kept.replayed) headers['idempotent-replayed'] = 'true'
  const { status, body, replayed } = kept
  const written = body === '' ? undefined : [body]
  const json = { status, parts: written, headers: { ...headers, ...kept.headers }, isDone: !replayed }
  return send(json, { request, holder: incoming.holder() }, parts)
}

async function toDelivered(
  result: RouteResponse | Download | Response,
  { request, headers, incoming }: Exchange,
  mounted: MountedRoute,
  parts: PipelineParts,
): Promise<Delivered> {
  const recipient = { request, holder: incoming.holder() }
  try {
    if (isDownload(result))
      return await deliver(attributed(result, mounted.owner), recipient, { ...headers }, headers, parts)
    if (!(result instanceof Response)) {
      const json = { ...(await toJson(result, headers, mounted, request)), isDone: changesSomething(mounted.route) }
      return await send(json, recipient, parts)
    }
    const response = withHeaders(result, headers)
    return mounted.route.raw && !isJson(response) ? await deliverStream(response, request, parts) : { response }
  } catch (error) {
    throw blamedOn(mounted, error)
  }
}

/** Nobody is slow to take what is relayed, and it is short. */
async function send(json: JsonText, recipient: Recipient, parts: PipelineParts): Promise<Delivered> {
  if (!relayedFor(recipient.request)) return deliverJson(json, recipient, parts)
  return { response: jsonResponse(json.status, json.parts?.join(''), json.headers) }
}

/** A response that cannot be sent, such as one with an invalid header, is the fault of the handler's plugin. */
function blamedOn({ owner }: MountedRoute, error: unknown): unknown {
  if (owner !== 'core') blame(error, owner)
  return error
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

async function toJson(
  { status, body, headers: own }: RouteResponse,
  headers: Record<string, string>,
  mounted: MountedRoute,
  request: Request,
) {
  const parts = body === undefined ? undefined : await jsonOf(body, mounted, request)
  return { status, parts, headers: own ? { ...headers, ...own } : headers }
}

function jsonOf(body: unknown, { owner, route }: MountedRoute, request: Request): Promise<string[]> {
  const { method, path, responseMaxBytes = RESPONSE_MAX_BYTES } = route
  const maxBytes = relayedFor(request) ? Math.min(RELAYED_MAX_BYTES, responseMaxBytes) : responseMaxBytes
  return boundedJson(body, maxBytes, () => `plugin ${owner}: the response of ${method} ${path}`)
}

/** Turns a handler's outcome, failures included, into text, so that both can be kept and replayed. */
async function responseOf(
  handle: () => Promise<RouteResponse | Download | Response>,
  { headers, request }: Pick<Exchange, 'headers' | 'request'>,
  mounted: MountedRoute,
  log: Logger,
): Promise<Response> {
  try {
    const result = await handle()
    if (isDownload(result)) throw new Error('a download cannot be kept for an Idempotency-Key')
    if (result instanceof Response) return result
    const { status, parts, headers: own } = await toJson(result, {}, mounted, request)
    return jsonResponse(status, parts?.join(''), own)
  } catch (error) {
    return errorResponse(blamedOn(mounted, error), headers, log)
  }
}

async function keepable(
  response: Response,
): Promise<{ status: number; body: string; headers: Record<string, string> }> {
  const retryAfter = response.headers.get('retry-after')
  return {
    status: response.status,
    body: await response.text(),
    headers: retryAfter ? { 'retry-after': retryAfter } : {},
  }
}

function observe(
  route: Route,
  exchange: Exchange,
  response: Response,
  { metrics, quotas, log }: PipelineParts,
  outcome?: DeliveryOutcome,
  readyMs?: number,
): void {
  const { request, requestId, caller, workspaceId, startedAt } = exchange
  const durationMs = readyMs ?? performance.now() - startedAt
  metrics.observe(methodOf(request), route.path, response.status, durationMs / 1000)
  if (workspaceId && relayedFor(request)?.isCounted !== false) quotas.countRequest(workspaceId)
  // Balancers ask a probe for every request, or so often that nothing else could be read.
  log[route.probe ? 'debug' : 'info']({
    req: requestId,
    method: methodOf(request),
    route: route.path,
    status: response.status,
    ms: Math.round(durationMs * 10) / 10,
    caller: caller.id,
    ...(outcome ? { bytes: outcome.sentBytes } : {}),
    ...(outcome?.broken ? { broken: outcome.broken } : {}),
  })
}

const ANONYMOUS: Caller = {
  kind: 'anonymous',
  id: 'anonymous',
  accountId: '',
  mode: 'live',
  permissions: new Set(),
  workspaceId: '',
}
