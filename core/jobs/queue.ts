import { runMigrations } from 'graphile-worker'
import type pg from 'pg'
import type { JobQueue, NewJob } from './task.ts'

/**
 * Added to a job's own number of attempts in graphile-worker's books. The surplus is never used to run the task: it lets a
 * runner that died, or whose `exhausted` failed, come back and report the failure. A job without a number of its own has
 * graphile-worker's default there, which is below the surplus.
 */
export const ATTEMPTS_SURPLUS = 100

/** Creates or updates graphile-worker's schema. Safe to run from several servers at once; the core's migrations need it. */
export async function prepareQueue(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool })
}

/** The sending side: one statement per call, inside the caller's transaction. */
export function createJobQueue(): JobQueue {
  return {
    async enqueue(tx, jobs) {
      if (jobs.length === 0) return
      const specs = lastOfEachKey(jobs).map(toSpec)
      // Through text, since postgres.js would send a JSON parameter as jsonb and the function wants json.
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

function toSpec({ task, payload, key, runAt, priority, maxAttempts }: NewJob) {
  return {
    task,
    payload,
    key,
    run_at: runAt?.toISOString(),
    priority,
    max_attempts: maxAttempts === undefined ? undefined : maxAttempts + ATTEMPTS_SURPLUS,
  }
}
