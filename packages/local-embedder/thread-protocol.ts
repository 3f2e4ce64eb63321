import type { QueryTokens } from './token-vectors.ts'

/** Runs the model: ONNX Runtime with int8 weights, or WebAssembly with float weights where it has no binary. */
export type Engine = 'onnx' | 'wasm'

/** Files and shape of the model package. */
export interface ModelFiles {
  readonly weightsPath: string
  readonly tokenizerPath: string
  readonly configPath: string
}

/** The model's thread gets this as `workerData`. */
export interface ThreadData {
  readonly files: ModelFiles
  /** Left out on the first start: the thread finds out and says so. A restart must stay with the first engine. */
  readonly engine?: Engine
  /** Module specifier of ONNX Runtime. */
  readonly onnxRuntime: string
}

/** A part of a text that is longer than a window. */
export interface Window {
  readonly ids: Int32Array
  /** Where it begins and ends in the text, about, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** Its vector is part of the mean that is the vector of the whole text. */
  readonly ofWhole: boolean
}

/** One unit of work, at most one forward pass of at most {@link WINDOW_TOKENS} tokens. The next follows the reply. */
export type ThreadRequest =
  /** With `passages` a long text has windows beyond those of its mean; a text that `asks` has its tokens as a query has them. */
  | { readonly kind: 'text'; readonly text: string; readonly passages: boolean; readonly asks: boolean }
  | { readonly kind: 'window'; readonly ids: Int32Array }

/** The tokens of a window, or of a whole text that asks; neither where the engine does not tell. */
export interface TokenVectors {
  readonly tokenSigns?: Uint8Array
  readonly queryTokens?: QueryTokens
}

export type ThreadReply =
  /** The first message says which engine this platform has; `reason` when it is not the fast one. */
  | { readonly kind: 'engine'; readonly engine: Engine; readonly reason?: string }
  /** The second message says that the model is loaded. */
  | { readonly kind: 'ready' }
  | ThreadResult

/** The thread's result for a request. */
export type ThreadResult =
  | { readonly kind: 'vector'; readonly vector: Float32Array; readonly tokens: number; readonly ofTokens: TokenVectors }
  /** The text is longer than one window: these are to be sent one by one, and their vectors averaged. */
  | { readonly kind: 'windows'; readonly windows: readonly Window[] }
  /** The tokeniser knows next to nothing of the text, so no vector could say what it means. */
  | { readonly kind: 'unknown' }
  /** The text cannot be tokenised. */
  | { readonly kind: 'invalid' }
  /** The engine failed, whatever the text. */
  | { readonly kind: 'failed'; readonly message: string }

/**
 * One forward pass takes so many tokens, [CLS] and [SEP] included: the length that the model was trained at. Longer
 * windows lose on long texts (see the README beside) and make a query wait longer behind a document.
 */
export const WINDOW_TOKENS = 128
