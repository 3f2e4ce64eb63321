import type { Static, TObject } from '@sinclair/typebox'
import type { Logger } from '../../log.ts'
import type { UsageMeter } from '../../usage/usage.ts'

/**
 * Tokens are counted under this name: `query` for what widens or answers a query, `enrichment` for facts drawn from
 * texts, `writing` for prose made of them.
 */
export type LanguageOperation = 'query' | 'enrichment' | 'writing'

/** Somebody waits for an `interactive` call: it goes first, and a slow `background` one never takes its place. */
export type LanguagePriority = 'interactive' | 'background'

export interface GenerateRequest<T extends TObject> {
  readonly operation: LanguageOperation
  /** The tokens count for this workspace. */
  readonly workspaceId: string
  /** States the task. Keep it the same for every call of a kind, so that the provider can cache it. */
  readonly system: string
  /** Holds the texts to work on, in part the words of strangers. The model is told that they are data. */
  readonly input: string
  /**
   * Describes the completion. The model reads its descriptions. No transforms, dates or other types that JSON lacks.
   * Fields of the completion that the schema does not name are dropped.
   */
  readonly schema: T
  /** Bounds the completion's tokens, at most {@link OUTPUT_TOKENS_MAX}. A longer one is cut off and refused. */
  readonly maxTokens: number
  /** `background` when left out. */
  readonly priority?: LanguagePriority
  /**
   * Bounds everything together: the wait for a turn, tries and pauses between them. Default {@link TIMEOUT_MS}. A
   * provider that says "come back later than that" is not waited for.
   */
  readonly timeoutMs?: number
  /** Ends the call with the signal's reason. */
  readonly signal?: AbortSignal
}

export interface Generated<T> {
  /** Fits the schema. It is still a model's word: check it against the texts, and let it add, never delete. */
  readonly value: T
  /** Counts the tokens of all tries together. */
  readonly usage: TokenUsage
}

export interface TokenUsage {
  /** The model read so many tokens, those of the cache included. */
  readonly inputTokens: number
  /** So many of these were read from the provider's cache at a lower price. */
  readonly cachedTokens: number
  readonly outputTokens: number
}

/** Writes structured completions. Every caller has a local way beside it, for there may be no model, or it may be away. */
export interface LanguageModel {
  /** e.g. `claude/claude-haiku-5-5`, or `none`. */
  readonly modelId: string
  /**
   * False when a call would be refused at once: none is configured, it was found to be away a moment ago, or it is
   * closed. Reading it costs nothing.
   */
  available(priority?: LanguagePriority): boolean
  /**
   * Asks for one completion and counts its tokens for the workspace, those of a useless completion as well.
   * @throws LanguageModelUnavailableError it cannot serve now; take the local way, and perhaps come back
   * @throws LanguageModelOutputError this input got no usable completion; a smaller one may (see `inHalves`)
   */
  generate<T extends TObject>(request: GenerateRequest<T>): Promise<Generated<Static<T>>>
}

/** The message says why calls fail, in words that follow the model's name; `at` is when the latest one did. */
export interface Outage {
  readonly message: string
  readonly at: Date
}

/** Adds `outage` and `close`, which only the opener of a language model gets; others are lent the rest. */
export interface OpenLanguageModel extends LanguageModel {
  /** The latest failure of a model that counts as away until a call succeeds; undefined of one that does not. */
  outage(): Outage | undefined
  /** Ends calls under way and refuses new ones. */
  close(): Promise<void>
}

/** Every adapter is given this. */
export interface LanguageModelParts {
  readonly usage: Pick<UsageMeter, 'tokens'>
  /**
   * Reports that the model goes away and comes back, and what an operator has to mend. It never gets a text or a key.
   */
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
}

/** Beyond it a completion takes minutes, and a lost connection loses it all; ask in smaller batches. */
export const OUTPUT_TOKENS_MAX = 16_000

export const TIMEOUT_MS = 180_000

/**
 * The model cannot serve now: there is none, it is away, overloaded or closed, or it refuses our key. The same call may
 * succeed later. The message never holds a text or a key.
 */
export class LanguageModelUnavailableError extends Error {
  override readonly name = 'LanguageModelUnavailableError'
  /** The time to wait before the next try; undefined when that is not known or waiting does not help. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: { readonly retryAfterMs?: number | undefined } = {}) {
    super(message)
    this.retryAfterMs = options.retryAfterMs
  }
}

/**
 * The reason why a completion cannot be used:
 * - `malformed`: it does not fit the schema, after a second try too
 * - `refused`: the model declines to work on this text
 * - `truncated`: it did not end within its tokens
 * - `rejected`: the input is too long, or the endpoint does not take it
 */
export type OutputFault = 'malformed' | 'refused' | 'truncated' | 'rejected'

/**
 * The model serves, but this input got no usable completion: the same call would hardly fare better. The error holds no
 * text of it.
 */
export class LanguageModelOutputError extends Error {
  override readonly name = 'LanguageModelOutputError'
  readonly reason: OutputFault
  /** All tries took so many tokens together. */
  readonly tokens: number

  constructor(reason: OutputFault, message: string, tokens = 0) {
    super(message)
    this.reason = reason
    this.tokens = tokens
  }
}

/** Stands where no model is configured: callers go the local way at once. */
export const noLanguageModel: OpenLanguageModel = {
  modelId: 'none',
  available: () => false,
  generate: () => Promise.reject(new LanguageModelUnavailableError('no language model is configured')),
  outage: () => undefined,
  close: () => Promise.resolve(),
}
