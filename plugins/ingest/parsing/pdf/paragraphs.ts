import type { Block } from '../../document/document.ts'
import { highest } from '../extremes.ts'
import { glueBetween } from '../running-text.ts'
import { type Line, median } from './lines.ts'
import { TableColumns } from './table-columns.ts'

const BULLET = /^(?:[•‣▪◦●○■□–—*·-])\s+/
const NUMBERED = /^\(?(?:\d{1,3}|[a-z]|[ivx]{2,4})[.)]\s+\S/
const SENTENCE_END = /[.!?:;…。！？»”"')\]]\s*$/u
const HEADING_CHARS_MAX = 160
/** Letters so much larger than those of the text are a heading's. */
const HEADING_SIZES = [1.75, 1.4, 1.12] as const

/** A line of text, and what stands between it and the one before it. */
interface Part {
  text: string
  readonly glue: string
  /** The one before it ends within a word. */
  readonly isDivided: boolean
}

interface Open {
  readonly kind: 'heading' | 'item' | 'paragraph'
  readonly level: number
  readonly first: Line
  last: Line
  readonly parts: Part[]
  readonly lines: Line[]
  length: number
}

/** A listing has at least so many lines, most of which end well before its wide ones. One of them may be wider than what is below it. */
const LISTING_LINES_MIN = 5
const WIDE_LINE_QUANTILE = 0.9
const SHORT_LINE = 0.7
/** No word that a line's end divides is longer. */
const WORD_CHARS_MAX = 100

/** Puts lines together to headings, items and paragraphs; a paragraph may go on over the end of its page. */
export class Paragraphs {
  readonly #words: ReadonlySet<string>
  #open: Open | undefined
  /** Rows of the table so far. */
  #rows = 0
  #columns = new TableColumns()

  /** @param words those of the document, which tell a divided word from one that has a hyphen */
  constructor(words: ReadonlySet<string>) {
    this.#words = words
  }

  /** The blocks that are complete with the lines of a page. */
  *add(lines: readonly Line[], bodySize: number): Generator<Block> {
    const own = lines.filter(line => !line.isRepeated)
    const rhythm = rhythmOf(own)
    const right = highest(
      own.map(line => line.right),
      0,
    )
    for (const line of lines) {
      const level = levelOf(line, bodySize)
      if (line.isRepeated) {
        yield* this.#apart(line, level)
        continue
      }
      if (line.cells && level === 0) {
        yield* this.finish()
        yield this.#row(line, line.cells)
        continue
      }
      this.#rows = 0
      if (this.#open && this.#continues(this.#open, line, level, rhythm, right)) {
        this.#extend(this.#open, line)
        continue
      }
      yield* this.finish()
      const kind = level > 0 ? 'heading' : BULLET.test(line.text) || NUMBERED.test(line.text) ? 'item' : 'paragraph'
      const text = kind === 'item' ? line.text.replace(BULLET, '') : line.text
      this.#open = {
        kind,
        level,
        first: line,
        last: line,
        parts: [{ text, glue: '', isDivided: false }],
        lines: [line],
        length: text.length,
      }
    }
  }

  /** A line at the edge of its page, where a paragraph may go on over it. */
  *#apart(line: Line, level: number): Generator<Block> {
    const { text, page } = line
    if (this.#open?.kind === 'heading') yield* this.finish()
    if (line.cells) yield this.#row(line, line.cells)
    else yield level > 0 && !this.#open ? { kind: 'heading', level, text, page } : { kind: 'paragraph', text, page }
  }

  #row(line: Line, texts: readonly string[]): Block {
    if (this.#rows === 0) this.#columns = new TableColumns()
    const unwrapped = texts.map(cell => this.#unwrapped(cell))
    const cells = this.#columns.placed(unwrapped, line)
    const hasGaps = cells.length > texts.length
    return { kind: 'row', row: ++this.#rows, columns: [], cells, page: line.page, ...(hasGaps ? { hasGaps } : {}) }
  }

  *finish(): Generator<Block> {
    const open = this.#open
    this.#open = undefined
    if (!open) return
    const { kind, level, first, lines, parts } = open
    const isListing = kind === 'paragraph' && areShort(lines)
    const glueOf = ({ glue, isDivided }: Part, n: number) => (isListing && n > 0 && !isDivided ? '\n' : glue)
    const text = parts.map((part, n) => glueOf(part, n) + part.text).join('')
    if (!text.trim()) return
    const { page } = first
    if (kind === 'heading') yield { kind, level, text, page }
    else if (kind === 'item') yield { kind, depth: 0, text, page }
    else yield { kind, text, page }
  }

  #continues(open: Open, line: Line, level: number, rhythm: number, right: number): boolean {
    if (open.kind === 'heading' || level > 0) {
      return open.level === level && open.length + line.text.length < HEADING_CHARS_MAX && isNext(open.last, line, 1.9)
    }
    if (BULLET.test(line.text) || (NUMBERED.test(line.text) && isIndented(line, open.first))) return false
    const { last } = open
    if (line.page !== last.page || line.y > last.y + last.size) {
      // A new page or column: the paragraph goes on unless it was through.
      return !SENTENCE_END.test(last.text) || /^\p{Ll}/u.test(line.text)
    }
    const gap = last.y - line.y
    if (gap > Math.max(Math.min(rhythm, pitchOf(open)) * 1.35, line.size * 1.1) + 0.5) return false
    const wasShort = last.right < right - (right - last.x) * 0.25
    if (SENTENCE_END.test(last.text) && (wasShort || line.x > last.x + line.size * 0.9)) return false
    return true
  }

  /** The break between two lines is a space, nothing where a word was divided or none has spaces, or a hyphen of the word's own. */
  #extend(open: Open, line: Line): void {
    const { parts } = open
    const former = parts.at(-1)
    if (!former) return
    const [before, glue] = this.#broken(former.text, line.text)
    parts.push({ text: line.text, glue, isDivided: before !== former.text })
    former.text = before
    open.lines.push(line)
    open.last = line
    open.length += glue.length + line.text.length
  }

  #unwrapped(cell: string): string {
    const [first = '', ...others] = cell.split('\n')
    return others.reduce((text, line) => {
      const [before, glue] = this.#broken(text, line)
      return before + glue + line
    }, first)
  }

  /** The end of a line as it goes on in the next one, and what stands between them. */
  #broken(text: string, next: string): readonly [string, string] {
    const start = Math.max(0, text.length - WORD_CHARS_MAX)
    const divided = /(\p{L}+)[\u00ad\u2010-]\s*$/u.exec(text.slice(start))
    if (divided && /^\p{Ll}/u.test(next)) {
      const [, beginning = ''] = divided
      const end = /^[\p{L}]+/u.exec(next)?.[0] ?? ''
      const isOneWord = this.#words.has((beginning + end).toLowerCase())
      const hasHyphen = !isOneWord && this.#words.has(`${beginning}-${end}`.toLowerCase())
      return [text.slice(0, start + divided.index) + beginning, hasHyphen ? '-' : '']
    }
    const bare = text.replace(/\u00ad\s*$/, '')
    if (bare !== text) return [bare, '']
    return [text, glueBetween(text, next)]
  }
}

