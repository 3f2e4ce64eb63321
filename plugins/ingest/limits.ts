import { fail, MB } from 'mneme/plugin'

/**
 * Bound what the documents of a workspace that are not memories yet take of the database's disk. Requests at once may each see room for one
 * more, so these are exceeded by as many as run at once at the most.
 */
export const JOBS_WAITING_MAX = 2_000
export const BYTES_WAITING_MAX = 1024 * MB

const RETRY_AFTER_SECONDS = 30

/** The jobs of a workspace that have not ended, and the bytes of their files. */
export interface WaitingJobs {
  readonly jobs: number
  readonly bytes: number
}

/** @throws RATE_LIMITED where a workspace has too much under way for another document */
export function requireRoomFor(bytes: number, waiting: WaitingJobs): void {
  const hasRoom = waiting.jobs < JOBS_WAITING_MAX && waiting.bytes + bytes <= BYTES_WAITING_MAX
  if (hasRoom) return
  throw fail('RATE_LIMITED', {
    message: `A workspace has at most ${JOBS_WAITING_MAX} documents, and ${BYTES_WAITING_MAX / 1024 ** 3} GB of them, under way; send the next when some have ended.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
