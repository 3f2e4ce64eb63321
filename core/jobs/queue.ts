import { runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { LIMIT_KEY_MAX, LIMIT_MAX } from './places.ts'
import type { JobLimit, JobQueue, NewJob } from './task.ts'

/**
 * This is added to a job's own number of attempts in graphile-worker's books. The surplus is never used to run the
 * task: it lets a runner that died, or whose `exhausted` failed, come back and report the failure. A job without a
 * number of its own has graphile-worker's default there, which is below the surplus.
 */
export const ATTEMPTS_SURPLUS = 100

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

/** A key may occur once in a call of graphile-worker's; the later job replaces the earlier one, as between calls. */
function lastOfEachKey(jobs: readonly NewJob[]): NewJob[] {
  const keyed = new Map<string, NewJob>()
  for (const job of jobs) if (job.key !== undefined) keyed.set(job.key, job)
  return jobs.filter(job => job.key === undefined || keyed.get(job.key) === job)
}

function toSpec({ task, payload, key, runAt, inMs, priority, maxAttempts, limit }: NewJob) {
  if (limit) checkLimit(task, limit)
  return {
    task,
    payload,
    key,
    run_at: runAt?.toISOString(),
    in_ms: inMs === undefined ? undefined : Math.ceil(inMs),
    priority,
    max_attempts: maxAttempts === undefined ? undefined : maxAttempts + ATTEMPTS_SURPLUS,
    limit_key: limit?.key,
    limit_max: limit?.max,
  }
}

function checkLimit(task: string, { key, max }: JobLimit): void {
  if (key.length < 1 || key.length > LIMIT_KEY_MAX)
    throw new Error(`a job of ${task}: a limit's key has 1 to ${LIMIT_KEY_MAX} characters`)
  if (!Number.isInteger(max) || max < 1 || max > LIMIT_MAX)
    throw new Error(`a job of ${task}: a limit is a whole number from 1 to ${LIMIT_MAX}`)
}
