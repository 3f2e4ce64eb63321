/** This thread runs the model, since a forward pass blocks the thread that calls for it. See `thread-protocol.ts`. */
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Tokenizer } from '@huggingface/tokenizers'
import type { EngineRun } from './onnx-engine.ts'
import { lowerThreadPriority } from './thread-priority.ts'
import type { ThreadData, ThreadReply, ThreadRequest, ThreadResult, TokenVectors, Window } from './thread-protocol.ts'
import { WINDOW_TOKENS } from './thread-protocol.ts'
import { queryTokensOf, tokenSignsOf } from './token-vectors.ts'
import { isUnknown, textOffsets } from './tokens.ts'
import { windowRanges } from './windows.ts'

const port = parentPort
if (!port) throw new Error('this module is the entry of a worker thread')
const data: ThreadData = workerData
const send = (reply: ThreadReply) => port.postMessage(reply)

// The model computes without a pause while texts wait, and requests have a dozen short turns each.
lowerThreadPriority()
const tokenizer = new Tokenizer(JSON.parse(readFileSync(data.files.tokenizerPath, 'utf8')), {})
const run = await loadEngine()
port.on('message', async (request: ThreadRequest) => send(await perform(request)))
send({ kind: 'ready' })

async function perform(request: ThreadRequest): Promise<ThreadResult> {
  if (request.kind === 'window') return embed(request.ids, asText)
  const windows = tokenWindows(request.text, request.passages)
  if (!windows) return { kind: 'invalid' }
  if (windows.length === 0) return { kind: 'unknown' }
  const [first, ...others] = windows
  const tokensOf = request.asks ? asQuery : asText
  return first && others.length === 0 ? embed(first.ids, tokensOf) : { kind: 'windows', windows }
}

type TokensOf = (ids: Int32Array, states: Float32Array) => TokenVectors
const asQuery: TokensOf = (ids, states) => ({ queryTokens: queryTokensOf(ids, states) })
const asText: TokensOf = (ids, states) => ({ tokenSigns: tokenSignsOf(ids, states) })

async function embed(ids: Int32Array, tokensOf: TokensOf): Promise<ThreadResult> {
  try {
    const { vector, tokens } = await run(ids)
    return { kind: 'vector', vector, tokens: ids.length, ofTokens: tokens ? tokensOf(ids, tokens) : {} }
  } catch (error) {
    return { kind: 'failed', message: String(error) }
  }
}

/**
 * Returns each window with its token ids between [CLS] and [SEP], none for an unknown text; undefined when the
 * tokeniser gives up on it.
 */
function tokenWindows(text: string, passages: boolean): Window[] | undefined {
  try {
    const { ids, tokens } = tokenizer.encode(text)
    const inner = tokens.slice(1, -1)
    if (isUnknown(text, inner)) return []
    const [first = 0] = ids
    const last = ids.at(-1) ?? 0
    if (ids.length <= WINDOW_TOKENS) {
      return [{ ids: Int32Array.from(ids), start: 0, end: text.length, ofWhole: true }]
    }
    const offsetOf = textOffsets(text, inner)
    return windowRanges(inner, WINDOW_TOKENS - 2, passages).map(({ start, end, ofWhole }) => ({
      ids: Int32Array.from([first, ...ids.slice(start + 1, end + 1), last]),
      start: offsetOf(start),
      end: offsetOf(end),
      ofWhole,
    }))
  } catch {
    return undefined
  }
}

async function loadEngine(): Promise<EngineRun> {
  if (data.engine !== 'wasm') {
    const runtime = await importOnnxRuntime()
    if (runtime) {
      send({ kind: 'engine', engine: 'onnx' })
      const { loadOnnxEngine } = await import('./onnx-engine.ts')
      return loadOnnxEngine(runtime, data.files)
    }
  }
  const { loadWasmEngine } = await import('./wasm-engine.ts')
  return loadWasmEngine(data.files, ids => tokenizer.decode([...ids], { skip_special_tokens: true }))
}

/** Returns undefined where the package has no binary that loads: macOS on x64, Linux with musl. */
async function importOnnxRuntime(): Promise<typeof import('onnxruntime-node') | undefined> {
  try {
    const runtime: typeof import('onnxruntime-node') = await import(data.onnxRuntime)
    return runtime
  } catch (error) {
    // A restart must not change the engine: vectors of the two are not comparable.
    if (data.engine === 'onnx') throw error
    const [reason = ''] = String(error).split('\n')
    send({ kind: 'engine', engine: 'wasm', reason })
    return undefined
  }
}
