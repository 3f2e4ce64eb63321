import type { Steps } from '../background/steps.ts'
import { validationError } from '../errors.ts'

/** A JSON document may hold so much; its bytes are counted before anything is built from them. */
export interface JsonLimits {
  /** Objects and lists may lie within each other so deep. */
  readonly levels: number
  /** Counts values, nested ones included. */
  readonly values: number
  /** Bounds the bytes of one text as it is written, escapes included: no parser can take one in pieces. */
  readonly textBytes: number
}

/** A list or object that is too long to be parsed without a pause. */
export interface Container {
  readonly isList: boolean
  /** Its members in order: the bytes from one comma to another, or one member that is such a container itself. */
  readonly parts: readonly ContainerPart[]
}

/** `from` to `to` lie within the container; before a `child` that is its key, if any. */
export interface ContainerPart {
  readonly from: number
  readonly to: number
  readonly child?: Container
}

/** The result of the scan; without a root the document is short enough for `JSON.parse`. */
export interface JsonOutline {
  readonly root: Container | undefined
}

/** Longer runs of bytes are parsed in pieces of about this size: up to a millisecond each, where it is all short keys. */
export const PIECE_BYTES = 16 * 1024

/** So many bytes are scanned before others get a turn. */
const SLICE_BYTES = 128 * 1024

/**
 * Scans the bytes of a document once, without building anything of it: it counts levels and values, finds integers that
 * a double would round, and marks where a long document can be cut. Throws a VALIDATION_ERROR that does not quote the
 * document; the grammar itself is left to the parser.
 */
export function* outlineSteps(bytes: Uint8Array, limits: JsonLimits): Steps<JsonOutline> {
  const scanner = new Scanner(bytes, limits)
  while (scanner.scan(SLICE_BYTES)) yield
  return scanner.outline()
}

/**
 * Marks where a list or object began that is not closed yet, and how its bytes are cut so far. The next one of its
 * level reuses it.
 */
class OpenContainer {
  start = 0
  isList = false
  /** The bytes that no part holds yet begin here. */
  pieceStart = 0
  /** The member under way begins here. */
  memberStart = 0
  /** Behind a child of its own part nothing may stand before the next comma. */
  childEnd = -1
  parts: ContainerPart[] = []
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const MINUS = 0x2d

class Scanner {
  readonly #bytes: Uint8Array
  readonly #limits: JsonLimits
  /** Indexed by level, and grown as levels are met. */
  readonly #open: OpenContainer[] = []
  #at = 0
  #level = 0
  #values = 1
  /** The text that was read last, which is the key before a value of an object. */
  #text: [from: number, to: number] = [0, 0]
  #root: Container | undefined

  constructor(bytes: Uint8Array, limits: JsonLimits) {
    this.#bytes = bytes
    this.#limits = limits
  }

