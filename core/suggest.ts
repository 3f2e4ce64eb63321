/**
 * Finds the known name that is most like a misspelt one; undefined when none is near enough to be meant.
 * @param slipsMax by default one slip in a short name, three in a long one
 */
export function nearest(
  name: string,
  known: readonly string[],
  slipsMax = Math.min(3, Math.max(1, Math.floor(name.length / 3))),
): string | undefined {
  const wanted = name.toLowerCase()
  let best: string | undefined
  let allowed = slipsMax + 1
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance >= allowed) continue
    allowed = distance
    best = candidate
  }
  return best
}

/** Suggests `did you mean …?` where a known name is near, otherwise what else to do. */
export function orDidYouMean(name: string, known: readonly string[], otherwise: string): string {
  const meant = nearest(name, known)
  return meant === undefined ? otherwise : `did you mean ${meant}?`
}

/**
 * Counts insertions, deletions, substitutions and swaps of neighbours that lead from one word to the other (optimal
 * string alignment).
 */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    before = previous
    previous = row
  }
  return previous[b.length] ?? 0
}

/** Describes a value, without showing more of it than helps. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value.length <= 40 ? `'${value}'` : `'${value.slice(0, 40)}…'`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (value instanceof Promise) return 'a promise'
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.keys(value).length === 0 ? 'an empty object' : 'an object'
}
