import { Type } from '@sinclair/typebox'
import type { Signal } from './signal.ts'

/** The feedback on a memory for this query and similar ones, from −1 to 1. */
export const feedback: Signal = {
  id: 'feedback',
  weight: 1,
  keyword: 1,
  neutral: 0,
  of:
    ({ feedback: given }) =>
    ({ memoryId }) =>
      given?.get(memoryId) ?? 0,
  explain: Type.Number({ minimum: -1, maximum: 1, description: 'The feedback on it for this query.' }),
}

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
