import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { KB } from './sizes.ts'
import type { Transfers } from './transfers.ts'

/** A response up to this size goes out whole, which is cheaper; most of it is in the system's buffers at once. */
export const WHOLE_MAX_BYTES = 256 * KB

/** A client that takes no byte for so long counts as gone. */
const STALL_MS_MAX = 120_000

/** Waiting for the client may take so long in all, and the time that what it was given needs at the least rate. */
const SLACK_MS = 5 * 60_000
const LEAST_BYTES_PER_MS = 8

const SOURCE_END_MS_MAX = 10_000

export interface DeliveryWorld {
  readonly clock: Clock
  readonly transfers: Transfers
  readonly log: Logger
}

export interface DeliveryOutcome {
  readonly sentBytes: number
  /** Says why not everything was sent. */
  readonly broken?: 'client went away' | 'client stalled' | 'service stopped' | 'source failed'
}

/** A response together with the part of it that is still to be sent by the server. */
export interface Delivered {
  readonly response: Response
  /** Undefined where nothing is left to be sent. */
  readonly delivery?: Delivery
  /** All of it is there when it begins to be sent: the rest of the time is its client's. */
  readonly isReady?: boolean
}

/** Receives a response. */
export interface Recipient {
  readonly request: Request
  /** Names the one whose share of the memory the response takes until it is sent. */
  readonly holder: string
}

/** Sends one stream of bytes to a client, from the source's opening to its very end. */
export class Delivery {
  readonly #world: DeliveryWorld
  readonly #abort = new AbortController()
  readonly #source: AsyncIterator<Uint8Array>
  readonly #length: number
  readonly #slackMs: number
  readonly #ended = Promise.withResolvers<DeliveryOutcome>()
  readonly #leave: () => void
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #first: IteratorResult<Uint8Array> | undefined
  #callOffStall: (() => void) | undefined
  #waitingSince: number | undefined
  #waitedMs = 0
  #sent = 0
  #isOver = false

  /** @param slackMs the client may be so far behind the least rate */
  constructor(
    open: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
    length: number,
    gone: AbortSignal,
    world: DeliveryWorld,
    slackMs = SLACK_MS,
  ) {
    this.#world = world
    this.#length = length
    this.#slackMs = slackMs
    this.#source = open(this.#abort.signal)[Symbol.asyncIterator]()
    this.#leave = world.transfers.begin(() => this.#break('service stopped'))
    const leaving = () => this.#break('client went away')
    if (gone.aborted) leaving()
    gone.addEventListener('abort', leaving, { once: true })
    void this.ended.then(() => gone.removeEventListener('abort', leaving))
  }

  /** Settles once the source has ended as well, whatever became of the client. */
  get ended(): Promise<DeliveryOutcome> {
    return this.#ended.promise
  }

  /** Reads all bytes at once. */
  async whole(): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(this.#length)
    try {
      for (let next = await this.#next(); !next.done; next = await this.#next())
        bytes.set(next.value, this.#sent - next.value.length)
    } catch (error) {
      await this.#end('source failed')
      throw error
    }
    await this.#end()
    return bytes
  }

  /** Waits for the first bytes. */
  async begin(): Promise<void> {
    try {
      this.#first = await this.#next()
    } catch (error) {
      await this.#end('source failed')
      throw error
    }
  }

  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    // A client that is gone before the response begins is not waited for: its timer would keep all that is to be sent.
    if (!this.#isOver) this.#awaitClient()
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        start: controller => {
          this.#controller = controller
          if (this.#isOver) controller.error()
        },
        pull: controller => this.#pull(controller),
        cancel: () => this.#break('client went away'),
      },
      { highWaterMark: 0 },
    )
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#endWait()
    try {
      const next = this.#first ?? (await this.#next())
      this.#first = undefined
      if (this.#isOver) return
      if (next.done) {
        controller.close()
        await this.#end()
      } else {
        controller.enqueue(next.value)
        this.#awaitClient()
      }
    } catch (error) {
      if (this.#isOver) return
      this.#world.log.error({ err: error }, 'a download broke off')
      this.#break('source failed')
    }
  }

  /** The time that the source takes is not the client's. */
  #awaitClient(): void {
    const { clock } = this.#world
    const leftMs = this.#slackMs + this.#sent / LEAST_BYTES_PER_MS - this.#waitedMs
    this.#waitingSince = clock.now()
    this.#callOffStall = clock.after(Math.min(STALL_MS_MAX, Math.max(0, leftMs)), () => this.#break('client stalled'))
  }

  #endWait(): void {
    this.#callOffStall?.()
    if (this.#waitingSince !== undefined) this.#waitedMs += this.#world.clock.now() - this.#waitingSince
    this.#waitingSince = undefined
  }

  /**
   * Holds the source to the announced length: a client must not take a part for the whole, nor two responses for one.
   */
  async #next(): Promise<IteratorResult<Uint8Array>> {
    const next = await this.#source.next()
    if (!next.done) this.#sent += next.value.length
    const isWrong = next.done ? this.#sent !== this.#length : this.#sent > this.#length
    if (isWrong && Number.isFinite(this.#length))
      throw new Error(`a download's source gave ${this.#sent} bytes where ${this.#length} were announced`)
    return next
  }

  #break(broken: NonNullable<DeliveryOutcome['broken']>): void {
    if (this.#isOver) return
    this.#abort.abort(new Error(`the download ended: ${broken}`))
    // An error cuts the connection, while closing would look like a complete response. Bun prints an error that has a
    // message.
    if (broken !== 'client went away') this.#controller?.error()
    void this.#end(broken)
  }

  async #end(broken?: DeliveryOutcome['broken']): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#callOffStall?.()
    await this.#sourceEnds()
    this.#leave()
    this.#ended.resolve({ sentBytes: this.#sent, ...(broken ? { broken } : {}) })
  }

  /** The source's `finally` blocks run before anything that it reads from is closed, unless it ignores the signal. */
  async #sourceEnds(): Promise<void> {
    const { clock, log } = this.#world
    let callOff: (() => void) | undefined
    const late = new Promise<void>(resolve => {
      callOff = clock.after(SOURCE_END_MS_MAX, () => {
        log.warn('the source of a download goes on though its client is gone; it takes no notice of its signal')
        resolve()
      })
    })
    const returned = Promise.resolve(this.#source.return?.()).catch(error => {
      if (!this.#abort.signal.aborted) log.warn({ err: error }, 'the source of a download failed at its end')
    })
    await Promise.race([returned, late])
    callOff?.()
  }
}

const deliveries = new WeakMap<Response, Promise<unknown>>()

/** Notes that a response is under way until `ended` settles. */
export function setEnd(response: Response, ended: Promise<unknown>): void {
  deliveries.set(response, ended)
}

/** Settles when the last byte of a response was sent; undefined where all of it is there already. */
export function endOf(response: Response): Promise<unknown> | undefined {
  return deliveries.get(response)
}
