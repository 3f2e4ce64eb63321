import type { Job, JobHelpers } from 'graphile-worker'
import type { Database } from '../db/database.ts'
import type { JobLimit } from './task.ts'

export const LIMIT_KEY_MAX = 200
export const LIMIT_MAX = 1000

/** The limit that a job was added with. */
export function limitOf({ flags }: Pick<Job, 'flags'>): JobLimit | undefined {
  const limit: unknown = Reflect.get(flags ?? {}, 'limit')
  if (typeof limit !== 'object' || limit === null) return undefined
  const [key, max] = [Reflect.get(limit, 'key'), Reflect.get(limit, 'max')]
  return typeof key === 'string' && typeof max === 'number' ? { key, max } : undefined
}

/** Asks for one of the key's places. Without one the job has been parked, and comes again when it is its turn. */
export async function takePlace({ job, query }: JobHelpers, limit: JobLimit, worker: string): Promise<boolean> {
  const { rows } = await query<{ taken: boolean }>('select core.take_job_place($1, $2, $3, $4) as taken', [
    job.id,
    limit.key,
    limit.max,
    worker,
  ])
  return rows[0]?.taken === true
}

/** Lets the next job of the key go. To be called before the job itself is settled, with the id it was fetched with. */
export async function leavePlace(
  { query }: Pick<JobHelpers, 'query'>,
  jobId: string,
  limit: JobLimit,
  worker: string,
): Promise<void> {
  await query('select core.leave_job_place($1, $2, $3)', [jobId, limit.key, worker])
}

/** One look goes through so many keys with a line. */
const KEYS_MAX = 500

/**
 * Finds jobs that wait although there is a place for them, e.g. after a worker's death.
 * @returns where the next look continues
 */
export async function admitJobs(database: Database, afterKey: string): Promise<string> {
  const [row] = await database.system(
    tx => tx<{ last: string | null }[]>`select core.admit_jobs(${afterKey}, ${KEYS_MAX}) as last`,
  )
  return row?.last ?? ''
}
