import { Readable } from 'node:stream'
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
  const source = Readable.from(body)
  const parts = new Readable({ objectMode: true, read: () => undefined })
  let current: Readable | undefined
  const failed = (error: unknown) => {
    const cause = error instanceof Error ? error : new Error('the body broke off', { cause: error })
    current?.destroy(cause)
    parts.destroy(cause)
  }
  const parser = createParser(boundary, part => void parts.push(part), failed)
  parser.on('finish', () => void parts.push(null))
  source.on('error', failed).pipe(parser)
  try {
    for await (const part of parts as AsyncIterable<RawPart>) {
      current = part.stream
      yield describe(part)
      part.stream.resume()
    }
  } finally {
    current?.resume()
    source.destroy()
    parser.destroy()
  }
}

const HEADLESS = 'has a part whose headers do not end'

interface RawPart {
  /** Maps names in lower case to lists of values. */
  readonly headers: object
  readonly stream: Readable
}

function createParser(boundary: string, arrived: (part: RawPart) => void, failed: (error: unknown) => void): Dicer {
  // The parser's types lack `maxHeaderSize`.
  const options = { boundary, maxHeaderPairs: HEADERS_MAX, maxHeaderSize: HEADERS_MAX_BYTES }
  const parser = new Dicer(options)
  /** Counts parts whose headers have not ended; the parser drops one that never gets that far. */
  let headless = 0
  parser.on('part', stream => {
    // A fault of the body is the parser's too, which reports it.
    stream.on('error', () => undefined)
    if (headless++ > 0) failed(malformed(HEADLESS))
    stream.on('header', headers => {
      headless = 0
      arrived({ headers, stream })
    })
  })
  parser.on('error', () => failed(malformed('ends before its last boundary')))
  parser.on('finish', () => headless > 0 && failed(malformed(HEADLESS)))
  return parser
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
