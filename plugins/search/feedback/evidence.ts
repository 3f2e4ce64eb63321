/** How often a memory was called helpful, not helpful, or neither, for one query or in general. */
export interface SignalCounts {
  readonly positive: number
  readonly negative: number
  readonly neutral: number
}

/** Counts of one memory for one query. */
export interface QuerySignals extends SignalCounts {
  readonly memoryId: string
  /** Cosine of that query and the one that is asked; 1 for the same. */
  readonly similarity: number
}

/** Cosine from which on two queries are taken for the same question in other words: rewordings lie between 0.86 and 0.97. */
export const SIMILAR_FROM = 0.8
/** What a query that is only just similar counts against the same one. */
const SIMILAR_SHARE = 0.25
/** Signals that it takes to be half sure: a single one gives a signal of one half. */
const DOUBT = 1
/** Signals that named no query need more agreement, and never say more than this. */
const GENERAL_DOUBT = 4
const GENERAL_SHARE = 0.2
/** Someone who had no opinion says a little against either. */
const NEUTRAL_WEIGHT = 0.5

/**
 * What the signals for this query and similar ones say of each memory, from −1 to 1: the surplus of helpful ones, shrunk towards
 * 0 as a mean is under a prior of {@link DOUBT} undecided signals. Similar queries count as fractions of a signal.
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

/** Adds what signals without a query say of a memory; the surer the others are, the less it counts. */
export function withGeneral(signal: number, general: SignalCounts): number {
  return signal + GENERAL_SHARE * shrunk(general, GENERAL_DOUBT) * (1 - Math.abs(signal))
}

/** 0 below {@link SIMILAR_FROM}, then from {@link SIMILAR_SHARE} up to 1 in a straight line. */
export function weightOf(similarity: number): number {
  if (similarity < SIMILAR_FROM) return 0
  const closeness = Math.min(1, (similarity - SIMILAR_FROM) / (1 - SIMILAR_FROM))
  return SIMILAR_SHARE + (1 - SIMILAR_SHARE) * closeness
}

function shrunk({ positive, negative, neutral }: SignalCounts, doubt: number): number {
  return (positive - negative) / (positive + negative + NEUTRAL_WEIGHT * neutral + doubt)
}
