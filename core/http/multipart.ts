import type { Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { parse } from 'content-disposition'
import { AppError, validationError } from '../errors.ts'

/** One part of a `multipart/form-data` body (RFC 7578), in the order of the body. */
export interface Part {
  /** The form's name for it. */
  readonly name: string
  /**
   * The file name as the client sent it, without any folder; undefined for a text field, empty where a browser's user
   * chose no file.
   */
  readonly filename: string | undefined
  /** The client gives it neither the name nor the type of a file. */
  readonly isText: boolean
  /** The type that the client claims; `text/plain` where it claims none. */
  readonly contentType: string
  /** Streams the part's bytes as they arrive, to be read once and before the next part is asked for. */
  readonly content: AsyncIterable<Uint8Array>
}

/** The headers of one part may take so many bytes together; browsers send some 200. */
const HEADERS_MAX_BYTES = 16 * 1024
const HEADERS_MAX = 32

/** Returns the boundary that a content type names; RFC 2046 allows it 1 to 70 characters. */
export function boundaryOf(contentType: string): string | undefined {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;",]{1,70}))\s*(?:;|$)/i.exec(contentType)
  return found?.[1] ?? found?.[2]
}

/**
 * Splits a body into parts as it arrives; nothing is read ahead of the part at hand but what came in one chunk with it.
 * Unread parts are skipped. Throws VALIDATION_ERROR for a body that is no form, and whatever `body` throws.
 */
export async function* readParts(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  const splitter = new PartSplitter(boundary)
  const stop = splitter.feed(body)
  try {
    for (let part = await splitter.next(); part; part = await splitter.next()) {
      yield describe(part)
      part.stream.resume()
    }
  } finally {
    await stop()
  }
}

const HEADLESS = 'has a part whose headers do not end'

interface RawPart {
  /** Maps names in lower case to lists of values. */
  readonly headers: object
  readonly stream: Readable
}

/** Turns the events of the parser into parts that are awaited, with its pace set by the reader. */
class PartSplitter {
  readonly #parser: Dicer
  readonly #arrived: RawPart[] = []
  #current: Readable | undefined
  #wake = Promise.withResolvers<void>()
  #fault: { readonly error: unknown } | undefined
  #ended = false
  /** Counts parts whose headers have not ended; the parser drops one that never gets that far. */
  #headless = 0
  #drained: (() => void) | undefined

  constructor(boundary: string) {
    // The parser's types lack `maxHeaderSize`.
    const options = { boundary, maxHeaderPairs: HEADERS_MAX, maxHeaderSize: HEADERS_MAX_BYTES }
    this.#parser = new Dicer(options)
    this.#parser.on('part', stream => {
      // A fault of the body is the parser's too, which reports it.
      stream.on('error', () => undefined)
      if (this.#headless++ > 0) this.#fail(malformed(HEADLESS))
      stream.on('header', headers => {
        this.#headless = 0
        this.#arrived.push({ headers, stream })
        this.#tell()
      })
    })
    this.#parser.on('error', () => this.#fail(malformed('ends before its last boundary')))
    this.#parser.on('finish', () => {
      if (this.#headless > 0) this.#fail(malformed(HEADLESS))
      this.#ended = true
      this.#tell()
    })
  }

  /**
   * Passes the body on to the parser in the background.
   * @returns a function that ends it
   */
  feed(body: AsyncIterable<Uint8Array>): () => Promise<void> {
    const source = body[Symbol.asyncIterator]()
    let stopped = false
    const feeding = async () => {
      for (let next = await source.next(); !next.done && !stopped; next = await source.next()) {
        await this.#write(next.value)
      }
      if (!stopped) this.#parser.end()
    }
    const fed = feeding().catch(error => this.#fail(error))
    return async () => {
      stopped = true
      this.#drained?.()
      this.#current?.resume()
      this.#parser.destroy()
      void fed
      await source.return?.()
    }
  }

  async next(): Promise<RawPart | undefined> {
    for (;;) {
      if (this.#fault) throw this.#fault.error
      const part = this.#arrived.shift()
      if (part) {
        this.#current = part.stream
        return part
      }
      if (this.#ended) return undefined
      await this.#wake.promise
    }
  }

  #write(chunk: Uint8Array): Promise<void> {
    return new Promise(resolve => {
      this.#drained = resolve
      this.#parser.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), () => resolve())
    })
  }

  #fail(error: unknown): void {
    this.#fault ??= { error }
    const cause = error instanceof Error ? error : new Error('the body broke off', { cause: error })
    this.#current?.destroy(cause)
    for (const { stream } of this.#arrived) stream.destroy(cause)
    this.#tell()
  }

  #tell(): void {
    this.#wake.resolve()
    this.#wake = Promise.withResolvers()
  }
}

function describe({ headers, stream }: RawPart): Part {
  const given = header(headers, 'content-disposition')
  if (given === undefined) throw malformed('has a part without a Content-Disposition header')
  const { type, parameters } = parse(given, { multipart: true })
  const { name, filename } = parameters
  if (type !== 'form-data' || name === undefined) throw malformed('has a part without a name')
  const contentType = header(headers, 'content-type')
  return {
    name,
    isText: filename === undefined && contentType === undefined,
    filename: filename === undefined ? undefined : baseName(filename),
    contentType: contentType ?? 'text/plain',
    content: contentOf(stream),
  }
}

/** The parser hands headers over as Latin-1; senders write UTF-8 (RFC 7578, 5.1). */
function header(headers: object, name: string): string | undefined {
  const values: unknown = Reflect.get(headers, name)
  const first: unknown = Array.isArray(values) ? values[0] : undefined
  return typeof first === 'string' ? Buffer.from(first, 'latin1').toString('utf8') : undefined
}

/** Reads a stream without ending it early: what its reader leaves is skipped later. */
async function* contentOf(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield chunk
  } catch (error) {
    throw error instanceof AppError ? error : malformed('ends in the middle of a part')
  }
}

/** Some browsers sent the whole path of the sender's disk. */
function baseName(filename: string): string {
  return filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
}

function malformed(what: string): AppError {
  return validationError([{ path: 'body', message: `is no valid multipart form: it ${what}` }])
}
