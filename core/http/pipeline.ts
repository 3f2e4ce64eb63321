import type { Authenticator } from '../auth/authenticate.ts'
import type { Caller, Tenant } from '../auth/caller.ts'
import type { TenantGate } from '../auth/directory.ts'
import { requireFeature } from '../auth/features.ts'
import { fail } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { Wiring } from '../ports.ts'
import type { RequestQuotas } from '../quotas.ts'
import { discardBody } from './body.ts'
import type { Idempotency } from './idempotency.ts'
import { fingerprint, type RequestInput, readInput, requestedWorkspace } from './input.ts'
import { type MountedRoute, verifyAnswer } from './mount.ts'
import type { RateLimiter } from './rate-limit.ts'
import { errorResponse, jsonResponse, requestIdOf } from './respond.ts'
import type { Answer, Route } from './route.ts'

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
  const { route } = mounted
  const exchange: Exchange = {
    request,
    requestId: requestIdOf(request),
    startedAt: performance.now(),
    headers: {},
    caller: ANONYMOUS,
    workspaceId: '',
  }
  exchange.headers['x-request-id'] = exchange.requestId
  let response: Response
  try {
    if (route.access !== 'public') {
      // A cache on the way tells requests apart by their address, not by their key.
      exchange.headers['cache-control'] = 'no-store'
      exchange.caller = await parts.authenticator.authenticate(request)
      exchange.workspaceId = exchange.caller.workspaceId
      limitRate(exchange, parts.rateLimiter)
      requireAccess(route, exchange.caller)
      await requireOwnFeature(mounted, exchange.caller, parts)
    }
    response = await answer(mounted, exchange, rawParams, parts)
  } catch (error) {
    response = errorResponse(error, exchange.headers, parts.log)
  }
  if (request.body && !request.bodyUsed) await discardBody(request)
  observe(route, exchange, response, parts)
  return response
}

/** One request on its way; later steps add what they learn. */
interface Exchange {
  readonly request: Request
  readonly requestId: string
  readonly startedAt: number
  /** Sent with the answer, whichever it is. */
  readonly headers: Record<string, string>
  caller: Caller
  /** The workspace it is counted for: the caller's own until another is selected. */
  workspaceId: string
}

async function answer(
  mounted: MountedRoute,
  exchange: Exchange,
  rawParams: Record<string, string>,
  parts: PipelineParts,
): Promise<Response> {
  const { route } = mounted
  const { request, requestId, caller, headers } = exchange
  const given = await readInput(mounted, request, rawParams)
  const { params, query, body, bytes } = given
  const tenant = route.access === 'public' ? NO_TENANT : await selectTenant(mounted, caller, given, parts)
  exchange.workspaceId = tenant.workspaceId
  const input = {
    params: params as never,
    query: query as never,
    body: body as never,
    scope: mounted.scope as never,
    caller,
    tenant,
    request,
    requestId,
  }
  const key = request.headers.get('idempotency-key')
  if (key === null || route.method !== 'POST' || route.access === 'public' || route.raw) {
    return toResponse(await handle(mounted, input, parts), headers)
  }
  const kept = await parts.idempotency.run(
    {
      callerId: caller.id,
      workspaceId: tenant.workspaceId,
      homeWorkspaceId: caller.workspaceId,
      key,
      fingerprint: fingerprint(request, bytes),
      secret: route.secretAnswer ?? false,
    },
    async () => keepable(await answerOf(() => handle(mounted, input, parts), headers, parts.log)),
  )
  if (kept.replayed) headers['idempotent-replayed'] = 'true'
  return new Response(kept.body === '' ? null : kept.body, {
    status: kept.status,
    headers: { ...headers, ...kept.headers, ...(kept.body === '' ? {} : { 'content-type': 'application/json' }) },
  })
}

type Input = Parameters<Route['handle']>[0]

async function handle(
  mounted: MountedRoute,
  input: Input,
  { verifyAnswers }: PipelineParts,
): Promise<Answer | Response> {
  const answer = await mounted.route.handle(input)
  if (verifyAnswers && !(answer instanceof Response)) verifyAnswer(mounted.route, answer)
  return answer
}

function limitRate({ caller, headers }: Exchange, limiter: RateLimiter | undefined): void {
  if (!limiter) return
  const state = limiter.consume(caller.id)
  headers['ratelimit-limit'] = String(state.limit)
  headers['ratelimit-remaining'] = String(state.remaining)
  headers['ratelimit-reset'] = String(state.resetSeconds)
  if (state.limited) throw fail('RATE_LIMITED', { retryAfterSeconds: state.resetSeconds })
}

function requireAccess({ access }: Route, caller: Caller): void {
  if (access === 'public' || access === 'anyKey') return
  if (access === 'account') {
    if (caller.kind !== 'session')
      throw fail('FORBIDDEN', { message: 'Only a signed-in account may do this, never a key.' })
    return
  }
  if (caller.permissions !== 'all' && !caller.permissions.has(access.permission)) {
    throw fail('FORBIDDEN', { message: `This key lacks the permission ${access.permission}.` })
  }
}

/** Checked on the caller's own workspace here, before the body is looked at, and on a named one after it is selected. */
async function requireOwnFeature(mounted: MountedRoute, caller: Caller, parts: PipelineParts): Promise<void> {
  if (!mounted.enabled)
    throw fail('FEATURE_NOT_ENABLED', { message: `The plugin ${mounted.owner} is switched off on this server.` })
  if (!mounted.feature) return
  // A caller of several workspaces may name one in the body that has the feature; that is checked once it is selected.
  const mayNameAnother = caller.kind === 'session' || (caller.grantedWorkspaceIds?.size ?? 0) > 1
  const own = mayNameAnother ? undefined : await parts.directory.find(caller.workspaceId)
  if (own) requireFeature(own, mounted.feature)
}

async function selectTenant(
  mounted: MountedRoute,
  caller: Caller,
  given: RequestInput,
  parts: PipelineParts,
): Promise<Tenant> {
  const tenant = await parts.directory.select(caller, requestedWorkspace(mounted.route, given))
  requireFeature(tenant.workspace, mounted.feature)
  await parts.quotas.admit(tenant.workspace)
  return tenant
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
  handle: () => Promise<Answer | Response>,
  headers: Record<string, string>,
  log: Logger,
): Promise<Response> {
  try {
    return toResponse(await handle(), {})
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

function observe(route: Route, exchange: Exchange, response: Response, { metrics, quotas, log }: PipelineParts): void {
  const { request, requestId, caller, workspaceId, startedAt } = exchange
  const durationMs = performance.now() - startedAt
  metrics.observe(request.method, route.path, response.status, durationMs / 1000)
  if (workspaceId) quotas.countRequest(workspaceId)
  log.info({
    req: requestId,
    method: request.method,
    route: route.path,
    status: response.status,
    ms: Math.round(durationMs * 10) / 10,
    caller: caller.id,
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
