import { Buffer } from 'node:buffer'
import { type Block, ReadingError } from '../../document/document.ts'
import { namedRows } from '../columns.ts'
import type { Parsed, Reading } from '../reading.ts'
import { decoderOf, type RtfToken, tokensOf } from './rtf-tokens.ts'

/** Groups that say how something looks, or are no part of the text. */
const PASSED = new Set(
  (
    'fonttbl colortbl stylesheet info pict objdata fldinst datafield generator listtable listoverridetable revtbl themedata colorschememapping latentstyles xmlnstbl pntxtb pntxta ' +
    'nonshppict annotation atnid atnauthor bkmkstart bkmkend template filetbl rsidtbl mmathPr sp shprslt'
  ).split(' '),
)
/** They stand on each page, and are read where nothing else is, as in a letterhead. */
const ON_EACH_PAGE = new Set('header headerl headerr headerf footer footerl footerr footerf'.split(' '))
/** Groups that begin as those that a reader may pass over, and hold text. */
const READ = new Set(['shppict', 'shptxt', 'shpinst'])
const SIGNS: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
  '~': ' ',
  _: '-',
}
const PARAGRAPH_ENDS = new Set(['par', 'sect', 'page'])
const HEADING_LEVEL_MAX = 6

interface State {
  isPassed: boolean
  /** Hidden or deleted text. */
  isHidden: boolean
  font: number
  /** So many characters stand behind a sign of Unicode for programs that do not know it. */
  skips: number
  destination: string
}

/** Rich text (RTF 1.9): paragraphs, headings by their outline, lists, tables and notes, in whatever encodings its fonts name. */
export function parseRtf(bytes: Uint8Array, { limits, warnings }: Reading): Parsed {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!/^\s*\{\\rtf/.test(all.toString('latin1', 0, 64))) {
    throw new ReadingError('FORMAT_MISMATCH', 'The file is not rich text (RTF).')
  }
  return { blocks: blocksOf(all, limits.nesting, warnings) }
}

function* blocksOf(bytes: Buffer, nestingMax: number, warnings: string[]): Generator<Block> {
  let isEmpty = true
  for (const block of new RtfReader(nestingMax, warnings).blocks(tokensOf(bytes))) {
    isEmpty = false
    yield block
  }
  if (isEmpty) yield* new RtfReader(nestingMax, [], new Set()).blocks(tokensOf(bytes))
}

class RtfReader {
  #state: State = { isPassed: false, isHidden: false, font: 0, skips: 1, destination: '' }
  readonly #stack: State[] = []
  readonly #fonts = new Map<number, string>()
  #fontOfTable = 0
  #codepage = 'windows-1252'
  #defaultFont = 0
  #bytes: number[] = []
  #text = ''
  /** The text of the paragraph with the note that is being read. */
  #noteIn: string | undefined
  #notes: string[] = []
  #toSkip = 0
  /** Nothing stands before it in its group. */
  #isFirst = false
  #level: number | undefined
  #depth = 0
  #isItem = false
  #isCell = false
  #cells: string[] = []
  #rows: string[][] = []

  constructor(
    private readonly nestingMax: number,
    private readonly warnings: string[],
    private readonly onEachPage: ReadonlySet<string> = ON_EACH_PAGE,
  ) {}

  *blocks(tokens: Iterable<RtfToken>): Generator<Block> {
    for (const token of tokens) {
      if (token.kind !== 'byte') this.#flush()
      const isFirst = this.#isFirst
      this.#isFirst = token.kind === 'open'
      if (token.kind === 'open') this.#open()
      else if (token.kind === 'close') this.#close()
      else if (token.kind === 'byte') this.#byte(token.byte)
      else if (token.word === '*') this.#state.destination = isFirst ? '*' : this.#state.destination
      else yield* this.#control(token.word, token.value)
    }
    this.#flush()
    yield* this.#paragraph()
    yield* this.#table()
    if (this.#stack.length > 0) this.warnings.push('The file is cut off: what stood at its end is missing.')
  }

  #open(): void {
    if (this.#stack.length >= this.nestingMax) {
      throw new ReadingError('LIMIT_EXCEEDED', `The file nests groups more than ${this.nestingMax} levels deep.`)
    }
    this.#stack.push(this.#state)
    this.#state = { ...this.#state, destination: '' }
    this.#toSkip = 0
  }

