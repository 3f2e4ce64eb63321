/** This thread runs the model, since a forward pass blocks the thread that calls for it. See `thread-protocol.ts`. */
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Tokenizer } from '@huggingface/tokenizers'
import { unicodeForm } from 'text-reader'
import { lowerThreadPriority } from '../../background/thread-priority.ts'
import type { EngineRun } from './onnx-engine.ts'
import type { ThreadData, ThreadReply, ThreadRequest, ThreadResult, Window } from './thread-protocol.ts'
import { WINDOW_TOKENS } from './thread-protocol.ts'
import { windowRanges } from './windows.ts'

/**
 * This token stands for everything outside the vocabulary: most scripts but Latin, and pictures. A run without spaces
 * is one, however long.
 */
const UNKNOWN = '[UNK]'

/** At least this share of a text's meaningful characters has to be in tokens. */
const KNOWN_SHARE_MIN = 1 / 3

/** The tokeniser keeps these characters of a text in NFD, or folds each of them to one: blanks and combining marks it drops. */
const KEPT = /[^\s\p{M}\p{C}]/u

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
  if (request.kind === 'window') return embed(request.ids)
  const windows = tokenWindows(request.text, request.passages)
  if (!windows) return { kind: 'invalid' }
  if (windows.length === 0) return { kind: 'unknown' }
  const [first, ...others] = windows
  return first && others.length === 0 ? embed(first.ids) : { kind: 'windows', windows }
}

async function embed(ids: Int32Array): Promise<ThreadResult> {
  try {
    return { kind: 'vector', vector: await run(ids), tokens: ids.length }
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

/**
 * Tells where tokens begin in their text, since the tokeniser does not: about, by counting the characters that it
 * keeps. Unknown tokens share evenly what the others leave, which is exact where each of them is one character, as in
 * Chinese and Japanese.
 *
 * @returns a function from the place of a token to an offset in UTF-16 units; the place after the last is the end
 */
export function textOffsets(text: string, tokens: readonly string[]): (token: number) => number {
  const offsets = keptOffsets(text)
  const sizes = tokens.map(token => (token === UNKNOWN ? undefined : [...token.replace(/^##/, '')].length))
  const known = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
  const unknown = sizes.filter(size => size === undefined).length
  const share = unknown > 0 ? Math.max(0, offsets.length - known) / unknown : 0
  const before = [0]
  for (const size of sizes) before.push((before.at(-1) ?? 0) + (size ?? share))
  return token => {
    if (token <= 0) return 0
    return token >= tokens.length ? text.length : (offsets[Math.round(before[token] ?? 0)] ?? text.length)
  }
}

/** Lists the offsets of the characters that tokens consist of; a Hangul syllable is two or three of them. */
function keptOffsets(text: string): number[] {
  const offsets: number[] = []
  let at = 0
  for (const character of text) {
    for (const part of unicodeForm(character, 'NFD')) if (KEPT.test(part)) offsets.push(at)
    at += character.length
  }
  return offsets
}

/**
 * Tells whether a model knows too little of a text to distinguish it from others: blank, in a script without tokens of
 * its own, or of pictures. Punctuation or a number between unknown words says too little.
 * @param tokens those of the text, without the ones that frame it
 */
function isUnknown(text: string, tokens: readonly string[]): boolean {
  if (!tokens.includes(UNKNOWN)) return tokens.length === 0
  const known = tokens.reduce((sum, token) => sum + (token === UNKNOWN ? 0 : telling(token)), 0)
  return known < KNOWN_SHARE_MIN * telling(text)
}

function telling(text: string): number {
  return text.match(/[\p{L}\p{N}\p{Extended_Pictographic}]/gu)?.length ?? 0
}
