import { Buffer } from 'node:buffer'
import { MB } from 'mneme/plugin'
import { ReadingError } from '../../document/document.ts'
import type { ParsingLimits } from '../limits.ts'

/** Elements that say how something looks or where the writer has been, and nothing that is read. */
const LEFT_OUT = new Set(
  (
    'w:sectPr w:tblPr w:tblGrid w:proofErr w:bookmarkStart w:bookmarkEnd w:commentRangeStart w:commentRangeEnd ' +
    'w:lastRenderedPageBreak w:docDefaults w:latentStyles mc:Choice'
  ).split(' '),
)
/** These hold more than formatting, and only the children named here are read. */
const KEPT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['w:pPr', new Set(['w:pStyle', 'w:numPr', 'w:rPr'])],
  ['w:rPr', new Set(['w:del'])],
  ['w:trPr', new Set(['w:del', 'w:tblHeader'])],
  ['w:tcPr', new Set(['w:gridSpan', 'w:vMerge'])],
])
/** Nothing reads an attribute of these. */
const BARE = new Set(['w:p', 'w:r', 'w:t', 'w:tbl', 'w:tr', 'w:tc'])
/** Word divides a line where its formatting changes, or an editing session ended. */
const SEAM = Buffer.from('</w:t></w:r><w:r>')

/** Whatever stands in these opens and closes nothing. */
const PASSED_OVER = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<!', '>'],
  ['<?', '?>'],
] as const
const OPENING_CHARS_MAX = 9
const NAME_CHARS_MAX = 64
const [CLOSING, SLASH, EXCLAMATION, QUESTION, EQUALS, SPACE] = [0x3e, 0x2f, 0x21, 0x3f, 0x3d, 0x20] as const
const [DOUBLE_QUOTE, SINGLE_QUOTE] = [0x22, 0x27] as const

/**
 * Counts the markup of the parts of a Word document before anything is parsed, and takes out what only formats: readers of XML build some
 * kilobytes of objects for each element, and take the square of the time that its depth is. In what Word writes, most elements are formatting.
 */
export class LeanMarkup {
  #marks = 0
  #bytes = 0

  constructor(private readonly limits: Pick<ParsingLimits, 'nesting' | 'marks' | 'markupBytes'>) {}

  /** @throws ReadingError LIMIT_EXCEEDED where the parts so far hold more than a document may */
  of(part: Uint8Array): Uint8Array {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    const draft = new Draft(bytes)
    const open: string[] = []
    /** The number of elements around the one that is being left out. */
    let leavesOut: number | undefined
    for (let at = bytes.indexOf('<'); at !== -1; ) {
      const tag = tagAt(bytes, at)
      if (tag.kind === 'closing') open.pop()
      if (leavesOut !== undefined) {
        if (tag.kind === 'closing' && open.length <= leavesOut) leavesOut = undefined
        draft.leaveOut(tag)
      } else if (tag.kind === 'closing') draft.close(tag)
      else if (isLeftOut(tag, open)) {
        draft.leaveOut(tag)
        if (tag.kind === 'opening') leavesOut = open.length
      } else draft.open(tag)
      if (tag.kind === 'opening') open.push(tag.name)
      this.#require(open.length, draft)
      at = bytes.indexOf('<', tag.end)
    }
    const lean = draft.finish(leavesOut === undefined)
    this.#require(0, draft)
    this.#marks += draft.marks
    this.#bytes += lean.byteLength
    return lean
  }

  #require(depth: number, { marks, length }: Draft): void {
    const { nesting, marks: marksMax, markupBytes } = this.limits
    if (depth > nesting) throw exceeded(`nests its parts more than ${nesting} levels deep.`)
    if (this.#marks + marks > marksMax)
      throw exceeded(`has more than ${marksMax} paragraphs, cells and other elements. Divide it and send its parts.`)
    if (this.#bytes + length > markupBytes)
      throw exceeded(`holds more than ${markupBytes / MB} MB of text. Divide it and send its parts.`)
  }
}

function exceeded(by: string): ReadingError {
  return new ReadingError('LIMIT_EXCEEDED', `The Word document ${by}`)
}

function isLeftOut({ name }: Tag, open: readonly string[]): boolean {
  const within = open.at(-1) ?? ''
  // Only the mark at the end of a paragraph can be deleted by the properties of letters.
  if (name === 'w:rPr') return within !== 'w:pPr'
  return LEFT_OUT.has(name) || KEPT.get(within)?.has(name) === false
}

/** Holds what is left of a part, and is written as its tags are met. */
class Draft {
  marks = 0
  length = 0
  readonly #target: Buffer
  /** Everything before this place is written or left out. */
  #doneTo = 0

