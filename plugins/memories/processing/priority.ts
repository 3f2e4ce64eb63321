import { BATCH_MAX } from './pass-size.ts'

/**
 * Ranks a memory's job in the queue; 0 runs first. Long texts occupy the models for long and a batch brings many at once, so both yield to
 * ordinary memories of other users. Jobs of one class run in the order they were queued. `memories:requeue` brings long-waiting jobs
 * forward, so none waits for ever.
 *
 * @param place the memory's position among those stored together, from 0
 */
export function priorityClass(text: string, place = 0): number {
  return Math.min(CLASS_MAX, lengthClass(text.length) + (place < BATCH_MAX ? 0 : 1))
}

/** Each class holds texts four times as long as the one before. */
export function lengthClass(characters: number): number {
  if (characters <= ORDINARY_MAX) return 0
  return Math.min(CLASS_MAX, Math.ceil(Math.log(characters / ORDINARY_MAX) / Math.log(4)))
}

/** A text of this length fills one or two windows of a model. */
const ORDINARY_MAX = 2000
const CLASS_MAX = 3
