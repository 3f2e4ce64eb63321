import { createHash } from 'node:crypto'
import { Logger, makeWorkerUtils, runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { isContended } from '../db/database.ts'
import { withMembers } from '../with-members.ts'
import type { JobLimit, JobQueue, NewJob } from './task.ts'

/**
 * This is added to a job's own number of attempts in graphile-worker's books. The surplus is never used to run the
 * task: it lets a runner that died, or whose `exhausted` failed, come back and report the failure. A job without a
 * number of its own has graphile-worker's default there, which is below the surplus.
 */
export const ATTEMPTS_SURPLUS = 100

/** So many jobs of one plugin run at once for a workspace, over all processes. */
const WORKSPACE_PLACES = 4

const LIMIT_KEY_MAX = 200
const LIMIT_MAX = 1000
/** graphile-worker takes names of up to 128 characters; the place follows. */
const QUEUE_NAME_MAX = 120

/** By these fields of their payloads jobs can be found; each is a flag of the job, as `workspace_id:<id>`. */
const FOUND_BY = ['workspace_id', 'user_id', 'event_id'] as const

/** Creates or updates graphile-worker's schema. Safe to run from several servers at once; the core's migrations need it. */
export async function prepareQueue(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool })
}

/** Adds jobs by one statement per call, inside the caller's transaction. */
export function createJobQueue(): JobQueue {
  return {
    async enqueue(tx, jobs) {
      if (jobs.length === 0) return
      const specs = lastOfEachKey(jobs).map(toSpec)
      // The jobs go as text, since postgres.js would send a JSON parameter as jsonb and the function wants json.
      await tx`select core.enqueue(${JSON.stringify(specs)}::text::json)`
    },
  }
}

/** Names the flag of a task's jobs, by which a process leaves them to others. */
export function taskFlag(task: string): string {
  return `task:${task}`
}

/** Names the flag of jobs whose payload has a field with this value. */
export function payloadFlag(field: (typeof FOUND_BY)[number], value: string): string {
  return `${field}:${value}`
}

/** A key may occur once in a call of graphile-worker's; the later job replaces the earlier one, as between calls. */
function lastOfEachKey(jobs: readonly NewJob[]): NewJob[] {
  const keyed = new Map<string, NewJob>()
  for (const job of jobs) if (job.key !== undefined) keyed.set(job.key, job)
  return jobs.filter(job => job.key === undefined || keyed.get(job.key) === job)
}

function toSpec(job: NewJob) {
  const { task, payload, key, runAt, inMs, priority, maxAttempts } = job
  const found = FOUND_BY.flatMap(field => {
    const value = payload[field]
    return typeof value === 'string' ? [payloadFlag(field, value)] : []
  })
  return {
    task,
    payload,
    key,
    run_at: runAt?.toISOString(),
    in_ms: inMs === undefined ? undefined : Math.ceil(inMs),
    priority,
    max_attempts: maxAttempts === undefined ? undefined : maxAttempts + ATTEMPTS_SURPLUS,
    queue: queueOf(job),
    flags: [taskFlag(task), ...found],
  }
}

/**
 * A queue runs one job after the other, so as many queues as there are places let so many jobs run at once. A workspace has some for each
 * plugin, so that its slow jobs of one do not hold up those of another.
 */
function queueOf({ task, payload, key, limit }: NewJob): string | undefined {
  if (limit) checkLimit(task, limit)
  const { workspace_id: workspace } = payload
  const [name, places] = limit
    ? [`l:${limit.key}`, limit.max]
    : [typeof workspace === 'string' ? `w:${workspace}:${task.split(':', 1)[0]}` : undefined, WORKSPACE_PLACES]
  if (name === undefined) return undefined
  const short = name.length > QUEUE_NAME_MAX ? `#:${digest(name).toString('base64url')}` : name
  // Without a limit jobs of a key follow each other. The places of a limit are taken in turn, so that a slow job of a key holds up
  // as few of the next ones as it can.
  const turn = limit || key === undefined ? nextTurn(short) : digest(key).readUInt32BE()
  return `${short}:${turn % places}`
}

/** Counts the jobs that this process added to the places of a name; it begins anew with every so many names. */
const turns = new Map<string, number>()
const TURNS_MAX = 10_000

function nextTurn(name: string): number {
  const turn = turns.get(name) ?? 0
  if (turns.size >= TURNS_MAX) turns.clear()
  turns.set(name, turn + 1)
  return turn
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function checkLimit(task: string, { key, max }: JobLimit): void {
  if (key.length < 1 || key.length > LIMIT_KEY_MAX)
    throw new Error(`a job of ${task}: a limit's key has 1 to ${LIMIT_KEY_MAX} characters`)
  if (!Number.isInteger(max) || max < 1 || max > LIMIT_MAX)
    throw new Error(`a job of ${task}: a limit is a whole number from 1 to ${LIMIT_MAX}`)
}

/** A transaction that adds jobs is waited for so long. */
const REMOVAL_LOCK_MS = 100

/**
 * Removes named queues without jobs; each look for jobs goes through all queues. Transactions that add jobs right now may use one that
 * seems unused, so this takes the lock that they share, and leaves it for later where that takes long.
 * @returns whether it got the lock
 */
export async function removeUnusedQueues(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${REMOVAL_LOCK_MS}`)
    await client.query("select pg_advisory_xact_lock(hashtextextended('core.job_queues', 0))")
    // The library works on this client, inside this transaction.
    const own = withMembers(client, { release: () => undefined })
    const logger = new Logger(() => () => undefined)
    const utils = await makeWorkerUtils({ pgPool: withMembers(pool, { connect: async () => own }), logger })
    await utils.cleanup({ tasks: ['GC_JOB_QUEUES'] })
    await utils.release()
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback')
    if (isContended(error)) return false
    throw error
  } finally {
    client.release()
  }
}
