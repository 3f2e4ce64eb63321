import type { Static, TObject } from '@sinclair/typebox'
import type { Logger } from '../../log.ts'
import type { UsageMeter } from '../../usage.ts'

export { LanguageModelOutputError, LanguageModelUnavailableError } from './language-errors.ts'

/**
 * The name that tokens are counted under: `query` for what widens or answers a query, `enrichment` for facts drawn from texts, `writing`
 * for prose made of them.
 */
export type LanguageOperation = 'query' | 'enrichment' | 'writing'

/** Somebody waits for what is `interactive`: it goes first, and a slow `background` never takes its place. */
export type LanguagePriority = 'interactive' | 'background'

export interface GenerateRequest<T extends TObject> {
  readonly operation: LanguageOperation
  /** Whose tokens they are. */
  readonly workspaceId: string
  /** The task. The same for every call of a kind, so that the provider can keep it in its cache. */
  readonly system: string
  /** What is worked on, in part the words of strangers. The model is told that it is data. */
  readonly input: string
  /**
   * The shape of the completion. Descriptions in it are read by the model. No transforms, dates or other types that JSON lacks.
   * Fields of the completion that the schema does not name are dropped.
   */
  readonly schema: T
  /** Tokens that the completion may take, at most {@link OUTPUT_TOKENS_MAX}. A longer one is cut off and refused. */
  readonly maxTokens: number
  /** `background` when left out. */
  readonly priority?: LanguagePriority
  /**
   * For everything together: the wait for a turn, tries and pauses between them. Default {@link TIMEOUT_MS}. A provider that
   * says "come back later than that" is not waited for.
   */
  readonly timeoutMs?: number
  /** Ends the call with the signal's reason. */
  readonly signal?: AbortSignal
}

export interface Generated<T> {
  /** Fits the schema. It is still a model's word: check it against the texts, and let it add, never delete. */
  readonly value: T
  /** Of all tries together. */
  readonly usage: TokenUsage
}

export interface TokenUsage {
  /** Tokens read, those of the cache included. */
  readonly inputTokens: number
  /** Of these, read from the provider's cache at a lower price. */
  readonly cachedTokens: number
  readonly outputTokens: number
}

/** Writes structured completions. Every caller has a local way beside it, for there may be no model, or it may be away. */
export interface LanguageModel {
  /** As `claude/claude-haiku-5-5`, or `none`. */
  readonly modelId: string
  /**
   * False when a call would be refused at once: none is configured, it was found to be away a moment ago, or it is closed.
   * Costs nothing.
   */
  available(priority?: LanguagePriority): boolean
  /**
   * Asks for one completion and counts its tokens for the workspace, those of a useless completion as well.
   * @throws LanguageModelUnavailableError it cannot serve now; take the local way, and perhaps come back
   * @throws LanguageModelOutputError this input got no usable completion; a smaller one may (see `inHalves`)
   */
  generate<T extends TObject>(request: GenerateRequest<T>): Promise<Generated<Static<T>>>
}

/** A language model as whoever opened it has it; others are lent the rest. */
export interface OpenLanguageModel extends LanguageModel {
  /** Ends what is under way and refuses what comes. */
  close(): Promise<void>
}

/** What every adapter is given. */
export interface LanguageModelParts {
  readonly usage: UsageMeter
  /** Told when the model goes away and comes back, and what an operator has to mend. Never a text or a key. */
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
}

/** Beyond it a completion takes minutes, and a lost connection loses it all; ask in smaller batches. */
export const OUTPUT_TOKENS_MAX = 16_000

export const TIMEOUT_MS = 180_000
