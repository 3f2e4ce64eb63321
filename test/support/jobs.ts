import { randomUUID } from 'node:crypto'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Database } from '../../core/db/database.ts'
import type { Storage } from '../../core/db/storage.ts'
import { createJobQueue } from '../../core/jobs/queue.ts'
import { createJobRunner, type JobRunner, type JobRunnerOptions } from '../../core/jobs/runner.ts'
import { type NewJob, type Task, type TaskDefinition, tasksOf } from '../../core/jobs/task.ts'
import { createLog } from '../../core/log.ts'

const queue = createJobQueue()
const payload = Type.Object({ n: Type.Integer() })

/** Makes a task under a name of its own, whose payload is `{ n }`. */
export function testTask(
  parts: Omit<TaskDefinition<null, typeof payload>, 'name' | 'payload'>,
): Task<null> & { name: string } {
  return anyTask(payload, parts)
}

export function anyTask<P extends TSchema>(
  schema: P,
  parts: Omit<TaskDefinition<null, P>, 'name' | 'payload'>,
): Task<null> & { name: string } {
  return tasksOf<null>()<P>({ name: `test:t${randomUUID().replaceAll('-', '')}`, payload: schema, ...parts })
}

export type TestPayload = Static<typeof payload>

export function enqueue(database: Database, ...jobs: NewJob[]): Promise<void> {
  return database.system(tx => queue.enqueue(tx, jobs))
}

/** Starts a runner of one task; the caller stops it. */
export async function startRunner(
  storage: Pick<Storage, 'pool' | 'database'>,
  task: Task<null>,
  options: Partial<JobRunnerOptions> = {},
): Promise<JobRunner> {
  const runner = createJobRunner({
    pool: storage.pool,
    database: storage.database,
    tasks: [{ task, scope: null }],
    cron: [],
    concurrency: 4,
    log: createLog('silent'),
    ...options,
  })
  await runner.start()
  return runner
}

/** Reads a task's rows in the queue, where the absence of done ones shows as well. */
export async function rowsOf(database: Database, task: string) {
  return database.system(
    tx => tx<{ id: string; attempts: number; locked_by: string | null; run_at: Date; last_error: string | null }[]>`
      select job.id::text, job.attempts, job.locked_by, job.run_at, job.last_error
      from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = job.task_id
      where task.identifier = ${task}`,
  )
}

/** Moves a waiting retry to now. */
export async function hurry(database: Database, task: string): Promise<void> {
  await database.system(async tx => {
    await tx`
      update graphile_worker._private_jobs as job
      set run_at = now()
      from graphile_worker._private_tasks as task
      where task.id = job.task_id and task.identifier = ${task} and job.locked_by is null`
    await tx`select pg_notify('jobs:insert', '{"count":1}')`
  })
}

/** Makes a clock that stands still until a test moves it on. */
export function testClock({ now = new Date(), random = 0.5 }: { now?: Date; random?: number }) {
  let time = now.getTime()
  const timers = new Set<{ at: number; callback: () => void }>()
  return {
    now: () => new Date(time),
    random: () => random,
    after(ms: number, callback: () => void) {
      const timer = { at: time + ms, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    /** Counts the callbacks that are set. */
    timers: () => timers.size,
    /** Calls back what is due by then. */
    advance(ms: number) {
      time += ms
      for (const timer of [...timers].filter(({ at }) => at <= time)) {
        timers.delete(timer)
        timer.callback()
      }
    },
  }
}
