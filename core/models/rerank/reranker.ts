/** Judges how well texts answer a query, by a model that reads both together (a cross-encoder). */
export interface Reranker {
  /** e.g. `http/bge-reranker-v2-m3`, or `none`. */
  readonly modelId: string
  /** False when a call would be refused at once: none is configured, or it was found to be away a moment ago. */
  available(): boolean
  /**
   * Scores the texts; a higher score is a better answer. Only scores of one call may be compared.
   * @throws RerankerUnavailableError it cannot serve now; keep the order there is
   */
  score(query: string, texts: readonly string[], options?: RerankOptions): Promise<Reranked>
}

export interface RerankOptions {
  /** Bounds the whole call. Default {@link RERANK_TIMEOUT_MS}. */
  readonly timeoutMs?: number
}

export interface Reranked {
  /** In the order of the texts; finite numbers on a scale of the model's own. */
  readonly scores: readonly number[]
  /** The model read so many tokens; an estimate where the endpoint does not count. */
  readonly tokens: number
}

/** The reranker is away, overloaded, too slow or not configured. The message never holds a text or a key. */
export class RerankerUnavailableError extends Error {
  override readonly name = 'RerankerUnavailableError'
}

/** Somebody waits, and the order without a reranker is a good one. */
export const RERANK_TIMEOUT_MS = 2_000

/** A reranker reads this many characters of each text: models read 512 tokens and more, and some servers refuse longer texts. */
export const RERANK_TEXT_CHARS_MAX = 1_500

/** Stands where none is configured. */
export const noReranker: Reranker = {
  modelId: 'none',
  available: () => false,
  score: () => Promise.reject(new RerankerUnavailableError('no reranker is configured')),
}
