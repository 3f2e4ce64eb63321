import { defineExtensionPoint, type Tenant, type Tx } from 'mneme/plugin'

/** A feedback signal for the plugin that learns from it, delivered inside the transaction that stores it. */
export interface FeedbackSignal {
  readonly workspaceId: string
  readonly memoryId: string
  readonly signal: 'POSITIVE' | 'NEGATIVE' | 'NEUTRAL'
  readonly queryHash: string | null
}
/**
 * `prepare` runs before that transaction opens (models, look-ups); its result is passed to `received`. A `prepare` that throws fails the
 * request and loses the signal, so it should throw only when the signal cannot be recorded without its result.
 */
export interface FeedbackListener<T = unknown> {
  readonly id: string
  prepare?(tenant: Tenant, signal: FeedbackSignal): Promise<T>
  /** `prepared` is undefined if the listener has no `prepare`. */
  received(tx: Tx, signal: FeedbackSignal, prepared: T | undefined): Promise<void>
}
export const memoryFeedback = defineExtensionPoint<FeedbackListener>('memories.feedback', {
  members: { id: 'string', received: 'function' },
})
