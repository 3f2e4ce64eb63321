/** A signal moves the evidence of a memory by at most this share. */
const SHARE = 0.6
/** A positive signal also adds this much, because a share of no evidence would be nothing. */
const GIFT = 0.25

/**
 * Applies feedback to evidence. `signal` is the feedback on this memory for this query, from −1 to 1. Positive feedback raises a memory
 * even without other evidence; negative feedback removes most of its evidence but never all, so that it can be found again.
 */
export function withFeedback(evidence: number, signal: number): number {
  return evidence * (1 + SHARE * signal) + GIFT * Math.max(0, signal)
}
