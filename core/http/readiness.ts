import { Type } from '@sinclair/typebox'
import type { Database } from '../db/database.ts'
import { RateWindow } from '../fair/rate-window.ts'
import type { PluginFaults } from '../faults/late-faults.ts'
import { oldestDueSeconds, tasksLeftBehind } from '../jobs/queue-state.ts'
import type { JobRunner } from '../jobs/runner.ts'
import { countHeld } from '../quarantine/store.ts'
import {
  type CoreCheck,
  type CoreHealthCheck,
  databaseCheck,
  embedderCheck,
  type Finding,
  languageCheck,
  type OwnedCheck,
  ReadinessCheck,
  type Services,
} from './readiness-check.ts'
import { ok, type Route, routesOf } from './route.ts'

export interface ReadinessParts {
  readonly services: Services
  readonly runner: Pick<JobRunner, 'health' | 'overrunningByOwner'> | undefined
  /** The names of all tasks, the kernel's too. */
  readonly tasks: readonly string[]
  readonly healthChecks: readonly OwnedCheck[]
  /** Errors of plugins that nobody caught. */
  readonly lateFaults: { recent(): readonly PluginFaults[] }
  /** The process was told to stop, and still serves who comes. */
  readonly isStopping: () => boolean
}

const readinessBody = Type.Object(
  {
    status: Type.String({ description: '`ready`, `unavailable`, or `stopping` once it was told to stop.' }),
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
  },
  { title: 'Readiness' },
)

