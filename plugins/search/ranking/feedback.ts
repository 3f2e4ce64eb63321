/** How far a signal moves the evidence of a memory that has some, and what it gives to one that has none. */
const SHARE = 0.6
const GIFT = 0.25

/**
 * Evidence after feedback. `signal` is what was said about this memory for this query, from −1 to 1: praise lifts a memory
 * even where nothing else speaks for it, blame takes most of its evidence but never all, so that it can be found again.
 */
export function withFeedback(evidence: number, signal: number): number {
  return evidence * (1 + SHARE * signal) + GIFT * Math.max(0, signal)
}
