import { BATCH_MAX } from './batches.ts'

/**
 * How late a memory's job is in the queue, from 0: long texts take the models long, and a batch brings many at once, so both
 * let other people's ordinary memories go first. Jobs of one class come in the order in which they were queued. What waits
 * for long is brought forward by `memories:requeue`, so nothing waits for ever behind those who come later.
 *
 * @param place the memory's place among those that were stored with it, from 0
 */
export function classOf(text: string, place = 0): number {
  return Math.min(CLASS_MAX, lengthClass(text.length) + (place < BATCH_MAX ? 0 : 1))
}

/** Each class holds texts four times as long as the one before. */
export function lengthClass(characters: number): number {
  if (characters <= ORDINARY_MAX) return 0
  return Math.min(CLASS_MAX, Math.ceil(Math.log(characters / ORDINARY_MAX) / Math.log(4)))
}

/** A text of one or two windows of a model. */
const ORDINARY_MAX = 2000
const CLASS_MAX = 3
