import { AppError, fail, validationError } from '../errors.ts'
import type { Clock } from './clock.ts'
import type { Transfers } from './transfers.ts'

export const KB = 1024
export const MB = 1024 * KB
export const GB = 1024 * MB

/** How long a body that is taken whole may take, and how long a streamed one may pause. */
export const ARRIVAL_MS_MAX = 30_000

/** No streamed body takes longer, however steadily its bytes drip. */
const STREAM_MS_MAX = 6 * 3_600_000

/** How much of a refused body is read away so that the client gets to read the response, and for how long. */
const DRAIN_BYTES_MAX = 16 * MB
const DRAIN_MS_MAX = 3000

export interface BodyLimit {
  readonly maxBytes: number
  /** The code of the 413 for a larger body. */
  readonly tooLarge: 'PAYLOAD_TOO_LARGE' | 'FILE_TOO_LARGE'
}

/** What a body's reader needs beside the request. */
export interface BodyWorld {
  readonly clock: Clock
  readonly transfers: Transfers
}

/**
 * The one reader of a request's body. Sizes are enforced while reading, so a false Content-Length gains nothing, and waits have an end.
 * Reading throws 413 by the limit, REQUEST_TIMEOUT, SERVICE_UNAVAILABLE in a stop, and VALIDATION_ERROR where the client goes away.
 */
export class IncomingBody {
  readonly #request: Request
  readonly #world: BodyWorld
  #reserved = 0
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  #state: 'untouched' | 'reading' | 'ended' | 'abandoned' = 'untouched'

  constructor(request: Request, world: BodyWorld) {
    this.#request = request
    this.#world = world
  }

  /** Deno has an empty body where Bun has none. */
  get isEmpty(): boolean {
    return this.#request.body === null || this.#request.headers.get('content-length') === '0'
  }

  /** All of it at once. */
  async whole(limit: BodyLimit): Promise<Uint8Array> {
    const declared = this.#declared(limit)
    const deadline = this.#world.clock.now() + ARRIVAL_MS_MAX
    // With an honest length, which servers hold clients to, the runtime's own reader is fastest.
    if (declared > 0 && !this.#request.headers.has('transfer-encoding')) {
      this.#reserve(declared)
      this.#state = 'abandoned'
      const bytes = new Uint8Array(await this.#before(this.#request.arrayBuffer(), ARRIVAL_MS_MAX))
      this.#state = 'ended'
      if (bytes.length > limit.maxBytes) throw tooLarge(limit)
      return bytes
    }
    const chunks: Uint8Array[] = []
    let size = 0
    for (let chunk = await this.#read(deadline); chunk; chunk = await this.#read(deadline)) {
      size += chunk.length
      if (size > limit.maxBytes) throw tooLarge(limit)
      this.#reserve(chunk.length)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, size)
  }

  /** Its bytes as they arrive, which can be read once. */
  chunks(limit: BodyLimit): AsyncIterable<Uint8Array> {
    const { clock } = this.#world
    const deadline = clock.now() + STREAM_MS_MAX
    let size = 0
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      if (size === 0) this.#declared(limit)
      const value = await this.#read(Math.min(deadline, clock.now() + ARRIVAL_MS_MAX))
      if (!value) return { done: true, value: undefined }
      size += value.length
      if (size > limit.maxBytes) throw tooLarge(limit)
      return { done: false, value }
    }
    return { [Symbol.asyncIterator]: () => ({ next }) }
  }

  /**
   * Ends the use of the body and reads away what is left of it, up to 16 MB and 3 seconds: a client that still sends may lose a
   * response to a connection reset. @returns whether nothing is left
   */
  async discard(): Promise<boolean> {
    if (this.#reserved > 0) this.#world.transfers.memory.release(this.#reserved)
    this.#reserved = 0
    if (this.#state === 'abandoned') return false
    const { body, bodyUsed } = this.#request
    if (this.#state === 'ended' || body === null) return true
    if (this.#state === 'untouched' && (bodyUsed || body.locked)) return true
    const deadline = this.#world.clock.now() + DRAIN_MS_MAX
    let size = 0
    try {
      while (size < DRAIN_BYTES_MAX) {
        const chunk = await this.#read(deadline)
        if (!chunk) return true
        size += chunk.length
      }
    } catch {
      // The client is slow or gone, and the response goes out as it is.
    }
    this.#state = 'abandoned'
    // Not waited for: the stream may be one of two branches, and then it waits for the other.
    void this.#reader?.cancel().catch(() => undefined)
    return false
  }

  /** Bodies that are held whole share a bound in memory. */
  #reserve(bytes: number): void {
    if (!this.#world.transfers.memory.reserve(bytes)) {
      throw fail('SERVICE_UNAVAILABLE', { message: 'Too many large requests at once.', retryAfterSeconds: 1 })
    }
    this.#reserved += bytes
  }

  /** Throws before anything is read where the client itself says that it is too much. */
  #declared(limit: BodyLimit): number {
    const declared = Number(this.#request.headers.get('content-length') ?? 0)
    if (declared > limit.maxBytes) throw tooLarge(limit)
    return declared
  }

  async #read(deadline: number): Promise<Uint8Array | undefined> {
    if (this.#state === 'ended' || this.#request.body === null) return undefined
    this.#state = 'reading'
    this.#reader ??= this.#request.body.getReader()
    const leftMs = deadline - this.#world.clock.now()
    if (leftMs <= 0) throw fail('REQUEST_TIMEOUT')
    const { done, value } = await this.#before(this.#reader.read(), leftMs)
    if (done) this.#state = 'ended'
    return value
  }

  /** The outcome of a read, unless the time or the service ends first. */
  #before<T>(reading: Promise<T>, ms: number): Promise<T> {
    const { clock, transfers } = this.#world
    return new Promise((resolve, reject) => {
      const calledOff = [
        clock.after(ms, () => reject(fail('REQUEST_TIMEOUT'))),
        transfers.begin(() => reject(stopping())),
      ]
      const settled = <V>(settle: (value: V) => void) => {
        return (value: V) => {
          for (const callOff of calledOff) callOff()
          settle(value)
        }
      }
      reading.then(
        settled(resolve),
        settled((error: unknown) => reject(error instanceof AppError ? error : notReceived())),
      )
    })
  }
}

function stopping(): AppError {
  return fail('SERVICE_UNAVAILABLE', { message: 'The service is stopping.', retryAfterSeconds: 2 })
}

/** A client that goes away while it sends is no failure of the service. */
function notReceived(): AppError {
  return validationError([{ path: 'body', message: 'was not received completely' }])
}

export function tooLarge({ maxBytes, tooLarge: code }: BodyLimit): AppError {
  const what = code === 'FILE_TOO_LARGE' ? 'The upload' : 'The request body'
  return fail(code, { message: `${what} is larger than ${sizeText(maxBytes)}.` })
}

/** `16 MB`; sizes are powers of 1,024. */
export function sizeText(bytes: number): string {
  if (bytes >= GB) return `${round(bytes / GB)} GB`
  if (bytes >= MB) return `${round(bytes / MB)} MB`
  return bytes >= KB ? `${round(bytes / KB)} KB` : `${bytes} bytes`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
