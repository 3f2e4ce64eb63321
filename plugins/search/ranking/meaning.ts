import { Type } from '@sinclair/typebox'
import type { Candidate, NearPassage, Passages } from '../engine/engine.ts'
import type { Pool, Signal } from './signal.ts'

/** The cosine of the text, or of its best passage, above that of unrelated texts; 0 without a vector. */
export const meaning: Signal = {
  id: 'meaning',
  weight: 1,
  neutral: 0,
  of({ passages, cosineFloor }) {
    return candidate => {
      const cosine = cosineOf(candidate, passages)
      return cosine === null ? 0 : cosine - cosineFloor
    }
  },
  explain: Type.Number({ description: 'Cosine above that of unrelated texts.' }),
}

/** The best cosine counts at least as this. */
const BEST_COSINE_MIN = 0.2
/** This stands for the best cosine when no candidate has a vector. */
const BEST_COSINE_USUAL = 0.5
/** By chance the cosines of a text's passages spread with this standard deviation, which was chosen on manuals and long chats. */
const PASSAGE_SPREAD = 0.05
const EULER = 0.577_215_664_9

/** Returns the best cosine of the candidates, by which the weight of words is multiplied. */
export function bestCosine({ candidates, passages }: Pick<Pool, 'candidates' | 'passages'>): number {
  const cosines = candidates.flatMap(one => cosineOf(one, passages) ?? [])
  return cosines.length === 0 ? BEST_COSINE_USUAL : Math.max(BEST_COSINE_MIN, ...cosines)
}

/** Returns the cosine of the text as a whole or that of its best passage, whichever is higher; null without a vector. */
export function cosineOf({ memoryId, cosine }: Candidate, passages: Passages | undefined): number | null {
  const passage = passages?.get(memoryId)
  return passage ? Math.max(cosine ?? -1, passageCosine(passage)) : cosine
}

/**
 * Returns the cosine of the best passage, less what the best of that many passages exceeds the mean by chance, so that a text does not win
 * by being long.
 */
export function passageCosine({ cosine, passages }: NearPassage): number {
  return cosine - PASSAGE_SPREAD * expectedMaximum(passages)
}

/** Returns about the mean of the largest of `count` values with a standard normal distribution (Fisher and Tippett 1928). */
function expectedMaximum(count: number): number {
  if (count < 2) return 0
  const root = Math.sqrt(2 * Math.log(count))
  return root - (Math.log(Math.log(count)) + Math.log(4 * Math.PI) - 2 * EULER) / (2 * root)
}
