/** The number of signals for a memory, for one query or without one. */
export interface SignalCounts {
  readonly positive: number
  readonly negative: number
  readonly neutral: number
}

/** The signals of one memory for one query. */
export interface QuerySignals extends SignalCounts {
  readonly memoryId: string
  /** The cosine of that query and the current one; 1 for the same query. */
  readonly similarity: number
}

/** From this cosine on two queries count as the same question in other words: rewordings lie between 0.86 and 0.97. */
export const SIMILAR_FROM = 0.8
/** A query at the lower bound of similarity counts this fraction of a signal. */
const SIMILAR_SHARE = 0.25
/** The shrinkage constant: a single signal yields a value of one half. */
const DOUBT = 1
/** Signals without a query need more agreement and are capped. */
const GENERAL_DOUBT = 4
const GENERAL_SHARE = 0.2
/** A neutral signal counts a little against both sides. */
const NEUTRAL_WEIGHT = 0.5

/**
 * Scores each memory from −1 to 1 by the signals for this query and similar ones: the surplus of helpful signals, shrunk towards 0 like a
 * mean under a prior of {@link DOUBT} undecided signals. Similar queries count as fractions of a signal.
 */
export function signalsOf(rows: readonly QuerySignals[]): Map<string, number> {
  const pooled = new Map<string, { positive: number; negative: number; neutral: number }>()
  for (const { memoryId, similarity, positive, negative, neutral } of rows) {
    const weight = weightOf(similarity)
    const counts = pooled.get(memoryId) ?? { positive: 0, negative: 0, neutral: 0 }
    counts.positive += weight * positive
    counts.negative += weight * negative
    counts.neutral += weight * neutral
    pooled.set(memoryId, counts)
  }
  return new Map([...pooled].map(([memoryId, counts]) => [memoryId, shrunk(counts, DOUBT)]))
}

/** Adds the signals without a query; the stronger the query's own signals, the less they count. */
export function withGeneral(signal: number, general: SignalCounts): number {
  return signal + GENERAL_SHARE * shrunk(general, GENERAL_DOUBT) * (1 - Math.abs(signal))
}

/** Rises linearly from {@link SIMILAR_SHARE} at {@link SIMILAR_FROM} to 1, and is 0 below. */
export function weightOf(similarity: number): number {
  if (similarity < SIMILAR_FROM) return 0
  const closeness = Math.min(1, (similarity - SIMILAR_FROM) / (1 - SIMILAR_FROM))
  return SIMILAR_SHARE + (1 - SIMILAR_SHARE) * closeness
}

function shrunk({ positive, negative, neutral }: SignalCounts, doubt: number): number {
  return (positive - negative) / (positive + negative + NEUTRAL_WEIGHT * neutral + doubt)
}
