/** Measures of one ranking against what is known to answer its question. */
export interface Measures {
  /** Share of the evidence among the first 5, 10 and 20 results. */
  readonly recall5: number
  readonly recall10: number
  readonly recall20: number
  /** 1 / rank of the first piece of evidence; 0 when none is there. */
  readonly reciprocalRank: number
}

export function measure(found: readonly unknown[], evidence: readonly string[]): Measures {
  const wanted = new Set<unknown>(evidence)
  const recall = (depth: number) => found.slice(0, depth).filter(id => wanted.has(id)).length / Math.max(1, wanted.size)
  const first = found.findIndex(id => wanted.has(id))
  return {
    recall5: recall(5),
    recall10: recall(10),
    recall20: recall(20),
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
  }
}

export function mean(all: readonly Measures[]): Measures {
  const average = (of: (one: Measures) => number) =>
    all.reduce((sum, one) => sum + of(one), 0) / Math.max(1, all.length)
  return {
    recall5: average(one => one.recall5),
    recall10: average(one => one.recall10),
    recall20: average(one => one.recall20),
    reciprocalRank: average(one => one.reciprocalRank),
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