  constructor(private readonly source: Buffer) {
    this.#target = Buffer.allocUnsafe(source.length)
  }

  leaveOut({ start, end }: Tag): void {
    this.#copyTo(start)
    this.#doneTo = end
  }

  open(tag: Tag): void {
    const { name, start, end, kind, marks } = tag
    this.#copyTo(start)
    this.#doneTo = end
    if (name === 'w:t' && kind === 'opening' && this.#endsWith(SEAM)) {
      this.#takeBack(SEAM.length)
      return
    }
    const isBare = BARE.has(name) && kind === 'opening' && !this.source.subarray(start, end).includes('xmlns')
    if (isBare) this.length += this.#target.write(`<${name}>`, this.length, 'latin1')
    else this.length += this.source.copy(this.#target, this.length, start, end)
    this.marks += isBare ? 1 : marks
  }

  close(tag: Tag): void {
    this.#copyTo(tag.start)
    const empty = KEPT.has(tag.name) ? Buffer.from(`<${tag.name}>`) : undefined
    if (!empty || !this.#endsWith(empty)) return
    this.#takeBack(empty.length)
    this.#doneTo = tag.end
  }

  /** @param isWhole false where the part ends within what is left out */
  finish(isWhole: boolean): Uint8Array {
    if (isWhole) this.#copyTo(this.source.length)
    return this.#target.subarray(0, this.length)
  }

  /** Takes an element back with what was written since it was opened. */
  #takeBack(bytes: number): void {
    this.length -= bytes
    this.marks--
  }

  #endsWith(bytes: Buffer): boolean {
    return this.#target.subarray(Math.max(0, this.length - bytes.length), this.length).equals(bytes)
  }

  #copyTo(end: number): void {
    if (end > this.#doneTo) this.length += this.source.copy(this.#target, this.length, this.#doneTo, end)
    this.#doneTo = Math.max(this.#doneTo, end)
  }
}

/** A tag as it is written, or a comment, a declaration or the like. */
interface Tag {
  readonly kind: 'opening' | 'closing' | 'empty' | 'other'
  readonly name: string
  readonly start: number
  /** The place behind it. */
  readonly end: number
  /** One for its element, and at least one for each of its attributes, also where these are not written as they should be. */
  readonly marks: number
}

function tagAt(bytes: Buffer, start: number): Tag {
  const next = bytes[start + 1]
  if (next === EXCLAMATION || next === QUESTION) return otherAt(bytes, start)
  let [quote, nameEnd, spaces, signs]: [number | undefined, number, number, number] = [undefined, 0, 0, 0]
  let at = start + 1
  for (; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    // A `>` within a quoted value does not end the tag.
    if (quote !== undefined) {
      if (byte === quote) quote = undefined
      continue
    }
    if (byte === CLOSING) break
    if (byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE) quote = byte
    else if (byte === EQUALS) signs++
    else if (byte <= SPACE) spaces++
    if (nameEnd === 0 && byte <= SPACE) nameEnd = at
  }
  const kind = next === SLASH ? 'closing' : bytes[at - 1] === SLASH ? 'empty' : 'opening'
  const from = kind === 'closing' ? start + 2 : start + 1
  const to = Math.min(nameEnd || (kind === 'empty' ? at - 1 : at), from + NAME_CHARS_MAX)
  const name = bytes.toString('latin1', from, to)
  return { kind, name, start, end: Math.min(at + 1, bytes.length), marks: 1 + Math.max(spaces, signs) }
}

function otherAt(bytes: Buffer, start: number): Tag {
  const opening = bytes.toString('latin1', start, start + OPENING_CHARS_MAX)
  const close = PASSED_OVER.find(([begins]) => opening.startsWith(begins))?.[1] ?? '>'
  const end = bytes.indexOf(close, start + 2)
  return { kind: 'other', name: '', start, end: end === -1 ? bytes.length : end + close.length, marks: 1 }
}
