import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import mime from 'mime/lite'
import type { ByteRange } from './preconditions.ts'

/**
 * The range of a download that is to be read. `signal` aborts when the client goes away, stalls, or the service stops.
 */
export interface DownloadRange extends ByteRange {
  readonly signal: AbortSignal
}

export interface DownloadDescription {
  /** e.g. `text/csv; charset=utf-8` */
  readonly contentType: string
  /** The client saves it under this name, in any script. */
  readonly filename?: string
  /** `inline` where a browser may show it; `attachment` is the default where a filename is given. */
  readonly disposition?: 'attachment' | 'inline'
  /** Identifies this very content, e.g. its hash; it lets a repeated download end with 304 and a broken one resume. */
  readonly etag?: string
  readonly lastModified?: Date
  /** `private, no-cache` by default: the client keeps it and revalidates it each time. On a public route `no-cache`. */
  readonly cacheControl?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface DownloadSource extends DownloadDescription {
  /** The size of the whole, in bytes. Without it the length is not told and no range can be requested. */
  readonly size?: number
  /**
   * Reads the requested bytes, exactly as many; without a size `end` is Infinity. Called once, and not at all for HEAD,
   * 304 and 416. An AppError before its first bytes is the response; any later failure cuts the connection, so that
   * nobody takes a part for the whole.
   */
  open(range: DownloadRange): AsyncIterable<Uint8Array>
}

/** A streamed response, which `download` makes and a handler returns. */
export interface Download {
  readonly kind: 'download'
  readonly source: DownloadSource
}

export function isDownload(result: object): result is Download {
  return 'kind' in result && result.kind === 'download'
}

/**
 * Responds with a stream of bytes: length, name, ETag, `Range` and `HEAD` are handled. The request counts as under way
 * until the last byte, so whatever `open` reads from stays open until then.
 */
export function download(source: DownloadSource): Download {
  return { kind: 'download', source }
}

/** Makes a download of a file on disk; throws what `stat` throws. Content type and name are the file's by default. */
export async function fileDownload(path: string, description: Partial<DownloadDescription> = {}): Promise<Download> {
  const { size, mtime } = await stat(path)
  return download({
    contentType: contentTypeOf(path),
    filename: basename(path),
    lastModified: mtime,
    ...description,
    size,
    open: range => readFileRange(path, range),
  })
}

/** Makes a download of a text that is made once and read by many: their responses share its bytes. */
export function textDownload(text: string, contentType: string): Download {
  const bytes = Buffer.from(text)
  const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 32)
  return download({ contentType, etag, size: bytes.length, open: range => piecesOf(bytes, range) })
}

const PIECE_BYTES = 64 * 1024

/** Gives a part of what is in memory piece by piece. */
export async function* piecesOf(bytes: Uint8Array, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += PIECE_BYTES) yield bytes.subarray(at, Math.min(end, at + PIECE_BYTES))
}

/** Guesses the type by the ending of a name; text is UTF-8. */
export function contentTypeOf(filename: string): string {
  const type = mime.getType(filename) ?? 'application/octet-stream'
  return /^text\/|^application\/(?:json|manifest\+json|xml)$|^image\/svg/.test(type) ? `${type}; charset=utf-8` : type
}

const READ_BYTES = 256 * 1024

export async function* readFileRange(path: string, { start, end, signal }: DownloadRange): AsyncGenerator<Uint8Array> {
  if (end <= start) return
  yield* createReadStream(path, { start, end: end - 1, highWaterMark: READ_BYTES, signal })
}