/** Lines of running text are filled; those of a listing or a directory say something each. */
function areShort(lines: readonly Line[]): boolean {
  if (lines.length < LISTING_LINES_MIN) return false
  const widths = lines.map(line => line.right - line.x).toSorted((a, b) => a - b)
  const wide = widths[Math.floor((widths.length - 1) * WIDE_LINE_QUANTILE)] ?? 0
  return widths.filter(width => width < wide * SHORT_LINE).length > lines.length / 2
}

/** Larger letters than the text's, in a line that is no sentence of its own length. */
function levelOf(line: Line, bodySize: number): number {
  if (line.text.length > HEADING_CHARS_MAX || !/\p{L}/u.test(line.text)) return 0
  const ratio = line.size / bodySize
  return HEADING_SIZES.findIndex(size => ratio >= size) + 1
}

function isNext(last: Line, line: Line, spread: number): boolean {
  return last.page === line.page && last.y > line.y && last.y - line.y < last.size * spread
}

function isIndented(line: Line, first: Line): boolean {
  return Math.abs(line.x - first.x) < line.size * 1.5
}

/** The distance of a paragraph's own lines, which says more than that of a page with much room between its parts. */
function pitchOf({ first, last, lines }: Open): number {
  const isOfOnePage = lines.length > 1 && first.page === last.page && first.y > last.y
  return isOfOnePage ? (first.y - last.y) / (lines.length - 1) : Number.POSITIVE_INFINITY
}

/** The usual distance from one line to the next. */
function rhythmOf(lines: readonly Line[]): number {
  const gaps = lines.slice(1).map((line, n) => (lines[n]?.y ?? 0) - line.y)
  const inside = gaps.filter(gap => gap > 1 && gap < 60)
  return inside.length > 0 ? median(inside) : 14
}

/** The size in which most of the text is set. */
export function bodySizeOf(lines: readonly Line[]): number {
  const characters = new Map<number, number>()
  for (const { size, text } of lines) {
    const rounded = Math.round(size * 2) / 2
    characters.set(rounded, (characters.get(rounded) ?? 0) + text.length)
  }
  return [...characters].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 10
}

/** The words of some lines but for the first and the last of each, of which a line's end may have taken a part. */
export function innerWords(lines: readonly Line[], into: Set<string>, wordsMax: number): void {
  for (const { text } of lines) {
    const words = text.toLowerCase().match(/[\p{L}]+(?:-[\p{L}]+)*/gu) ?? []
    for (const word of words.slice(0, -1)) if (into.size < wordsMax) into.add(word)
  }
}
