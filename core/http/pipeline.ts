import type { Authenticator } from '../auth/authenticate.ts'
import type { Caller, Tenant } from '../auth/caller.ts'
import type { TenantGate } from '../auth/directory.ts'
import type { Logger } from '../log.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { Wiring } from '../ports.ts'
import type { RequestQuotas } from '../quotas.ts'
import { JSON_BODY_MAX_BYTES } from './body.ts'
import { limitRate, requireAccess, requireEnabled, requireOwnFeature, selectTenant } from './checks.ts'
import type { Clock } from './clock.ts'
import { attributed, type Delivered, deliver, deliverStream } from './deliver.ts'
import { type DeliveryOutcome, setEnd } from './delivery.ts'
import { type Download, isDownload } from './download.ts'
import { methodOf } from './head.ts'
import type { Idempotency } from './idempotency.ts'
import { IncomingBody } from './incoming-body.ts'
import { type RequestInput, readInput } from './input.ts'
import { type MountedRoute, verifyAnswer } from './mount.ts'
import type { RateLimiter } from './rate-limit.ts'
import { boundedRequest, errorResponse, isJson, jsonResponse, requestIdOf, withoutBody } from './respond.ts'
import type { Answer, Route } from './route.ts'
import type { Transfers } from './transfers.ts'

/** What the pipeline needs to know of the world. */
export interface PipelineParts {
  readonly authenticator: Authenticator
  readonly directory: TenantGate
  readonly rateLimiter: RateLimiter | undefined
  readonly idempotency: Idempotency
  readonly quotas: RequestQuotas
  readonly metrics: HttpMetrics
  readonly log: Logger
  readonly wiring: Wiring
  readonly clock: Clock
  readonly transfers: Transfers
  /** For tests: an answer that does not fit its route's response schema becomes a 500. */
  readonly verifyAnswers: boolean
}

/**
 * The way of every request, in the order the contract fixes: key, rate limit, permission, plan feature, body and query,
 * workspace, and then the handler, which finds state errors. The first check that fails answers.
 */
export async function serve(
  mounted: MountedRoute,
  request: Request,
  rawParams: Record<string, string>,
  parts: PipelineParts,
): Promise<Response> {
  const exchange = begin(mounted, request, parts)
  const { delivery, ...served } = await respond(mounted, exchange, rawParams, parts)
  let { response } = served
  if (!(await exchange.incoming.discard())) response.headers.set('connection', 'close')
  if (methodOf(request) === 'HEAD') response = await withoutBody(response, mounted.route)
  if (delivery) {
    const ended = delivery.ended.then(outcome => observe(mounted.route, exchange, response, parts, outcome))
    setEnd(response, ended)
  } else observe(mounted.route, exchange, response, parts)
  return response
}

/** One request on its way; later steps add what they learn. */
interface Exchange {
  readonly request: Request
  readonly requestId: string
  readonly startedAt: number
  readonly incoming: IncomingBody
  /** Sent with the response, whichever it is. */
  readonly headers: Record<string, string>
  caller: Caller
  /** The workspace it is counted for: the caller's own until another is selected. */
  workspaceId: string
}

function begin(mounted: MountedRoute, request: Request, parts: PipelineParts): Exchange {
  const requestId = requestIdOf(request)
  return {
    request,
    requestId,
    startedAt: performance.now(),
    incoming: new IncomingBody(request, parts),
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
    if (route.access === 'public') requireEnabled(mounted)
    else {
      // A cache on the way tells requests apart by their address, not by their key.
      headers['cache-control'] = 'no-store'
      exchange.caller = await parts.authenticator.authenticate(request)
      exchange.workspaceId = exchange.caller.workspaceId
      limitRate(exchange.caller, headers, parts.rateLimiter)
      requireAccess(route, exchange.caller)
      await requireOwnFeature(mounted, exchange.caller, parts)
    }
    given = await readInput(mounted, request, rawParams, exchange.incoming, parts)
    return await answer(mounted, exchange, given, parts)
  } catch (error) {
    return { response: errorResponse(error, headers, parts.log) }
  } finally {
    await given?.close?.()
  }
}

