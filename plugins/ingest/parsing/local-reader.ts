import process from 'node:process'
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers'
import { Worker } from 'node:worker_threads'
import { MB } from 'mneme/plugin'
import {
  type Chunk,
  type DocumentFacts,
  damagedFile,
  MemoryExceeded,
  OUT_OF_MEMORY,
  ReadingError,
} from '../document/document.ts'
import { FORMATS } from '../formats.ts'
import { PARSING_LIMITS, type ParsingLimits } from './limits.ts'
import type { ChunkSink, DocumentReader } from './reader.ts'
import type { ReaderMessage, ReaderTask } from './reader-protocol.ts'

/** A thread takes up to a megabyte a millisecond. */
const WATCH_MS = 20

/** The threads that read at the moment, and the memory of the process before the first of them. */
let reading = 0
let rssBefore = 0

/**
 * Reads documents in this process, each in a thread of its own that is ended with it: what a hostile one does to its thread, as to
 * loop, to fill the memory or to leave something behind, ends there too.
 */
export function createLocalReader(limits: ParsingLimits = PARSING_LIMITS): DocumentReader {
  return {
    id: 'local',
    formats: FORMATS,
    read: (document, sink, signal) => inThread({ document, limits, secrets: document.secrets }, sink, signal),
  }
}

/** Runs a reader thread to its end. The bytes of the document are copied into it. */
export async function inThread(
  task: ReaderTask,
  sink: ChunkSink,
  signal: AbortSignal,
  timers = systemTimers,
): Promise<DocumentFacts> {
  signal.throwIfAborted()
  const script = new URL('./reader-thread.ts', import.meta.url)
  const { limits } = task
  // Only some runtimes hold a thread to this; the watch below holds for all.
  const resourceLimits = { maxOldGenerationSizeMb: Math.ceil(limits.memoryBytes / MB) }
  const worker = new Worker(script, { workerData: task, resourceLimits })
  const over = Promise.withResolvers<DocumentFacts>()
  const fail = (error: unknown) => over.reject(error)
  const time = new ReadingTime(limits.timeMs, () => fail(new ReadingError('TIMED_OUT', slowSentence(limits))), timers)
  const store = async (chunks: readonly Chunk[]) => {
    time.pause()
    await sink(chunks)
    time.run()
    worker.postMessage('more')
  }
  worker.on('message', (message: ReaderMessage) => {
    if (message.kind === 'chunks') store(message.chunks).catch(fail)
    else if (message.kind === 'done') over.resolve(message.facts)
    else fail(new ReadingError(message.code, message.message, { cause: message.reason && new Error(message.reason) }))
  })
  worker.on('error', error => fail(threadFault(error)))
  worker.on('exit', () => fail(damagedFile('its thread ended')))
  const stopWatching = watch(limits, signal, fail)
  time.run()
  try {
    return await over.promise
  } finally {
    time.stop()
    await worker.terminate()
    stopWatching()
  }
}

function watch(limits: ParsingLimits, signal: AbortSignal, fail: (error: unknown) => void): () => void {
  // One that began beside others would count what these took by then as the process's own, and go further beyond it.
  if (reading++ === 0) rssBefore = process.memoryUsage.rss()
  const memory = setInterval(() => {
    if (process.memoryUsage.rss() - rssBefore > limits.memoryBytes) fail(new MemoryExceeded())
  }, WATCH_MS)
  const abort = () => fail(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  return () => {
    reading--
    clearInterval(memory)
    signal.removeEventListener('abort', abort)
  }
}

function slowSentence({ timeMs }: ParsingLimits): string {
  return `Reading the file took longer than ${Math.round(timeMs / 1000)} seconds and was given up.`
}

/** Says why a thread ended. One that reached its own limit of memory did so by its document alone, whatever was read beside it. */
export function threadFault(error: unknown): ReadingError {
  if (!(error instanceof Error)) return damagedFile(String(error))
  if (Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY')
    return new ReadingError('LIMIT_EXCEEDED', OUT_OF_MEMORY)
  return damagedFile(error.message)
}

/** Measures time and waits; tests move their own. */
interface Timers {
  /** Milliseconds that only grow. */
  now(): number
  /** @returns a function that cancels it */
  after(ms: number, work: () => void): () => void
}

const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

/** Counts the time in which a reader works. While what it handed over is stored, it stands still: a busy database is no fault of the file. */
class ReadingTime {
  #leftMs: number
  #since = 0
  #cancel: (() => void) | undefined
  #isStopped = false

  constructor(
    limitMs: number,
    private readonly over: () => void,
    private readonly timers: Timers = systemTimers,
  ) {
    this.#leftMs = limitMs
  }

  run(): void {
    this.pause()
    if (this.#isStopped) return
    this.#since = this.timers.now()
    this.#cancel = this.timers.after(Math.max(0, this.#leftMs), this.over)
  }

  pause(): void {
    if (!this.#cancel) return
    this.#cancel()
    this.#cancel = undefined
    this.#leftMs -= this.timers.now() - this.#since
  }

  /** Chunks may still be on their way into the database when the reader has been ended. */
  stop(): void {
    this.pause()
    this.#isStopped = true
  }
}