  #close(): void {
    if (this.#state.destination === 'footnote' && this.#noteIn !== undefined) {
      this.#notes.push(this.#text.replace(/\s+/g, ' ').trim())
      this.#text = this.#noteIn
      this.#noteIn = undefined
    }
    this.#state = this.#stack.pop() ?? this.#state
    this.#toSkip = 0
  }

  #byte(byte: number): void {
    if (this.#toSkip > 0) this.#toSkip--
    else if (!this.#state.isPassed && !this.#state.isHidden) this.#bytes.push(byte)
  }

  /** A letter may be several bytes, which stand one after another. */
  #flush(): void {
    if (this.#bytes.length === 0) return
    const charset = this.#fonts.get(this.#state.font) ?? this.#codepage
    this.#text += decoderOf(charset).decode(Uint8Array.from(this.#bytes))
    this.#bytes = []
  }

  *#control(word: string, value: number | undefined): Generator<Block> {
    const state = this.#state
    if (state.destination === '*' && !READ.has(word)) state.isPassed = true
    else if (PASSED.has(word) || this.onEachPage.has(word)) this.#pass(word)
    else if (word === 'f' && state.isPassed) this.#fontOfTable = value ?? 0
    else if (word === 'fcharset' && state.isPassed) this.#nameCharset(value ?? 0)
    else if (!state.isPassed) {
      if (state.destination === '*') state.destination = word
      this.#format(word, value)
      yield* this.#structure(word)
    }
  }

  #pass(word: string): void {
    this.#state.destination = word
    this.#state.isPassed = true
  }

  #nameCharset(charset: number): void {
    const name = CHARSETS[charset]
    if (name) this.#fonts.set(this.#fontOfTable, name)
  }

  #format(word: string, value: number | undefined): void {
    const state = this.#state
    if (word === 'ansicpg') this.#codepage = CODEPAGES[value ?? 0] ?? `windows-${value}`
    else if (word === 'mac') this.#codepage = 'macintosh'
    else if (word === 'deff') this.#defaultFont = state.font = value ?? 0
    else if (word === 'f') state.font = value ?? 0
    else if (word === 'plain') [state.isHidden, state.font] = [false, this.#defaultFont]
    else if (word === 'v' || word === 'deleted') state.isHidden = value !== 0
    else if (word === 'uc') state.skips = value ?? 1
    else if (word === 'u') this.#unicode(value ?? 0)
    else if (word === 'outlinelevel') this.#level = value
    else if (word === 'ilvl') this.#depth = value ?? 0
    else if (word === 'pntext' || word === 'listtext') [this.#isItem, state.destination] = [true, word]
    else if (word === 'intbl') this.#isCell = true
    else if (word === 'pard') [this.#level, this.#depth, this.#isCell] = [undefined, 0, false]
    else if (!state.isHidden) this.#text += SIGNS[word] ?? ''
  }

  #unicode(value: number): void {
    if (!this.#state.isHidden) this.#text += String.fromCharCode(value < 0 ? value + 65_536 : value)
    this.#toSkip = this.#state.skips
  }

  *#structure(word: string): Generator<Block> {
    if (word === 'footnote' && this.#noteIn === undefined) {
      this.#state.destination = word
      this.#noteIn = this.#text
      this.#text = ''
    }
    if (word === 'cell' || word === 'nestcell') {
      this.#cells.push(this.#text.replace(/\s+/g, ' ').trim())
      this.#text = ''
    } else if (word === 'row' || word === 'nestrow') {
      this.#rows.push(this.#cells)
      this.#cells = []
    } else if (PARAGRAPH_ENDS.has(word)) {
      if (this.#isCell || this.#noteIn !== undefined) this.#text += ' '
      else {
        yield* this.#table()
        yield* this.#paragraph()
      }
    }
  }

  *#paragraph(): Generator<Block> {
    const block = this.#blockOf(this.#text.replace(/[ \t]*\n[ \t]*/g, '\n').trim())
    this.#text = ''
    if (block) yield block
    for (const text of this.#notes.splice(0)) if (text) yield { kind: 'paragraph', text }
  }

  #blockOf(text: string): Block | undefined {
    const [level, isItem] = [this.#level, this.#isItem]
    // Its number or bullet says so of each item anew.
    this.#isItem = false
    if (!text) return undefined
    if (level !== undefined && level < HEADING_LEVEL_MAX && !text.includes('\n'))
      return { kind: 'heading', level: level + 1, text }
    if (!isItem) return { kind: 'paragraph', text }
    const item = text.replace(/^[\p{Co}•·▪◦o§–-]\s+/u, '').replace(/^(\S+)\t/, '$1 ')
    return { kind: 'item', depth: this.#depth, text: item }
  }

  *#table(): Generator<Block> {
    const rows = this.#rows
    if (this.#cells.length > 0) rows.push(this.#cells)
    this.#rows = []
    this.#cells = []
    yield* namedRows(rows)
  }
}

/** Character sets of fonts by their numbers. */
const CHARSETS: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
}
/** Pages of codes that have other names than their numbers. */
const CODEPAGES: Readonly<Record<number, string>> = {
  0: 'windows-1252',
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
}
