import type { Database } from '../db/database.ts'
import { oldestDueSeconds } from '../jobs/oldest-due.ts'
import type { JobRunner } from '../jobs/runner.ts'
import type { HealthCheck } from '../plugin.ts'

/** A job that is due for longer waits for workers that do not run, or do not keep up. */
const DUE_SECONDS_MAX = 5 * 60

/**
 * Checks the job queue from any process: its own runner, where it has one, and how long the oldest job is due. Late jobs
 * are no reason to send requests elsewhere, so they only degrade it.
 *
 * @param tasks the tasks of this deployment: jobs of a plugin that was removed wait for nobody
 */
export function queueCheck(
  database: Database,
  runner: Pick<JobRunner, 'health'> | undefined,
  tasks: readonly string[],
): HealthCheck {
  let dueSeconds = 0
  const isLate = () => dueSeconds > DUE_SECONDS_MAX
  return {
    name: 'queue',
    async check() {
      dueSeconds = 0
      await runner?.health()
      dueSeconds = await oldestDueSeconds(database, tasks)
    },
    state: () => (isLate() ? 'degraded' : 'ok'),
    details: () => (isLate() ? { oldest_due_seconds: dueSeconds } : undefined),
  }
}
