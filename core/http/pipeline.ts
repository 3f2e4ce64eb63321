import { createHash } from 'node:crypto'
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Caller, Tenant } from '../auth/caller.ts'
import type { TenantDirectory } from '../auth/directory.ts'
import { type AppError, fail, validationError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { Wiring } from '../ports.ts'
import type { Quotas } from '../quotas.ts'
import { discardBody, readJson } from './body.ts'
import type { Idempotency } from './idempotency.ts'
import type { RateLimiter } from './rate-limit.ts'
import { errorResponse, jsonResponse, requestIdOf } from './respond.ts'
import type { Answer, Route } from './route.ts'
import { compileValidator, readQuery, uuid, type Validator } from './validation.ts'

/** What the pipeline needs to know of the world. */
export interface PipelineParts {
  readonly authenticator: Authenticator
  readonly directory: TenantDirectory
  readonly rateLimiter: RateLimiter | undefined
  readonly idempotency: Idempotency
  readonly quotas: Quotas
  readonly metrics: HttpMetrics
  readonly log: Logger
  readonly wiring: Wiring
  /** For tests: an answer that does not fit its route's response schema becomes a 500. */
  readonly verifyAnswers: boolean
}

/** A route ready to serve: schemas compiled, its plugin's scope and feature at hand. */
export interface MountedRoute {
  readonly route: Route
  readonly owner: string
  readonly feature: string | undefined
  /** False for a built-in plugin that is switched off: the gate still answers, with FEATURE_NOT_ENABLED. */
  readonly enabled: boolean
  readonly scope: unknown
  readonly params: Validator<unknown> | undefined
  readonly query: { schema: TObject; validator: Validator<unknown> }
  readonly body: Validator<unknown> | undefined
}

const SELECT_WORKSPACE = {
  workspace_id: Type.Optional(uuid({ description: "Works on this workspace instead of the key's own." })),
}

/** Compiles a route's schemas, once every plugin is set up. */
export function mountRoute(
  route: Route,
  owner: { id: string; feature?: string | undefined; enabled: boolean; scope: unknown },
  wiring: Wiring,
): MountedRoute {
  const selects = (route.workspace ?? 'select') === 'select' && route.access !== 'public'
  const given = typeof route.query === 'function' ? route.query(wiring) : (route.query ?? Type.Object({}))
  const query = selects && !('workspace_id' in given.properties) ? withProperties(given, SELECT_WORKSPACE) : given
  const body = route.body && selects && isObject(route.body) ? withProperties(route.body, SELECT_WORKSPACE) : route.body
  return {
    route,
    owner: owner.id,
    feature: owner.feature,
    enabled: owner.enabled,
    scope: owner.scope,
    params: route.params && compileValidator(route.params),
    query: { schema: query, validator: compileValidator(query) },
    body: body && compileValidator(body),
  }
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
  const startedAt = performance.now()
  const headers: Record<string, string> = { 'x-request-id': requestIdOf(request) }
  let caller = ANONYMOUS
  let response: Response
  try {
    if (route.access !== 'public') {
      caller = await parts.authenticator.authenticate(request)
      limitRate(caller, headers, parts.rateLimiter)
      requireAccess(route, caller)
      await requireFeature(mounted, caller, parts)
    }
    response = await answer(mounted, request, rawParams, caller, headers, parts)
  } catch (error) {
    response = errorResponse(error, headers, parts.log)
  }
  if (request.body && !request.bodyUsed) await discardBody(request)
  observe(mounted, request, response, caller, performance.now() - startedAt, headers, parts)
  return response
}

async function answer(
  mounted: MountedRoute,
  request: Request,
  rawParams: Record<string, string>,
  caller: Caller,
  headers: Record<string, string>,
  parts: PipelineParts,
): Promise<Response> {
  const { route } = mounted
  const { params, query, body, bytes } = await readInput(mounted, request, rawParams)
  const tenant = route.access === 'public' ? NO_TENANT : await selectTenant(mounted, caller, params, query, body, parts)
  const input = {
    params: params as never,
    query: query as never,
    body: body as never,
    scope: mounted.scope as never,
    caller,
    tenant,
    request,
    requestId: headers['x-request-id'] ?? '',
  }
  const key = request.headers.get('idempotency-key')
  if (key === null || route.method !== 'POST' || route.access === 'public' || route.raw) {
    return toResponse(await handle(mounted, input, parts), headers)
  }
  const kept = await parts.idempotency.run(
    {
      callerId: caller.id,
      workspaceId: tenant.workspaceId,
      key,
      fingerprint: fingerprint(request, bytes),
      secret: route.secretAnswer ?? false,
    },
    async () => keepable(await answerOf(() => handle(mounted, input, parts), parts.log)),
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

/** Checks what is sent, as text, against the schema that the reference shows. */
function verifyAnswer({ method, path, responses }: Route, { status, body }: Answer): void {
  const schema = responses[status]
  if (schema === undefined) throw new Error(`${method} ${path} answered ${status}, which it does not document`)
  if (schema === null) {
    if (body !== undefined)
      throw new Error(`${method} ${path} answered ${status} with a body, which it does not document`)
    return
  }
  const faults = compileValidator(schema).faults(JSON.parse(JSON.stringify(body)))
  if (faults.length > 0)
    throw new Error(`${method} ${path} answered ${status} against its schema: ${JSON.stringify(faults)}`)
}

/** Validates path, query and body together, so that one answer names every field at fault. */
async function readInput(mounted: MountedRoute, request: Request, rawParams: Record<string, string>) {
  const parsed = readQuery(mounted.query.schema, new URL(request.url).searchParams)
  const unknown = new Set(parsed.faults.map(fault => fault.path))
  const faults = [...(mounted.params?.faults(rawParams) ?? []), ...parsed.faults]
  faults.push(...mounted.query.validator.faults(parsed.value).filter(fault => !unknown.has(fault.path)))
  let body: unknown
  let bytes: Uint8Array = new Uint8Array()
  if (mounted.body) {
    const read = await readJson(request)
    body = read.value
    bytes = read.bytes
    faults.push(...mounted.body.faults(body))
  }
  if (faults.length > 0) throw validationError(faults)
  return { params: rawParams, query: parsed.value, body, bytes }
}

function limitRate(caller: Caller, headers: Record<string, string>, limiter: RateLimiter | undefined): void {
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
async function requireFeature(mounted: MountedRoute, caller: Caller, parts: PipelineParts): Promise<void> {
  if (!mounted.enabled)
    throw fail('FEATURE_NOT_ENABLED', { message: `The plugin ${mounted.owner} is switched off on this server.` })
  if (!mounted.feature) return
  const own = await parts.directory.find(caller.workspaceId)
  if (own && !own.features.has(mounted.feature)) throw featureMissing(mounted.feature)
}

async function selectTenant(
  mounted: MountedRoute,
  caller: Caller,
  params: Record<string, string>,
  query: Record<string, unknown>,
  body: unknown,
  parts: PipelineParts,
): Promise<Tenant> {
  const tenant = await parts.directory.select(caller, requestedWorkspace(mounted.route, params, query, body))
  if (mounted.feature && !tenant.workspace.features.has(mounted.feature)) throw featureMissing(mounted.feature)
  await parts.quotas.admit(tenant.workspace)
  return tenant
}

function requestedWorkspace(
  route: Route,
  params: Record<string, string>,
  query: Record<string, unknown>,
  body: unknown,
): string | undefined {
  if (route.workspace === 'none') return undefined
  if (typeof route.workspace === 'object') return params[route.workspace.param]
  const named = query.workspace_id ?? (isRecord(body) ? body.workspace_id : undefined)
  return typeof named === 'string' ? named.toLowerCase() : undefined
}

function toResponse(result: Answer | Response, headers: Record<string, string>): Response {
  if (result instanceof Response) {
    for (const [name, value] of Object.entries(headers)) result.headers.set(name, value)
    return result
  }
  return jsonResponse(result.status, result.body, result.headers ? { ...headers, ...result.headers } : headers)
}

/** A handler's outcome as text, failures included, so that both can be kept and replayed. */
async function answerOf(handle: () => Promise<Answer | Response> | Answer | Response, log: Logger): Promise<Response> {
  try {
    return toResponse(await handle(), {})
  } catch (error) {
    return errorResponse(error, {}, log)
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

function fingerprint(request: Request, bytes: Uint8Array): string {
  const url = new URL(request.url)
  return createHash('sha256').update(`${request.method} ${url.pathname}${url.search}\n`).update(bytes).digest('hex')
}

function observe(
  mounted: MountedRoute,
  request: Request,
  response: Response,
  caller: Caller,
  durationMs: number,
  headers: Record<string, string>,
  { metrics, quotas, log }: PipelineParts,
): void {
  metrics.observe(request.method, mounted.route.path, response.status, durationMs / 1000)
  if (caller.workspaceId) quotas.countRequest(caller.workspaceId)
  log.info({
    req: headers['x-request-id'],
    method: request.method,
    route: mounted.route.path,
    status: response.status,
    ms: Math.round(durationMs * 10) / 10,
    caller: caller.id,
  })
}

function featureMissing(feature: string): AppError {
  return fail('FEATURE_NOT_ENABLED', { message: `The workspace's plan does not include ${feature}.` })
}

function withProperties(schema: TObject, extra: Record<string, TSchema>): TObject {
  return { ...schema, properties: { ...schema.properties, ...extra } }
}

function isObject(schema: TSchema): schema is TObject {
  return schema.type === 'object' && typeof schema.properties === 'object'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
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
