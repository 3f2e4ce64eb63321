/**
 * Stands in for the model's thread in tests: speaks `thread-protocol.ts`, replies at once, and dies on request. A text
 * is an order: `exit` and `throw` end the thread, `fail` and `invalid` reply so, `hang` gets no reply, `windows:N` has N windows; anything
 * else gets a vector.
 */
import { parentPort } from 'node:worker_threads'
import type { ThreadReply, ThreadRequest, ThreadResult, Window } from './thread-protocol.ts'

const send = (reply: ThreadReply) => parentPort?.postMessage(reply)
const vector: ThreadResult = { kind: 'vector', vector: new Float32Array(384).fill(1), tokens: 3, ofTokens: {} }

parentPort?.on('message', (request: ThreadRequest) => {
  if (request.kind === 'text' && request.text === 'hang') return
  send(request.kind === 'text' ? obey(request.text) : vector)
})
send({ kind: 'engine', engine: 'onnx' })
send({ kind: 'ready' })

function obey(text: string): ThreadResult {
  if (text === 'exit') process.exit(1)
  if (text === 'throw') throw new Error('the thread was told to throw')
  if (text === 'fail') return { kind: 'failed', message: 'out of memory' }
  if (text === 'invalid') return { kind: 'invalid' }
  const [, count] = text.match(/^windows:(\d+)$/) ?? []
  if (!count) return vector
  return { kind: 'windows', windows: Array.from({ length: Number(count) }, windowAt) }
}

function windowAt(_: unknown, index: number): Window {
  return { ids: Int32Array.of(1, 2, 3), start: index, end: index + 1, ofWhole: true }
}
