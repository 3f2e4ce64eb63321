import { fail } from 'mneme/plugin'

/**
 * Bounds what the files of a workspace take of the database's disk. Requests at once may each see room for one more, so it is exceeded by
 * as many as run at once at the most.
 */
export const IMPORTS_WAITING_MAX = 10
export const EXPORTS_KEPT_MAX = 200

const IMPORTS_RETRY_AFTER_SECONDS = 60
const EXPORTS_RETRY_AFTER_SECONDS = 3600

export function tooManyImports() {
  return fail('RATE_LIMITED', {
    message: `A workspace has at most ${IMPORTS_WAITING_MAX} imports that have not ended; send the file again when one has.`,
    retryAfterSeconds: IMPORTS_RETRY_AFTER_SECONDS,
  })
}

export function tooManyExports() {
  return fail('RATE_LIMITED', {
    message: `A workspace has at most ${EXPORTS_KEPT_MAX} exports that are not expired; download one of these, or wait until the oldest expires.`,
    retryAfterSeconds: EXPORTS_RETRY_AFTER_SECONDS,
  })
}