  /**
   * Scans about `count` more bytes.
   * @returns whether there are more
   */
  scan(count: number): boolean {
    const bytes = this.#bytes
    const until = Math.min(bytes.length, this.#at + count)
    while (this.#at < until) {
      const byte = bytes[this.#at] ?? 0
      if (byte === QUOTE) this.#skipText()
      else if (byte === COMMA) this.#separate()
      else if (byte === 0x7b || byte === 0x5b) this.#enter(byte === 0x5b)
      else if (byte === 0x7d || byte === 0x5d) this.#leave(byte === 0x5d)
      else if (byte === MINUS || isDigit(byte)) this.#skipNumber()
      else this.#at++
    }
    return this.#at < bytes.length
  }

  outline(): JsonOutline {
    if (this.#level > 0) throw malformed()
    return { root: this.#root }
  }

  #skipText(): void {
    const bytes = this.#bytes
    const from = this.#at
    const end = Math.min(bytes.length, from + this.#limits.textBytes + 2)
    let at = from + 1
    while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
    if (at >= bytes.length) throw malformed()
    if (at >= end) throw fault(`must have no text of more than ${this.#limits.textBytes} bytes`)
    this.#text = [from, at + 1]
    this.#at = at + 1
  }

  #skipNumber(): void {
    const bytes = this.#bytes
    const from = this.#at
    let at = from
    let isWhole = true
    for (let byte = bytes[++at] ?? 0; isNumeric(byte); byte = bytes[++at] ?? 0) isWhole &&= isDigit(byte)
    this.#at = at
    // No shorter integer is beyond what a double holds exactly.
    if (isWhole && at - from > 15) this.#refuseInexact(from, at)
  }

  /** An integer that a double would round becomes a fault: nobody notices an id that is off by one. */
  #refuseInexact(from: number, to: number): void {
    // A double has at most 309 digits, so the beginning of a longer run says enough.
    const digits = decoder.decode(this.#bytes.subarray(from, Math.min(to, from + 400)))
    if (Number.isSafeInteger(Number(digits))) return
    const isMember = this.#level > 0 && !this.#open[this.#level]?.isList
    const where = isMember ? `under ${decoder.decode(this.#bytes.subarray(...this.#text))}` : 'in a list'
    throw fault(`holds an integer beyond 2^53 ${where}, which cannot be kept exactly; send it as text`)
  }

  #enter(isList: boolean): void {
    this.#count()
    if (++this.#level > this.#limits.levels) throw fault(`must have at most ${this.#limits.levels} levels`)
    const opened = this.#open[this.#level] ?? new OpenContainer()
    this.#open[this.#level] = opened
    opened.start = this.#at++
    opened.isList = isList
    opened.pieceStart = opened.memberStart = this.#at
    opened.childEnd = -1
    if (opened.parts.length > 0) opened.parts = []
  }

  #separate(): void {
    this.#count()
    const at = this.#at++
    const within = this.#open[this.#level]
    if (this.#level === 0 || !within) throw malformed()
    within.memberStart = this.#at
    if (within.childEnd >= 0) {
      this.#requireBlank(within.childEnd, at)
      within.childEnd = -1
      within.pieceStart = this.#at
    } else if (at - within.pieceStart > PIECE_BYTES) {
      within.parts.push({ from: within.pieceStart, to: at })
      within.pieceStart = this.#at
    }
  }

  #leave(isList: boolean): void {
    const closed = this.#open[this.#level]
    if (this.#level === 0 || !closed || closed.isList !== isList) throw malformed()
    const end = this.#at++
    this.#level--
    if (end - closed.start <= PIECE_BYTES) return
    if (closed.childEnd >= 0) this.#requireBlank(closed.childEnd, end)
    else closed.parts.push({ from: closed.pieceStart, to: end })
    const child = { isList, parts: closed.parts }
    closed.parts = []
    if (this.#level === 0) this.#endRoot(child, closed.start)
    else this.#hold(child, closed.start)
  }

  /** Makes a long child a part of its own, and the members before it another. */
  #hold(child: Container, start: number): void {
    const within = this.#open[this.#level]
    if (!within) throw malformed()
    const { pieceStart, memberStart } = within
    if (pieceStart < memberStart) within.parts.push({ from: pieceStart, to: memberStart - 1 })
    within.parts.push({ from: memberStart, to: start, child })
    within.childEnd = this.#at
  }

  #endRoot(root: Container, start: number): void {
    if (this.#root) throw malformed()
    // A byte order mark may go before it.
    const hasMark = this.#bytes[0] === 0xef && this.#bytes[1] === 0xbb && this.#bytes[2] === 0xbf
    this.#requireBlank(hasMark ? 3 : 0, start)
    this.#requireBlank(this.#at, this.#bytes.length)
    this.#root = root
  }

  #requireBlank(from: number, to: number): void {
    for (let at = from; at < to; at++) if (!isBlank(this.#bytes[at] ?? 0)) throw malformed()
  }

  #count(): void {
    if (++this.#values > this.#limits.values) throw fault(`must have at most ${this.#limits.values} values`)
  }
}

const decoder = new TextDecoder()

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

/** A number consists of digits, `+`, `-`, `.`, `E` and `e`. */
function isNumeric(byte: number): boolean {
  return isDigit(byte) || byte === 0x2b || byte === MINUS || byte === 0x2e || byte === 0x45 || byte === 0x65
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
}

/** The error carries neither a parser's message nor its cause, as both can quote the document. */
export function malformed() {
  return fault('is not valid JSON in UTF-8')
}

function fault(message: string) {
  return validationError([{ path: 'body', message }])
}
