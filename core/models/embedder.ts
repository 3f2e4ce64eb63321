export { EmbedderInputError, EmbedderUnavailableError } from './embedder-errors.ts'

/** Which model made a vector. Two vectors may be compared only when both fields are equal. */
export interface EmbedderInfo {
  /** Stored with each vector, e.g. `local/all-MiniLM-L6-v2-int8` or `http/<model>`. */
  readonly modelId: string
  /** Length of every vector. */
  readonly dimensions: number
}

export interface Embedding {
  /**
   * Of length 1 (L2 norm), all finite. The caller owns it. Null when the model knows nothing of what the text is written in:
   * all such texts would have one vector, and seem to mean the same.
   */
  readonly vector: Float32Array | null
  /** Tokens that the model read for this text; 0 when the vector came from the query cache, or there is none. */
  readonly tokens: number
}

/**
 * A `query` is waited for by a person or an agent, so it goes before any queued `document`. What is `background` goes when
 * neither waits.
 */
export type EmbedPriority = 'query' | 'document' | 'background'

export interface EmbedOptions {
  /** `document` when left out. */
  readonly priority?: EmbedPriority
  /**
   * The workspace that asks. The vectors of its queries are kept for it alone, so that no workspace can tell by the time of an
   * answer what another has searched for; without it nothing is kept.
   */
  readonly workspaceId?: string
  /** Takes the call's texts out of the queue; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Turns texts into vectors whose inner product is their likeness in meaning (cosine). Any string is a valid text. */
export interface Embedder extends EmbedderInfo {
  /**
   * Embeds the texts and answers in their order. All of them or none: the first failure rejects the call.
   * @throws EmbedderUnavailableError transient, try again later (perhaps after its `retryAfterMs`)
   * @throws EmbedderInputError one text can never be embedded
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embedding[]>
  /**
   * Resolves when the model can serve.
   * @throws EmbedderUnavailableError when several tries to get there have failed, or after `close`
   */
  ready(): Promise<void>
}

/** An embedder as whoever opened it has it; others are lent the rest. */
export interface OpenEmbedder extends Embedder {
  /** Refuses new and queued texts at once, waits (bounded) for those the model is at work on, and frees it. */
  close(): Promise<void>
}

/** Settings that every adapter takes. */
export interface CommonEmbedderSettings {
  /** Texts that may wait at once; a call that would exceed it is refused as unavailable. Default 20,000. */
  readonly queueTextsMax?: number
  /** Query texts whose vectors are kept, least recently used out first; 0 turns the cache off. Default 2,000. */
  readonly queryCacheMax?: number
  /** Told in a sentence about what an operator should know: a slower engine, a model that had to be started again. */
  readonly warn?: (message: string) => void
}
