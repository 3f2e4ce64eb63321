import { fail } from 'mneme/plugin'

/**
 * Bounds what the files of a workspace take of the database's disk. Requests at once may each see room for one more, so it is exceeded by
 * as many as run at once at the most.
 */
export const IMPORTS_WAITING_MAX = 10
export const EXPORTS_KEPT_MAX = 200
/** Files of so many GB together leave no room for a further one, whatever its size will be. */
export const EXPORT_GB_KEPT_MAX = 20
export const EXPORT_BYTES_KEPT_MAX = EXPORT_GB_KEPT_MAX * 1024 ** 3

const IMPORTS_RETRY_AFTER_SECONDS = 60
/** Where all are still being written, nobody knows when the first expires. */
const EXPORTS_RETRY_AFTER_SECONDS = 3600

export function tooManyImports() {
  return fail('RATE_LIMITED', {
    message: `A workspace has at most ${IMPORTS_WAITING_MAX} imports that have not ended; send the file again when one has.`,
    retryAfterSeconds: IMPORTS_RETRY_AFTER_SECONDS,
  })
}

/** @param nextExpirySeconds until the file expires that does so first */
export function tooManyExports(nextExpirySeconds = EXPORTS_RETRY_AFTER_SECONDS) {
  return fail('RATE_LIMITED', {
    message: `A workspace has at most ${EXPORTS_KEPT_MAX} exports that are not expired, and makes no more while they have ${EXPORT_GB_KEPT_MAX} GB together; delete one of these, or wait until the oldest expires.`,
    retryAfterSeconds: Math.max(1, nextExpirySeconds),
  })
}
