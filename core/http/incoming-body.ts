import type { Clock } from '../clock.ts'
import { HOUR_MS } from '../durations.ts'
import { AppError, fail, validationError } from '../errors.ts'
import { KB, MB, sizeText } from './sizes.ts'
import type { Transfers } from './transfers.ts'

/** A body that is taken whole has so long to arrive, and a streamed one may pause so long. */
export const ARRIVAL_MS_MAX = 30_000

/** No streamed body takes longer. */
const STREAM_MS_MAX = 6 * HOUR_MS

/** A form that is read whole has the time that its bytes need at this rate beside the time that any body has. */
const FORM_BYTES_PER_MS = 8

/** A runtime takes in so much of a body that nobody reads; Bun 1.4 up to 1.2 MB, Deno 2.9 next to nothing. */
const UNREAD_MAX_BYTES = MB

/** A connection and the head of a request take about as much. */
const SHORT_BYTES = 16 * KB

/**
 * So much of a refused body is read and dropped, for so long, as long as the client sends, so that it gets to read the
 * response. A client that pauses may be waiting for the response.
 */
const DRAIN_BYTES_MAX = 16 * MB
const DRAIN_MS_MAX = 3000
const DRAIN_PAUSE_MS_MAX = 500
const LINGER_MS = 1000

export interface BodyLimit {
  readonly maxBytes: number
  /** The refusal names these in place of `maxBytes`, which allow for what stands around a file. */
  readonly namedBytes?: number
  /** The 413 for a larger body has this code. */
  readonly tooLarge: 'PAYLOAD_TOO_LARGE' | 'FILE_TOO_LARGE'
}

/** A body's reader needs this beside the request. */
export interface BodyWorld {
  readonly clock: Clock
  readonly transfers: Transfers
}

/**
 * Reads a request's body, and nothing else does. Sizes are enforced while reading, so a false Content-Length gains
 * nothing, and waits have an end. Reading throws 413 by the limit, REQUEST_TIMEOUT, SERVICE_UNAVAILABLE in a stop, and
 * VALIDATION_ERROR where the client goes away.
 */
export class IncomingBody {
  readonly #request: Request
  readonly #world: BodyWorld
  /** Names the one whose share of the memory the body takes; asked when there are bytes, and not to be changed from then on. */
  holder: () => string
  #reserved = 0
  #received = 0
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  #reading: ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']> | undefined
  #state: 'untouched' | 'reading' | 'ended' | 'abandoned' = 'untouched'

  constructor(request: Request, world: BodyWorld, holder = () => '') {
    this.holder = holder
    this.#request = request
    this.#world = world
  }

  /** Deno has an empty body where Bun has none. */
  get isEmpty(): boolean {
    const { body, headers } = this.#request
    return body === null || (headers.get('content-length') === '0' && !headers.has('transfer-encoding'))
  }

  /** Tells whether the runtime may take in more of it than a connection costs by itself. */
  get isLong(): boolean {
    return this.#unreadBytes > SHORT_BYTES
  }

