import type { Database } from '../db/database.ts'
import { oldestDueSeconds, tasksLeftBehind } from '../jobs/oldest-due.ts'
import type { JobRunner } from '../jobs/runner.ts'
import type { CoreHealthCheck } from './core-checks.ts'

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
