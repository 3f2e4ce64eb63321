/** Identifies the model that made a vector. Two vectors may be compared only when both fields are equal. */
export interface EmbedderInfo {
  /** Stored with each vector, e.g. `local/all-MiniLM-L6-v2-int8` or `http/<model>`. */
  readonly modelId: string
  /** Length of every vector. */
  readonly dimensions: number
}

/** A part of a long text with a vector of its own. */
export interface EmbeddedPassage {
  /** Where it begins and ends in the text, about, in UTF-16 units; the end is exclusive. */
  readonly start: number
  readonly end: number
  /** Has length 1. */
  readonly vector: Float32Array
}

/** The tokens of a query in their order. Rare ones count more; the vectors follow each other, each of length 1. */
export interface QueryTokens {
  readonly weights: Float32Array
  readonly vectors: Float32Array
}

export interface Embedding {
  /**
   * Has length 1 (L2 norm) and finite values; the caller owns it. Null when the model knows too little of the text's
   * script or words: all such texts would have one vector, and seem to mean the same.
   */
  readonly vector: Float32Array | null
  /** The model read so many tokens of this text; 0 when the vector came from the query cache, or there is none. */
  readonly tokens: number
  /**
   * The passages of a long text in their order, if the call asked for them and the model reads such a text in parts.
   * The vector of the whole text is the same with and without them.
   */
  readonly passages?: readonly EmbeddedPassage[]
  /** The tokens of a `query`; of any other text, or its beginning, their signs, a bit a dimension. Not every model tells them. */
  readonly queryTokens?: QueryTokens
  readonly tokenSigns?: Uint8Array
}

/**
 * A person or an agent waits for a `query`, so it goes before any queued `document`. `background` goes when neither
 * waits, and has a small share of the model while documents do.
 */
export type EmbedPriority = 'query' | 'document' | 'background'

export interface EmbedOptions {
  /** `document` when left out. */
  readonly priority?: EmbedPriority
  /**
   * The workspace on whose behalf it runs. The vectors of its queries are kept for it alone, so that no workspace can
   * tell by the response time what another has searched for; without it nothing is kept.
   */
  readonly workspaceId?: string
  /** Asks for the passages of long texts too, which may take up to five times as long for very long ones. */
  readonly passages?: boolean
  /** Takes the call's texts out of the queue; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Turns texts into vectors whose inner product is their likeness in meaning (cosine). Any string is a valid text. */
export interface Embedder extends EmbedderInfo {
  /**
   * Embeds the texts and returns vectors in their order. It takes all of them or none: the first failure rejects the
   * call.
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

/** Adds `close`, which only the opener of an embedder gets; others are lent the rest. */
export interface OpenEmbedder extends Embedder {
  /** Refuses new and queued texts at once, waits (bounded) for those under way, and frees the model. */
  close(): Promise<void>
}

/** Every adapter takes these settings. */
export interface CommonEmbedderSettings {
  /** So many texts may wait at once; a call that would exceed it is refused as unavailable. Default 20,000. */
  readonly queueTextsMax?: number
  /** So many query vectors are kept, least recently used out first; 0 turns the cache off. Default 2,000. */
  readonly queryCacheMax?: number
  /** Reports in a sentence what an operator should know: a slower engine, a model that had to be started again. */
  readonly warn?: (message: string) => void
}

/**
 * Says where vectors come from in a form that may be stored: without a key, and without an address's query, which may
 * hold one.
 */
export type EmbedderOrigin =
  | { readonly kind: 'local' }
  | {
      readonly kind: 'http'
      readonly url: string
      readonly model: string
      /** Tells whether requests give the endpoint the length of vectors. */
      readonly sendsDimensions: boolean
    }

/** Opens embedders beside the configured one, so that vectors of a former model can still be searched. */
export interface EmbedderSource {
  /** The source of the configured embedder's vectors. */
  readonly configured: EmbedderOrigin
  /**
   * Opens an embedder by its stored source. Nothing is sent to an endpoint yet. The caller closes it.
   * @throws Error when this process cannot have that very model: its machine runs the local one in another form
   */
  open(origin: EmbedderOrigin, known: EmbedderInfo): Promise<OpenEmbedder>
}

/**
 * The embedder cannot serve now: it is starting again, overloaded, closed, or its endpoint is away or refuses us.
 * The same texts can be embedded later. The message never holds a text or a key.
 */
export class EmbedderUnavailableError extends Error {
  override readonly name = 'EmbedderUnavailableError'
  /** The time to wait before the next try, where that is known. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: ErrorOptions & { readonly retryAfterMs?: number | undefined } = {}) {
    super(message, options)
    this.retryAfterMs = options.retryAfterMs
  }
}

/** One text can never be embedded by this model: a retry is pointless. The message never holds the text. */
export class EmbedderInputError extends Error {
  override readonly name = 'EmbedderInputError'
  /** Its position in the array that was given to `embed`. */
  readonly index: number

  constructor(message: string, index: number) {
    super(message)
    this.index = index
  }
}
