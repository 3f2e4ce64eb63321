import type { EndedMemories } from '../contract.ts'

/**
 * A memory that tells only what holds no more keeps this share of its evidence: "I live in Berlin" after "I moved to Porto". It is often the better
 * match, and is still found.
 */
const ENDED = 0.5

export function validityFactor(memoryId: string, ended: EndedMemories): number {
  return ended.has(memoryId) ? ENDED : 1
}

/** A memory that told what held before, and its weighted evidence. */
export interface Replaced {
  readonly memoryId: string
  readonly evidence: number
}

/**
 * Finds for memories that tell what holds now the one whose place they took, that with the most evidence: it answers the query, and they answer it
 * as of now, often in other words.
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
