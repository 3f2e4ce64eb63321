/** The quality of one ranking, measured against the known answers to its question. */
export interface Measures {
  /** The share of expected results among the first 5, 10 and 20. */
  readonly recall5: number
  readonly recall10: number
  readonly recall20: number
  /** 1 when any expected result is among the first 10, else 0. */
  readonly hit10: number
  /** 1 / rank of the first expected result; 0 when there is none. */
  readonly reciprocalRank: number
}

/** This many results are evaluated. */
export const DEPTH = 20

/** @param ranks the place of every expected result, from 1; null for a missing one */
export function measure(ranks: readonly (number | null)[]): Measures {
  const found = ranks.filter(rank => rank !== null)
  const recall = (depth: number) => found.filter(rank => rank <= depth).length / Math.max(1, ranks.length)
  const first = Math.min(...found)
  return {
    recall5: recall(5),
    recall10: recall(10),
    recall20: recall(DEPTH),
    hit10: first <= 10 ? 1 : 0,
    reciprocalRank: 1 / first,
  }
}

/** Returns the ranks of expected ids in a list of found ones, for {@link measure}. */
export function ranksOf(found: readonly unknown[], expected: readonly string[]): (number | null)[] {
  return [...new Set(expected)].map(id => {
    const place = found.indexOf(id)
    return place < 0 ? null : place + 1
  })
}

/** Averages over questions with equal weights. */
export function mean(all: readonly Measures[]): Measures {
  const average = (of: (one: Measures) => number) =>
    all.reduce((sum, one) => sum + of(one), 0) / Math.max(1, all.length)
  return {
    recall5: average(one => one.recall5),
    recall10: average(one => one.recall10),
    recall20: average(one => one.recall20),
    hit10: average(one => one.hit10),
    reciprocalRank: average(one => one.reciprocalRank),
  }
}

/** Returns the value below which a share of all values lies; 0 for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
