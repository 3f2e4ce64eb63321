import { Type } from '@sinclair/typebox'
import type { EndedMemories } from '../contract.ts'
import type { Signal } from './signal.ts'

export const validity: Signal = {
  id: 'validity',
  weight: 1,
  neutral: 1,
  of:
    ({ ended }) =>
    ({ memoryId }) =>
      ended?.has(memoryId) ? ENDED : 1,
  explain: Type.Number({ description: 'Below 1 when it tells only what holds no more.' }),
}

/**
 * A memory that tells only what is no longer true keeps this share of its evidence, such as "I live in Berlin" after "I moved to Porto". It
 * often matches the query better than what replaced it, and must still be found.
 */
const ENDED = 0.5

/** A memory that is no longer true, with its weighted evidence. */
export interface Replaced {
  readonly memoryId: string
  readonly evidence: number
}

/**
 * Finds for each memory that replaces others the replaced one with the most evidence. Where that one answers the query, the memory that
 * replaces it gives today's answer, often in other words, and so should not have less evidence.
 *
 * @param evidence the weighted evidence of each candidate by itself
 */
export function replacedBy(ended: EndedMemories, evidence: ReadonlyMap<string, number>): ReadonlyMap<string, Replaced> {
  const replaced = new Map<string, Replaced>()
  for (const [memoryId, instead] of ended) {
    const own = { memoryId, evidence: evidence.get(memoryId) ?? 0 }
    for (const one of instead) if ((replaced.get(one)?.evidence ?? -1) < own.evidence) replaced.set(one, own)
  }
  return replaced
}
