import { fitting } from '../fitting.ts'
import type { ProcessingJob } from '../scope.ts'

/** A pass joins at most this many memories. */
export const BATCH_MAX = 32
/**
 * A pass takes texts of this many characters in total; a longer text goes alone. A local model needs about half a second for them. Every
 * job of a pass occupies a worker slot until the pass ends, so long passes would delay other memories.
 */
export const PASS_CHARACTERS_MAX = 16_000

/** A memory costs something however short its text is. */
const AMOUNT_MIN = PASS_CHARACTERS_MAX / BATCH_MAX

/** Returns how much of a pass a memory takes, in characters. */
export function amountOf({ characters = 0 }: Pick<ProcessingJob, 'characters'>): number {
  return Math.max(AMOUNT_MIN, characters)
}

/**
 * Counts how many of the memories that wait the next pass takes: one at least.
 *
 * @param most the characters of a pass, where they are to be fewer
 */
export function passSize(waiting: readonly Pick<ProcessingJob, 'characters'>[], most = PASS_CHARACTERS_MAX): number {
  return Math.min(BATCH_MAX, fitting(waiting, most, amountOf))
}
