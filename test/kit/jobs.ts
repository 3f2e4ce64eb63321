import type { Database } from '../../core/db/database.ts'
import { until } from './wait.ts'

export interface JobsDoneOptions {
  /** Runs jobs now that are scheduled for later, so that a test waits for no debounce and no back-off. */
  readonly early?: boolean
  /** Gives up after this long; 60 seconds. */
  readonly timeoutMs?: number
}

/**
 * Resolves when every job that is due has been done, and those that they added.
 * @throws Error with a task's name and its message when a job failed
 */
export async function jobsDone(
  database: Database,
  { early = false, timeoutMs = 60_000 }: JobsDoneOptions = {},
): Promise<void> {
  let left: readonly JobRow[] = []
  const noneLeft = async () => {
    if (early) await runEarly(database)
    left = await pendingJobs(database)
    const failed = left.find(job => job.last_error !== null)
    if (failed) {
      throw new Error(`the job ${failed.task} failed in attempt ${failed.attempts}: ${failed.last_error}`)
    }
    return left.every(job => !job.due && !job.running)
  }
  await until('the jobs are done', noneLeft, timeoutMs).catch(error => {
    const tasks = [...new Set(left.filter(job => job.due || job.running).map(job => job.task))]
    throw left.some(job => job.last_error) ? error : new Error(`${error.message} (waiting for ${tasks.join(', ')})`)
  })
}

interface JobRow {
  readonly task: string
  readonly attempts: number
  readonly last_error: string | null
  readonly due: boolean
  readonly running: boolean
}

async function pendingJobs(database: Database): Promise<readonly JobRow[]> {
  return database.system(
    tx => tx<JobRow[]>`
      select
        task.identifier as task, job.attempts, job.last_error, job.run_at <= now() as due,
        job.locked_at is not null as running
      from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = job.task_id`,
  )
}

async function runEarly(database: Database): Promise<void> {
  await database.system(async tx => {
    const { count } = await tx`
      update graphile_worker._private_jobs as job
      set run_at = now()
      where job.run_at > now() and job.locked_at is null and job.last_error is null`
    if (count > 0) await tx`select pg_notify('jobs:insert', ${JSON.stringify({ count })})`
  })
}
