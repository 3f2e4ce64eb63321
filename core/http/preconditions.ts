import type { AppError } from '../errors.ts'
import { fail } from '../errors.ts'

/** Identifies one version of a resource among others (RFC 9110, 8.8). */
export interface Version {
  /** The quoted tag, `W/` before it where two versions with it may differ in bytes. */
  readonly etag: string | undefined
  readonly lastModified: Date | undefined
}

/** Ranges from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Writes an entity tag as a header holds it: bare text is quoted. */
export function quoted(etag: string): string {
  return /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag) ? etag : `"${etag.replace(/[^\x21\x23-\x7e]/g, '')}"`
}

/**
 * Tells whether the response to a GET or HEAD is 304 instead of the content, by RFC 9110, 13.2.2. Throws
 * PRECONDITION_FAILED.
 */
export function isNotModified(headers: Headers, version: Version): boolean {
  const match = headers.get('if-match')
  const unmodifiedSince = dateOf(headers.get('if-unmodified-since'))
  if (match !== null ? !lists(match, version.etag, isSameStrongly) : isAfter(version.lastModified, unmodifiedSince))
    throw preconditionFailed()
  const noneMatch = headers.get('if-none-match')
  if (noneMatch !== null) return lists(noneMatch, version.etag, isSameWeakly)
  const modifiedSince = dateOf(headers.get('if-modified-since'))
  return (
    modifiedSince !== undefined && version.lastModified !== undefined && !isAfter(version.lastModified, modifiedSince)
  )
}

/**
 * Returns the range that a `Range` header requests; undefined for the whole: without one, with one in another unit,
 * with several ranges (a server may ignore them), and where `If-Range` names another version.
 */
export function rangeOf(headers: Headers, size: number, version: Version): ByteRange | 'unsatisfiable' | undefined {
  const asked = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(headers.get('range') ?? '')
  if (!asked || !isStill(headers.get('if-range'), version)) return undefined
  const [first, last] = [asked[1] ?? '', asked[2] ?? '']
  if (first === '') {
    if (last === '') return undefined
    // The range means the last bytes, all of them where there are fewer.
    return Number(last) === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size }
  }
  const [start, end] = [Number(first), last === '' ? size : Math.min(size, Number(last) + 1)]
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}

/** `If-Range` requires the very same bytes, so that the part fits to those that the client has. */
function isStill(condition: string | null, { etag, lastModified }: Version): boolean {
  if (condition === null) return true
  if (/^(?:W\/)?"/.test(condition)) return etag !== undefined && isSameStrongly(condition.trim(), etag)
  const date = dateOf(condition)
  return date !== undefined && lastModified !== undefined && toSeconds(lastModified) === toSeconds(date)
}

function lists(header: string, etag: string | undefined, isSame: (a: string, b: string) => boolean): boolean {
  if (header.trim() === '*') return true
  const listed = header.match(/(?:W\/)?"[^"]*"/g) ?? []
  return etag !== undefined && listed.some(each => isSame(each, etag))
}

function isSameStrongly(a: string, b: string): boolean {
  return a === b && !a.startsWith('W/')
}

function isSameWeakly(a: string, b: string): boolean {
  return a.replace(/^W\//, '') === b.replace(/^W\//, '')
}

function isAfter(modified: Date | undefined, since: Date | undefined): boolean {
  return modified !== undefined && since !== undefined && toSeconds(modified) > toSeconds(since)
}

/** HTTP dates have no fractions of seconds. */
function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

function dateOf(header: string | null): Date | undefined {
  const time = Date.parse(header ?? '')
  return Number.isNaN(time) ? undefined : new Date(time)
}

function preconditionFailed(): AppError {
  return fail('PRECONDITION_FAILED')
}
