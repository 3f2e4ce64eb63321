import { createHash, timingSafeEqual } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { PluginFaults } from '../boot/late-faults.ts'
import type { Services } from '../boot/services.ts'
import { fail } from '../errors.ts'
import type { JobRunner } from '../jobs/runner.ts'
import type { AnyPlugin, HealthCheck, HealthDetails } from '../plugin.ts'
import { VERSION } from '../version.ts'
import { docsRoutes } from './docs.ts'
import type { MountedRoute } from './mount.ts'
import { openApiDocument } from './openapi.ts'
import { ok, type Route } from './route.ts'

/** A check that takes longer counts as failed, so that a probe gets its answer in time. */
const CHECK_TIMEOUT_MS = 2000
/** Its failing is told apart from a check's. */
const EMBEDDER_TIMEOUT_MS = 1500

export interface SystemParts {
  readonly services: Services
  readonly runner: JobRunner | undefined
  readonly healthChecks: readonly HealthCheck[]
  readonly routes: () => readonly MountedRoute[]
  readonly plugins: readonly AnyPlugin[]
  /** Shown in `/ready`: errors of plugins that nobody caught. */
  readonly lateFaults: { recent(): readonly PluginFaults[] }
}

/** What operators and tools ask for, without a key: liveness, readiness, metrics and the API reference. */
export function systemRoutes(parts: SystemParts): Route[] {
  return [health(), ready(parts), metrics(parts), openApi(parts), ...docsRoutes()]
}

function health(): Route {
  return {
    method: 'GET',
    path: '/health',
    access: 'public',
    tag: 'System',
    summary: 'Liveness: the process answers',
    description: 'Touches nothing else, so a restart is only ever triggered by a hung process.',
    ignoresUnknownQuery: true,
    responses: {
      200: Type.Object({
        status: Type.Literal('ok', { description: 'The process answers.' }),
        version: Type.String({ description: 'The version of Mneme.' }),
      }),
    },
    examples: { response: { status: 'ok', version: VERSION } },
    handle: () => ok({ status: 'ok', version: VERSION }),
  }
}

const readiness = Type.Object({
  status: Type.String({ description: '`ready` or `unavailable`.' }),
  checks: Type.Record(Type.String(), Type.String({ description: '`ok`, `degraded` or `failed`.' }), {
    description: 'Each part with its state.',
  }),
  details: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Record(
        Type.String(),
        Type.Union([Type.String(), Type.Number(), Type.Null()], { description: 'What it says.' }),
        { description: 'What one part says.' },
      ),
      { description: 'More of the parts that have more to say.' },
    ),
  ),
})

const readinessExamples = {
  responses: {
    200: { status: 'ready', checks: { database: 'ok', migrations: 'ok', queue: 'ok', embedder: 'ok' } },
    503: {
      status: 'unavailable',
      checks: { database: 'failed', migrations: 'failed', queue: 'failed', embedder: 'ok' },
    },
  },
}

function ready({ services, runner, healthChecks, lateFaults }: SystemParts): Route {
  const checks: HealthCheck[] = [
    { name: 'database', check: () => services.database.ping(CHECK_TIMEOUT_MS) },
    // Migrations ran before the server listened; a database that was swapped underneath shows here.
    {
      name: 'migrations',
      check: () => services.database.system(async tx => void (await tx`select 1 from core.migration limit 1`)),
    },
    ...(runner ? [{ name: 'queue', check: () => runner.health() }] : []),
    embedderCheck(services),
    ...healthChecks,
  ]
  return {
    method: 'GET',
    path: '/ready',
    access: 'public',
    tag: 'System',
    summary: 'Readiness: everything a request needs',
    description:
      'Names each part with `ok`, `degraded` (it serves, with less) or `failed`; 503 when any failed. `details` says more of some.',
    ignoresUnknownQuery: true,
    responses: { 200: readiness, 503: readiness },
    examples: readinessExamples,
    async handle() {
      const now = [...checks, ...lateFaults.recent().map(faultyPlugin)]
      const states = await Promise.all(now.map(async check => [check.name, await stateOf(check, services)] as const))
      const failed = states.some(([, state]) => state === 'failed')
      const details = now.flatMap(check => {
        const given = detailsOf(check, services)
        return given ? [[check.name, given] as const] : []
      })
      const body = {
        status: failed ? 'unavailable' : 'ready',
        checks: Object.fromEntries(states),
        ...(details.length > 0 ? { details: Object.fromEntries(details) } : {}),
      }
      return failed ? { status: 503, body, headers: { 'retry-after': '2' } } : ok(body)
    },
  }
}

