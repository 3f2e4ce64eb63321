import { create as contentDisposition } from 'content-disposition'
import type { Clock } from '../clock.ts'
import { fail } from '../errors.ts'
import { asPlugin } from '../faults/attribution.ts'
import type { Logger } from '../log.ts'
import { type Download, type DownloadRange, type DownloadSource, piecesOf } from './download.ts'
import { type ByteRange, isNotModified, quoted, rangeOf, type Version } from './preconditions.ts'
import { goneSignal, methodOf } from './request.ts'
import { jsonResponse } from './respond.ts'
import { KB } from './sizes.ts'
import type { Transfers } from './transfers.ts'

/** A download under way keeps so much in memory: the bytes that its client was given last. */
const STREAM_BYTES = 256 * 1024

type HeaderFields = Readonly<Record<string, string>>

/**
 * Responds to a GET or HEAD with a download, or with the part of it that the client lacks. Throws PRECONDITION_FAILED
 * and RANGE_NOT_SATISFIABLE (with its headers in `common`), and what opening the source throws.
 */
export async function deliver(
  download: Download,
  plugin: string,
  { request, holder }: Recipient,
  common: Record<string, string>,
  world: DeliveryWorld,
): Promise<Delivered> {
  const { source } = attributed(download, plugin)
  const version: Version = {
    etag: source.etag === undefined ? undefined : quoted(source.etag),
    lastModified: source.lastModified,
  }
  const headers: Record<string, string> = { ...common, ...describe(source, version, common) }
  if (isNotModified(request.headers, version)) return empty(304, headers)
  const isSized = source.size !== undefined
  const size = source.size ?? Number.POSITIVE_INFINITY
  const asked = methodOf(request) === 'HEAD' || !isSized ? undefined : rangeOf(request.headers, size, version)
  if (asked === 'unsatisfiable') {
    common['content-range'] = `bytes */${size}`
    throw fail('RANGE_NOT_SATISFIABLE')
  }
  const range = asked ?? { start: 0, end: size }
  headers['content-type'] = source.contentType
  if (isSized) headers['content-length'] = String(range.end - range.start)
  if (asked) headers['content-range'] = `bytes ${asked.start}-${asked.end - 1}/${size}`
  const status = asked ? 206 : 200
  if (methodOf(request) === 'HEAD' || range.end <= range.start) return empty(status, headers)
  return send(source, range, { status, headers }, { request, holder }, world)
}

function empty(status: number, headers: HeaderFields): Delivered {
  return { response: new Response(null, { status, headers }) }
}

/** Opens the source and waits for its first bytes, so that a failure to begin is still told by a status. */
async function send(
  source: DownloadSource,
  range: ByteRange,
  head: { readonly status: number; readonly headers: HeaderFields },
  { request, holder }: Recipient,
  world: DeliveryWorld,
): Promise<Delivered> {
  const length = range.end - range.start
  const open = () => new Delivery(signal => source.open({ ...range, signal }), length, goneSignal(request), world)
  if (length <= WHOLE_MAX_BYTES) return { response: new Response(await open().whole(), head) }
  const release = world.transfers.sending(holder, STREAM_BYTES)
  const delivery = open()
  void delivery.ended.then(release)
  await delivery.begin()
  // Bun 1.4 drops the length of any streamed body and sends it in chunks (https://github.com/oven-sh/bun/issues/10507);
  // HEAD and ranges tell it there too. Once that is mended, nothing has to change here.
  return { response: new Response(delivery.stream(), head), delivery }
}

/** Runs a download's source as its plugin's, so that later faults in it are traced back to that. */
function attributed({ source, ...rest }: Download, plugin: string): Download {
  const open = (range: DownloadRange): AsyncIterable<Uint8Array> => {
    const bytes = asPlugin(plugin, () => source.open(range)[Symbol.asyncIterator]())
    const next = () => asPlugin(plugin, () => bytes.next())
    const end = async (): Promise<IteratorResult<Uint8Array>> => {
      await asPlugin(plugin, () => bytes.return?.())
      return { done: true, value: undefined }
    }
    return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
  }
  return { ...rest, source: { ...source, open } }
}

/** A response with the JSON text of its body; undefined for one without a body. */
export interface JsonText {
  readonly status: number
  readonly text: string | undefined
  readonly headers: Record<string, string>
  /** The request has changed something, so a refusal would come too late. */
  readonly isDone: boolean
}

/**
 * Sends JSON. Large text counts among the responses of its recipient until its client has taken it. Throws SERVICE_UNAVAILABLE where the
 * recipient has too much under way already and reads none of it.
 */
