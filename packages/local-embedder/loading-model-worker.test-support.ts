/** Stands in for a model's thread that loads for ever: it names its engine, and never says that it is ready. */
import { parentPort } from 'node:worker_threads'
import type { ThreadReply } from './thread-protocol.ts'

parentPort?.on('message', () => undefined)
parentPort?.postMessage({ kind: 'engine', engine: 'onnx' } satisfies ThreadReply)
