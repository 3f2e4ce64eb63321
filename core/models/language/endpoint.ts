import type { TObject } from '@sinclair/typebox'
import type { OutputFault, TokenUsage } from './language-model.ts'

/** One request takes no longer, from sending to the last byte of the completion. */
export const REQUEST_TIMEOUT_MS = 120_000
export const COMPLETION_BYTES_MAX = 4_000_000

/** The input of one completion. */
export interface Question {
  readonly system: string
  readonly input: string
  readonly schema: TObject
  readonly maxTokens: number
  /** Set on a second try, so that the model can mend its first completion. */
  readonly repair?: Repair | undefined
}

export interface Repair {
  /** The beginning of the completion that could not be used; empty when there was nothing to show. */
  readonly said: string
  /** Tells the model what does not fit. */
  readonly fault: string
}

/** The result of a request that the model completed, before it is held against the schema. */
export type Reading =
  | { readonly kind: 'completion'; readonly value: unknown; readonly said: string; readonly usage: TokenUsage }
  | {
      readonly kind: 'useless'
      readonly reason: OutputFault
      readonly message: string
      readonly said: string
      readonly usage: TokenUsage
    }

/** The outcome of one request. No message holds a text, a key or anything that the endpoint said in words. */
export type Outcome =
  | Reading
  | Transient
  /** The endpoint does not take this input, or this way to ask. */
  | { readonly kind: 'rejected'; readonly message: string }
  /** The key, the model's name or the bill is at fault: nothing changes until an operator does something. */
  | { readonly kind: 'misconfigured'; readonly message: string }

/**
 * Worth another try: 408, 409, 425, 429, 5xx, no connection, no response in time, a completion that makes no sense.
 */
export interface Transient {
  readonly kind: 'transient'
  readonly message: string
  readonly retryAfterMs: number | undefined
  /** The endpoint broke on the request itself, so asking in another way may help. */
  readonly mayBeWay?: boolean
  /** There was no connection to send anything on. */
  readonly isAway?: boolean
}

/** Sends one request to a provider and reads its response. Tries, turns and limits are the caller's. */
export interface LanguageEndpoint {
  /** Some request succeeded in the way of asking that is known. */
  readonly proven: boolean
  send(question: Question, signal: AbortSignal): Promise<Outcome>
  /** The known way of asking is refused for any input: the next request finds out anew which one is taken. */
  forgetWay(): void
}

export function transient(message: string, retryAfterMs?: number): Transient {
  return { kind: 'transient', message, retryAfterMs }
}

/** Half of a surrogate pair is no valid JSON text, and servers refuse an empty message. */
export function messageText(text: string): string {
  return text.toWellFormed().trim() || '(empty)'
}

/** Providers count tokens as they like; anything but a positive whole number counts as none. */
export function tokenCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}
