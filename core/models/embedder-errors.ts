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