export function deliverJson(json: JsonText, { request, holder }: Recipient, world: DeliveryWorld): Delivered {
  const { status, text, headers, isDone } = json
  // A character takes up to three bytes.
  const isShort = text === undefined || text.length * 3 <= WHOLE_MAX_BYTES
  const bytes = isShort ? 0 : Buffer.byteLength(text)
  if (isShort || bytes <= WHOLE_MAX_BYTES || methodOf(request) === 'HEAD')
    return { response: jsonResponse(status, text, headers) }
  const release = world.transfers.sending(holder, bytes, isDone)
  const head = { ...headers, 'content-type': 'application/json', 'content-length': String(bytes) }
  return deliverBytes(Buffer.from(text), { status, headers: head }, request, world, release)
}

/** The delivery lives until the client has read all, so it must not know the text that the bytes are of. */
function deliverBytes(
  bytes: Uint8Array,
  head: ResponseInit,
  request: Request,
  world: DeliveryWorld,
  release: () => void,
): Delivered {
  const open = () => piecesOf(bytes, { start: 0, end: bytes.length })
  const delivery = new Delivery(open, bytes.length, goneSignal(request), world, JSON_SLACK_MS)
  void delivery.ended.then(release)
  return { response: new Response(delivery.stream(), head), delivery, readyBytes: bytes.length }
}

/** Delivers a stream that a raw route returns, counted as under way like a download. */
export function deliverStream(response: Response, request: Request, world: DeliveryWorld): Delivered {
  const { body } = response
  if (!body || methodOf(request) === 'HEAD') return { response }
  const delivery = new Delivery(() => chunksOf(body), Number.POSITIVE_INFINITY, goneSignal(request), world)
  const { status, headers } = response
  return { response: new Response(delivery.stream(), { status, headers }), delivery }
}

/** Reads a stream so that it ends at once when it is no longer read; its own iterator would wait for its next chunk. */
function chunksOf(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = body.getReader()
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const { done, value } = await reader.read()
    return done ? { done, value: undefined } : { done, value }
  }
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    await reader.cancel()
    return { done: true, value: undefined }
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}

function describe(source: DownloadSource, { etag, lastModified }: Version, common: HeaderFields): HeaderFields {
  const { filename, disposition = filename === undefined ? undefined : 'attachment', cacheControl } = source
  // On a route with a key the pipeline says `no-store`, since a shared cache knows nothing of keys.
  const isPublic = common['cache-control'] === undefined
  return {
    // Browsers show the content as its declared type, whatever it looks like.
    'x-content-type-options': 'nosniff',
    'accept-ranges': source.size === undefined ? 'none' : 'bytes',
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified ? { 'last-modified': lastModified.toUTCString() } : {}),
    'cache-control': cacheControl ?? (isPublic ? 'no-cache' : 'private, no-cache'),
    ...(disposition ? { 'content-disposition': contentDisposition(filename, { type: disposition }) } : {}),
    ...source.headers,
  }
}

/** A response up to this size goes out whole, which is cheaper; most of it is in the system's buffers at once. */
export const WHOLE_MAX_BYTES = 256 * KB

/** A client that takes no byte for so long counts as gone. */
const STALL_MS_MAX = 120_000

/** All of a response has to be taken within this time and the time that its bytes need at the least rate; JSON is there at once and has less. */
const SLACK_MS = 5 * 60_000
const JSON_SLACK_MS = 30_000
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
  /** So many bytes are there when it begins to be sent: the rest of the time is its client's. */
  readonly readyBytes?: number
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
  readonly #ended = Promise.withResolvers<DeliveryOutcome>()
  readonly #leave: () => void
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #first: IteratorResult<Uint8Array> | undefined
  #callOffStall: (() => void) | undefined
  #sent = 0
  #isOver = false

  /** @param slackMs the client has so much time beside what the bytes need at the least rate */
  constructor(
    open: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
    length: number,
    gone: AbortSignal,
    world: DeliveryWorld,
    slackMs = SLACK_MS,
  ) {
    this.#world = world
    this.#length = length
    this.#source = open(this.#abort.signal)[Symbol.asyncIterator]()
    this.#leave = world.transfers.begin(() => this.#break('service stopped'))
    const leaving = () => this.#break('client went away')
    if (gone.aborted) leaving()
    gone.addEventListener('abort', leaving, { once: true })
    const maxMs = slackMs + length / LEAST_BYTES_PER_MS
    const callOff =
      Number.isFinite(maxMs) && !this.#isOver
        ? world.clock.after(maxMs, () => this.#break('client stalled'))
        : undefined
    void this.ended.then(() => {
      gone.removeEventListener('abort', leaving)
      callOff?.()
    })
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
    this.#callOffStall?.()
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
    this.#callOffStall = this.#world.clock.after(STALL_MS_MAX, () => this.#break('client stalled'))
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