  /** Reads all of it at once. */
  async whole(limit: BodyLimit): Promise<Uint8Array> {
    const declared = this.#declared(limit)
    // With an honest length, which servers hold clients to, the runtime's own reader is fastest.
    if (declared > 0 && !this.#request.headers.has('transfer-encoding')) {
      this.reserve(declared)
      this.#state = 'abandoned'
      const bytes = new Uint8Array(await this.#before(this.#request.arrayBuffer(), ARRIVAL_MS_MAX))
      this.#state = 'ended'
      if (bytes.length > limit.maxBytes) throw tooLarge(limit)
      return bytes
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of this.chunks(limit, ARRIVAL_MS_MAX)) {
      this.reserve(chunk.length)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }

  /**
   * Streams its bytes as they arrive, which can be read once. Who keeps them reserves the memory.
   * @param maxMs all of it takes so long at the most, from when the first of it is asked for
   */
  chunks(limit: BodyLimit, maxMs = STREAM_MS_MAX): AsyncIterable<Uint8Array> {
    const { clock } = this.#world
    let deadline: number | undefined
    let size = 0
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      if (size === 0) this.#declared(limit)
      // A reader that waits for its permit first does not take the client's time.
      deadline ??= clock.now() + maxMs
      const value = await this.#read(Math.min(deadline, clock.now() + ARRIVAL_MS_MAX))
      if (!value) return { done: true, value: undefined }
      size += value.length
      if (size > limit.maxBytes) throw tooLarge(limit)
      return { done: false, value }
    }
    return { [Symbol.asyncIterator]: () => ({ next }) }
  }

  /** Streams a form that has to be there whole. */
  form(limit: BodyLimit): AsyncIterable<Uint8Array> {
    const bytes = Math.min(this.#declaredBytes || limit.maxBytes, limit.maxBytes)
    return this.chunks(limit, ARRIVAL_MS_MAX + bytes / FORM_BYTES_PER_MS)
  }

  /** The body for a handler that reads it itself: it ends with PAYLOAD_TOO_LARGE, and arrives as fast as others of its size. */
  bounded(maxBytes: number): ReadableStream<Uint8Array> {
    const maxMs = maxBytes > MB ? STREAM_MS_MAX : ARRIVAL_MS_MAX
    const bytes = this.chunks({ maxBytes, tooLarge: 'PAYLOAD_TOO_LARGE' }, maxMs)[Symbol.asyncIterator]()
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await bytes.next()
          if (done) controller.close()
          else controller.enqueue(value)
        },
      },
      { highWaterMark: 0 },
    )
  }

  /** Counts what the runtime takes in of a body whose reading has to wait. Throws SERVICE_UNAVAILABLE where there is no room. */
  reserveUnread(): void {
    const bytes = this.#unreadBytes
    if (bytes > 0) this.reserve(bytes)
  }

  /**
   * Counts bytes that are kept until the request ends: what is held of bodies shares a bound in memory. Throws SERVICE_UNAVAILABLE where there
   * is no room.
   */
  reserve(bytes: number): void {
    if (!this.#world.transfers.memory.reserve(this.holder(), bytes)) throw noRoom()
    this.#reserved += bytes
  }

  /**
   * Ends the use of the body and drops up to 16 MB that are left of it: a client that still sends may lose a response
   * to a connection reset. Where a holder has too many such bodies already the connection ends at once, since the runtime would take in more
   * of each than it can drop.
   * @returns whether the connection can serve another request, as nothing is left
   */
  discard(): boolean | Promise<boolean> {
    if (this.#reserved > 0) this.#world.transfers.memory.release(this.holder(), this.#reserved)
    this.#reserved = 0
    if (this.#state === 'abandoned') return false
    const { body, bodyUsed } = this.#request
    if (this.#state === 'ended' || body === null) return true
    if (this.#state === 'untouched' && (bodyUsed || body.locked)) return true
    return this.#drain()
  }

  async #drain(): Promise<boolean> {
    const { dropped } = this.#world.transfers
    const [holder, bytes, until] = [this.holder(), this.#unreadBytes, this.#received + DRAIN_BYTES_MAX]
    // The connection ends with its response, and the runtime lets go of what it took in.
    if (!dropped.reserve(holder, bytes)) return false
    if (await this.#drop(until, DRAIN_MS_MAX, DRAIN_PAUSE_MS_MAX)) {
      dropped.release(holder, bytes)
      return true
    }
    // Deno stops taking in what nobody reads, and the client may be sending all of it before it looks at the response.
    void this.#drop(until, ARRIVAL_MS_MAX, ARRIVAL_MS_MAX).then(isRead => {
      dropped.release(holder, bytes)
      if (!isRead) this.#abandonLater()
    })
    // A client that holds back the rest would hold the connection for as long as it likes.
    return false
  }

  /** @returns whether nothing is left */
  async #drop(until: number, maxMs: number, pauseMsMax: number): Promise<boolean> {
    const { clock, transfers } = this.#world
    const deadline = clock.now() + maxMs
    try {
      while (this.#received < until) {
        const chunk = await this.#read(Math.min(deadline, clock.now() + pauseMsMax))
        if (!chunk) return true
        await transfers.dropping(chunk.length, clock)
      }
    } catch {
      // The client pauses, is slow or gone.
    }
    return false
  }

  /** Deno closes the connection then; before the response is out it would read on instead, without an end. */
  #abandonLater(): void {
    if (this.#state !== 'reading' && this.#state !== 'untouched') return
    this.#world.clock.after(LINGER_MS, () => {
      this.#state = 'abandoned'
      void (this.#reader ?? this.#request.body)?.cancel().catch(() => undefined)
    })
  }

  /** Throws before anything is read where the client itself says that it is too much. */
  #declared(limit: BodyLimit): number {
    const declared = this.#declaredBytes
    if (declared > limit.maxBytes) throw tooLarge(limit)
    return declared
  }

  get #unreadBytes(): number {
    if (this.#request.headers.has('transfer-encoding')) return UNREAD_MAX_BYTES
    return Math.min(this.#declaredBytes, UNREAD_MAX_BYTES)
  }

  get #declaredBytes(): number {
    return Number(this.#request.headers.get('content-length') ?? 0)
  }

  async #read(deadline: number): Promise<Uint8Array | undefined> {
    if (this.#state === 'ended' || this.#request.body === null) return undefined
    this.#state = 'reading'
    this.#reader ??= this.#request.body.getReader()
    const leftMs = deadline - this.#world.clock.now()
    if (leftMs <= 0) throw fail('REQUEST_TIMEOUT')
    // A read that outlasted its time is still under way, and its bytes are the next.
    this.#reading ??= this.#reader.read()
    const { done, value } = await this.#before(this.#reading, leftMs)
    this.#reading = undefined
    if (done) this.#state = 'ended'
    this.#received += value?.length ?? 0
    return value
  }

  /** Returns the outcome of a read, unless the time or the service ends first. */
  async #before<T>(reading: Promise<T>, ms: number): Promise<T> {
    const { clock, transfers } = this.#world
    const { promise: early, reject } = Promise.withResolvers<never>()
    const late = clock.after(ms, () => reject(fail('REQUEST_TIMEOUT')))
    const end = transfers.begin(() => reject(stopping()))
    // A client that goes away while it sends is no failure of the service.
    const received = reading.catch(error => {
      this.#state = 'abandoned'
      throw error instanceof AppError ? error : notReceived()
    })
    try {
      return await Promise.race([received, early])
    } finally {
      late()
      end()
    }
  }
}

function noRoom(): AppError {
  return fail('SERVICE_UNAVAILABLE', { message: 'Too many large requests at once.', retryAfterSeconds: 1 })
}

function stopping(): AppError {
  return fail('SERVICE_UNAVAILABLE', { message: 'The service is stopping.', retryAfterSeconds: 2 })
}

function notReceived(): AppError {
  return validationError([{ path: 'body', message: 'was not received completely' }])
}

export function tooLarge({ maxBytes, namedBytes = maxBytes, tooLarge: code }: BodyLimit): AppError {
  const what = code === 'FILE_TOO_LARGE' ? 'The upload' : 'The request body'
  return fail(code, { message: `${what} is larger than ${sizeText(namedBytes)}.` })
}
