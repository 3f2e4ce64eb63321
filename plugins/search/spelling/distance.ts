/**
 * Counts how many letters must be added, omitted, changed or swapped with their neighbour to turn one word into the other: the
 * Damerau-Levenshtein distance in its restricted form, in which no letter is edited twice (optimal string alignment).
 *
 * @param max the largest distance of interest
 * @returns the distance, or `max + 1` for any greater one
 * @see Damerau, "A technique for computer detection and correction of spelling errors", 1964
 */
export function editDistance(a: string, b: string, max: number): number {
  const [from, to] = withoutSharedEnds(lettersOf(a), lettersOf(b))
  if (Math.abs(from.length - to.length) > max) return max + 1
  const far = max + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, j) => Math.min(j, far))
  let lastBest = 0
  for (let i = 1; i <= from.length; i++) {
    const row = new Array<number>(to.length + 1).fill(far)
    row[0] = Math.min(i, far)
    let best = row[0]
    // Beyond this band more letters were added or omitted than the maximum.
    for (let j = Math.max(1, i - max); j <= Math.min(to.length, i + max); j++) {
      const changed = (last[j - 1] ?? far) + (from[i - 1] === to[j - 1] ? 0 : 1)
      let least = Math.min(changed, (last[j] ?? far) + 1, (row[j - 1] ?? far) + 1, far)
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (swapped) least = Math.min(least, (beforeLast[j - 2] ?? far) + 1)
      row[j] = least
      best = Math.min(best, least)
    }
    if (best > max && lastBest > max) return far
    beforeLast = last
    last = row
    lastBest = best
  }
  return Math.min(last[to.length] ?? 0, far)
}

type Letters = string | readonly string[]

/** A string serves as its own list of letters unless some take two of its units. */
function lettersOf(word: string): Letters {
  return /[\ud800-\udfff]/.test(word) ? Array.from(word) : word
}

/** Thousands of words are compared with one that shares most of its beginning with them, and equal ends need no edit. */
function withoutSharedEnds(a: Letters, b: Letters): [Letters, Letters] {
  const least = Math.min(a.length, b.length)
  let start = 0
  while (start < least && a[start] === b[start]) start++
  let end = 0
  while (end < least - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)]
}

/** Shorter words would not be recognisable after one error, or two. */
const ONE_ERROR_FROM = 4
const TWO_ERRORS_FROM = 8

/** Returns the number of errors tolerated in a word of this length. */
export function errorsTolerated(word: string): number {
  const { length } = Array.from(word)
  if (length < ONE_ERROR_FROM) return 0
  return length < TWO_ERRORS_FROM ? 1 : 2
}
