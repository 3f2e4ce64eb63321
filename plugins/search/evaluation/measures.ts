/** What one ranking is worth, measured against what is known to answer its question. */
export interface Measures {
  /** Share of what is expected among the first 5, 10 and 20 results. */
  readonly recall5: number
  readonly recall10: number
  readonly recall20: number
  /** 1 when anything expected is among the first 10 results, else 0. */
  readonly hit10: number
  /** 1 / rank of the first expected result; 0 when there is none. */
  readonly reciprocalRank: number
}

/** How many results are looked at. */
export const DEPTH = 20

/** @param ranks for everything expected its place among the results, from 1; null for what is not there */
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

/** Ranks of the expected ids in a list of found ones, for {@link measure}. */
export function ranksOf(found: readonly unknown[], expected: readonly string[]): (number | null)[] {
  return [...new Set(expected)].map(id => {
    const place = found.indexOf(id)
    return place < 0 ? null : place + 1
  })
}

/** Every question weighs alike. */
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

/** The value below which a share of all values lies; 0 when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