async function answer(
  mounted: MountedRoute,
  exchange: Exchange,
  given: RequestInput,
  parts: PipelineParts,
): Promise<Delivered> {
  const { route } = mounted
  const { request, requestId, caller, headers, incoming } = exchange
  const tenant = route.access === 'public' ? NO_TENANT : await selectTenant(mounted, caller, given, parts)
  exchange.workspaceId = tenant.workspaceId
  const input = {
    params: given.params as never,
    query: given.query as never,
    body: given.body as never,
    scope: mounted.scope as never,
    caller,
    tenant,
    request: route.raw ? boundedRequest(request, incoming, route.bodyMaxBytes ?? JSON_BODY_MAX_BYTES) : request,
    requestId,
  }
  const key = request.headers.get('idempotency-key')
  if (key === null || route.method !== 'POST' || route.access === 'public' || route.raw) {
    return toDelivered(await handle(mounted, input, parts), exchange, mounted, parts)
  }
  const kept = await parts.idempotency.run(
    {
      callerId: caller.id,
      workspaceId: tenant.workspaceId,
      homeWorkspaceId: caller.workspaceId,
      key,
      fingerprint: given.fingerprint,
      ...(given.digest ? { digest: given.digest } : {}),
      secret: route.secretAnswer ?? false,
    },
    async () => keepable(await answerOf(() => handle(mounted, input, parts), headers, parts.log)),
  )
  if (kept.replayed) headers['idempotent-replayed'] = 'true'
  const response = new Response(kept.body === '' ? null : kept.body, {
    status: kept.status,
    headers: { ...headers, ...kept.headers, ...(kept.body === '' ? {} : { 'content-type': 'application/json' }) },
  })
  return { response }
}

type Input = Parameters<Route['handle']>[0]

async function handle(mounted: MountedRoute, input: Input, { verifyAnswers }: PipelineParts) {
  const { route } = mounted
  const answer = await (methodOf(input.request) === 'HEAD' && route.head ? route.head(input) : route.handle(input))
  if (verifyAnswers && !(answer instanceof Response)) verifyAnswer(route, answer)
  return answer
}

async function toDelivered(
  result: Answer | Download | Response,
  { request, headers }: Exchange,
  mounted: MountedRoute,
  parts: PipelineParts,
): Promise<Delivered> {
  if (isDownload(result)) return deliver(attributed(result, mounted.owner), request, { ...headers }, headers, parts)
  const response = toResponse(result, headers)
  const isStream = mounted.route.raw && result instanceof Response && !isJson(result)
  return isStream ? deliverStream(response, request, parts) : { response }
}

function toResponse(result: Answer | Response, headers: Record<string, string>): Response {
  if (result instanceof Response) {
    for (const [name, value] of Object.entries(headers)) result.headers.set(name, value)
    return result
  }
  return jsonResponse(result.status, result.body, result.headers ? { ...headers, ...result.headers } : headers)
}

/** A handler's outcome as text, failures included, so that both can be kept and replayed. */
async function answerOf(
  handle: () => Promise<Answer | Download | Response>,
  headers: Record<string, string>,
  log: Logger,
): Promise<Response> {
  try {
    const result = await handle()
    if (isDownload(result)) throw new Error('a download cannot be kept for an Idempotency-Key')
    return toResponse(result, {})
  } catch (error) {
    return errorResponse(error, headers, log)
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
): void {
  const { request, requestId, caller, workspaceId, startedAt } = exchange
  const durationMs = performance.now() - startedAt
  metrics.observe(methodOf(request), route.path, response.status, durationMs / 1000)
  if (workspaceId) quotas.countRequest(workspaceId)
  log.info({
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
