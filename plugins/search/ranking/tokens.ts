import { Type } from '@sinclair/typebox'
import type { Signal } from './signal.ts'

/** Among fewer texts the mean says little of what is usual, and the signal counts accordingly less. */
const ENOUGH = 20

/**
 * The likeness of single words in their place (late interaction), above the mean of the best candidates. The others were not compared, and count as
 * the least of those; a text whose tokens are not known counts as their mean.
 */
export const tokens: Signal = {
  id: 'tokens',
  weight: 1,
  neutral: 0,
  of({ likenesses }) {
    const known = [...(likenesses?.values() ?? [])].filter(likeness => likeness !== null)
    if (known.length === 0) return () => 0
    const mean = known.reduce((sum, likeness) => sum + likeness, 0) / known.length
    const least = Math.min(...known)
    const share = Math.min(1, known.length / ENOUGH)
    return ({ memoryId }) => {
      const likeness = likenesses?.get(memoryId)
      return likeness === null ? 0 : share * ((likeness ?? least) - mean)
    }
  },
  explain: Type.Number({
    description: 'How near its single words are to those of the query, above the mean of the best candidates.',
  }),
}
