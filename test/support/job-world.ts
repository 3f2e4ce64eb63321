import { afterEach, beforeAll } from 'bun:test'
import type { Database } from '../../core/db/database.ts'
import type { Storage } from '../../core/db/storage.ts'
import type { JobRunner, JobRunnerOptions } from '../../core/jobs/runner.ts'
import type { NewJob, Task } from '../../core/jobs/task.ts'
import { controlPlane, openControlPlane } from './control-plane.ts'
import { ownDatabaseUrl } from './database.ts'
import { enqueue, hurry, rowsOf, startRunner } from './jobs.ts'

/** Gives a test file a database for its jobs, and runners that are stopped after each test. */
export interface JobWorld {
  /** Known once tests run. */
  readonly storage: Storage
  readonly database: Database
  run(task: Task<null>, options?: Partial<JobRunnerOptions>): Promise<JobRunner>
  enqueue(...jobs: NewJob[]): Promise<void>
  rows(task: Task<null>): ReturnType<typeof rowsOf>
  /** Moves the task's waiting retries to now. */
  hurry(task: Task<null>): Promise<void>
  /** Makes a condition to wait for: no job of the task is left. */
  gone(task: Task<null>): () => Promise<boolean>
}

/**
 * @param ownDatabase runners of other tests find none of the file's jobs
 * @param options of every runner
 * @param graceMs given to running jobs at the end of a test
 */
export function jobWorld(
  parts: { ownDatabase?: boolean; options?: Partial<JobRunnerOptions>; graceMs?: number } = {},
): JobWorld {
  const { ownDatabase = false, options: shared = {}, graceMs = 500 } = parts
  const runners: JobRunner[] = []
  let storage: Storage

  beforeAll(async () => {
    storage = (await (ownDatabase ? openControlPlane(await ownDatabaseUrl()) : controlPlane())).storage
  })

  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop(graceMs)
  })

  const rows = (task: Task<null>) => rowsOf(storage.database, task.name)
  return {
    get storage() {
      return storage
    },
    get database() {
      return storage.database
    },
    async run(task, options) {
      const runner = await startRunner(storage, task, { ...shared, ...options })
      runners.push(runner)
      return runner
    },
    enqueue: (...jobs) => enqueue(storage.database, ...jobs),
    rows,
    hurry: task => hurry(storage.database, task.name),
    gone: task => async () => (await rows(task)).length === 0,
  }
}
