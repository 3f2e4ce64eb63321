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