const readinessQuery = Type.Object({
  checks: Type.Optional(
    Type.Union([Type.Literal('all'), Type.Literal('none')], {
      description: '`none` asks only whether the process stops, at once and of nothing else.',
    }),
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

/** Balancers repeat their question until it is `ready` again. */
const UNAVAILABLE = { status: 503, headers: { 'retry-after': '2' } } as const

export function readiness(parts: ReadinessParts): Route {
  const { services, runner, tasks, healthChecks, isStopping } = parts
  const own: CoreHealthCheck[] = [
    databaseCheck(services),
    // Migrations ran before the server listened; a database that was swapped underneath shows here.
    {
      name: 'migrations',
      check: () => services.database.system(async tx => void (await tx`select 1 from core.migration limit 1`)),
    },
    queueCheck(services.database, runner, tasks),
    embedderCheck(services),
    ...languageCheck(services),
  ]
  const checks = [...own.map(check => ({ owner: 'core', check: { ...check, essential: true } })), ...healthChecks].map(
    owned => new ReadinessCheck(owned, services.log),
  )
  const look = fewASecond(() => readinessOf(checks, parts))
  return routesOf<undefined>()({
    method: 'GET',
    path: '/ready',
    operationId: 'getReadiness',
    access: 'public',
    tag: 'System',
    summary: 'Readiness: everything a request needs',
    description:
      'Names each part with `ok`, `degraded` (it serves, with less) or `failed`; 503 when any failed, or when the process stops. `details` says more of some.',
    ignoresUnknownQuery: true,
    query: readinessQuery,
    probe: true,
    responses: { 200: readinessBody, 503: readinessBody },
    examples: readinessExamples,
    handle({ query }) {
      if (isStopping()) return { ...UNAVAILABLE, body: { status: 'stopping', checks: {} } }
      return query.checks === 'none' ? ok({ status: 'ready', checks: {} }) : look()
    },
  })
}

async function readinessOf(checks: readonly ReadinessCheck[], { services, runner, lateFaults }: ReadinessParts) {
  const ran = await Promise.all(checks.map(check => check.run()))
  const findings = ran.map(find => find())
  const troubled = {
    ...troubledPlugins(lateFaults.recent(), runner?.overrunningByOwner() ?? new Map()),
    // With the database away its own check says so.
    ...(isOk(findings, 'database') ? await heldBack(services) : {}),
    ...coreTrouble('memory', services.memory.isShort ? { over_limit: 1 } : undefined),
  }
  const failed = findings.some(({ state }) => state === 'failed')
  const details = findings.flatMap(({ name, details }) => (details ? [[name, details] as const] : []))
  const body = {
    status: failed ? 'unavailable' : 'ready',
    checks: Object.fromEntries([
      ...findings.map(({ name, state }) => [name, state] as const),
      ...Object.keys(troubled).map(name => [name, 'degraded'] as const),
    ]),
    ...(details.length + Object.keys(troubled).length > 0
      ? { details: { ...Object.fromEntries(details), ...troubled } }
      : {}),
  }
  return failed ? { ...UNAVAILABLE, body } : ok(body)
}

function isOk(findings: readonly Finding[], part: string): boolean {
  return findings.some(({ name, state }) => name === part && state === 'ok')
}

/** Counted for the details. */
const HELD_COUNTED_MAX = 1000

/** Rows that jobs for all workspaces leave out: the service serves on, and an operator should look. */
async function heldBack({ database }: Services): Promise<Record<string, Trouble>> {
  const rows = await database.system(tx => countHeld(tx, HELD_COUNTED_MAX)).catch(() => 0)
  return coreTrouble('quarantine', rows === 0 ? undefined : { rows, look: 'bun run server doctor' })
}

type Trouble = Record<string, string | number>

function coreTrouble(name: CoreCheck, trouble: Trouble | undefined): Record<string, Trouble> {
  return trouble ? { [name]: trouble } : {}
}

/**
 * Lists plugins that serve on although somebody should look at them, by their names in `/ready`, with their details.
 */
function troubledPlugins(
  faults: readonly PluginFaults[],
  overrunning: ReadonlyMap<string, number>,
): Readonly<Record<string, Trouble>> {
  const troubles: Record<string, Trouble> = {}
  for (const { plugin, count, lastAt } of faults) {
    troubles[nameOf(plugin)] = { faults: count, last_fault_at: lastAt.toISOString() }
  }
  for (const [owner, attempts] of overrunning) {
    troubles[nameOf(owner)] = { ...troubles[nameOf(owner)], attempts_overrunning: attempts }
  }
  return troubles
}

function nameOf(owner: string): CoreCheck | `plugin ${string}` {
  return owner === 'core' ? 'jobs of the core' : `plugin ${owner}`
}

/** A job that is due for longer waits for workers that do not run, or do not keep up. */
const DUE_SECONDS_MAX = 5 * 60

/**
 * Checks the job queue from any process: its own runner, where it has one, and how long the oldest job is due. Late jobs
 * are no reason to send requests elsewhere, so they only degrade it. Those of tasks that are unknown here are named alone: a plugin was
 * removed, which no more workers would help, or this process has fewer plugins than others.
 *
 * @param tasks the tasks of this process
 */
export function queueCheck(
  database: Database,
  runner: Pick<JobRunner, 'health'> | undefined,
  tasks: readonly string[],
): CoreHealthCheck {
  let dueSeconds = 0
  let leftBehind: readonly string[] = []
  const isLate = () => dueSeconds > DUE_SECONDS_MAX
  return {
    name: 'queue',
    async check() {
      dueSeconds = 0
      leftBehind = []
      await runner?.health()
      dueSeconds = await oldestDueSeconds(database, tasks)
      leftBehind = await tasksLeftBehind(database, tasks, DUE_SECONDS_MAX)
    },
    state: () => (isLate() ? 'degraded' : 'ok'),
    details() {
      const details = {
        ...(isLate() ? { oldest_due_seconds: dueSeconds } : {}),
        ...(leftBehind.length > 0 ? { without_plugin: leftBehind.join(', ') } : {}),
      }
      return Object.keys(details).length > 0 ? details : undefined
    },
  }
}

/** Beyond so many a second everybody gets the last result. */
const RUNS_MAX = 10

/**
 * Makes work that anyone may ask for at any rate bearable: those who ask while it runs share that run, and whoever asks more often than
 * ten times a second gets the last result. One that fails is not kept.
 */
export function fewASecond<T>(work: () => Promise<T>, now?: () => number): () => Promise<T> {
  const runs = new RateWindow({
    name: 'http.runs',
    limit: RUNS_MAX,
    windowMs: 1000,
    keysMax: 1,
    ...(now ? { now } : {}),
  })
  let running: Promise<T> | undefined
  let last: { readonly result: T } | undefined
  return async () => {
    if (running) return running
    if (runs.consume('').limited && last) return last.result
    last = undefined
    running = work().finally(() => {
      running = undefined
    })
    last = { result: await running }
    return last.result
  }
}