/** A plugin serves on after an error that nobody caught, and somebody should look at it. */
function faultyPlugin({ plugin, count, lastAt }: PluginFaults): HealthCheck {
  return {
    name: `plugin ${plugin}`,
    check: async () => undefined,
    state: () => 'degraded',
    details: () => ({ faults: count, last_fault_at: lastAt.toISOString() }),
  }
}

/** What a check says besides; one that fails over it has said enough. */
function detailsOf({ name, details }: HealthCheck, { log }: Services): HealthDetails | undefined {
  try {
    return details?.()
  } catch (error) {
    log.warn({ err: error, check: name }, 'readiness check has no details')
    return undefined
  }
}

/** Without its model a server finds texts by words, takes new ones and embeds them later: no reason to send requests away. */
function embedderCheck({ embedder, log }: Pick<Services, 'embedder' | 'log'>): HealthCheck {
  let state: 'ok' | 'degraded' = 'ok'
  return {
    name: 'embedder',
    async check() {
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('the embedding model does not answer')), EMBEDDER_TIMEOUT_MS)
      })
      try {
        await Promise.race([embedder.ready(), late])
        state = 'ok'
      } catch (error) {
        if (state === 'ok') log.warn({ err: error }, 'the embedding model is away')
        state = 'degraded'
      } finally {
        clearTimeout(timer)
      }
    },
    state: () => state,
  }
}

async function stateOf({ name, check, state }: HealthCheck, { log }: Services): Promise<'ok' | 'degraded' | 'failed'> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS)
  })
  try {
    await Promise.race([check(), late])
    return state?.() ?? 'ok'
  } catch (error) {
    log.warn({ err: error, check: name }, 'readiness check failed')
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}

function metrics({ services }: SystemParts): Route {
  const { registry } = services.metrics
  return {
    method: 'GET',
    path: '/metrics',
    access: 'public',
    tag: 'System',
    summary: 'Metrics for Prometheus',
    description: 'With `METRICS_TOKEN` set, wants `Authorization: Bearer <token>`.',
    ignoresUnknownQuery: true,
    contentType: 'text/plain',
    responses: { 200: null },
    errors: ['UNAUTHORIZED'],
    async handle({ request }) {
      const token = services.config.METRICS_TOKEN
      if (token && !sameSecret(request.headers.get('authorization') ?? '', `Bearer ${token}`)) {
        throw fail('UNAUTHORIZED', { message: 'Send the metrics token as a bearer token.' })
      }
      return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } })
    },
  }
}

const description = Type.Object(
  {
    openapi: Type.String({ description: 'The version of OpenAPI.' }),
    info: Type.Object({}, { description: 'Name, version and licence.', additionalProperties: true }),
    paths: Type.Object({}, { description: 'Every operation, by path and method.', additionalProperties: true }),
  },
  { additionalProperties: true },
)

function openApi({ routes, plugins }: SystemParts): Route {
  let text: string | undefined
  return {
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    tag: 'System',
    summary: 'This API as an OpenAPI 3.1 document',
    responses: { 200: description },
    examples: { response: { openapi: '3.1.0', info: { title: 'Mneme', version: VERSION }, paths: {} } },
    handle() {
      text ??= JSON.stringify(openApiDocument(routes(), plugins, VERSION))
      return new Response(text, { headers: { 'content-type': 'application/json' } })
    },
  }
}

/** Hashed first, so that neither content nor length shows in the time it takes. */
function sameSecret(a: string, b: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest()
  return timingSafeEqual(digest(a), digest(b))
}
