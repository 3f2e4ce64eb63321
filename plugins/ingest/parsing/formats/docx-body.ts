import { Buffer } from 'node:buffer'
import type { WordChunks } from './docx-chunks.ts'
import { escaped, wordFormula } from './docx-formula.ts'
import type { LookOfText } from './docx-markup.ts'
import type { ListParagraph, WordNumbering } from './docx-numbering.ts'
import { attributeOf, type Tag, tagAt } from './docx-tags.ts'
import { wholeOf } from './docx-xml.ts'

/** The text of these stands in parts of their own. */
const ELSEWHERE = new Set(
  'w:subDoc dgm:relIds c:chart cx:chart o:OLEObject w:control w:contentPart w14:contentPart'.split(' '),
)
/** Words of a change that are no more there. */
const GONE = new Set(['w:del', 'w:moveFrom'])
const DRAWINGS = new Set(['w:drawing', 'w:pict'])

interface Paragraph extends ListParagraph {
  style: string | undefined
  list: string | undefined
  level: string | undefined
  /** Its mark is deleted, so that it goes on in the next one. */
  isDeleted: boolean
  /** Words of it are deleted or moved. */
  isChanged: boolean
  /** Stands before its first letters. */
  label: string
  /** Stands between a formula and what follows it, or before one. */
  gap: '' | 'space' | 'line'
  hasText: boolean
  /** The width of its letters, as far as it is known: all of one width are those of code. */
  isFixed: boolean | undefined
  line: number
  longest: number
  /** Where it begins in what is written, for what is known at its end. */
  readonly out: string[]
  readonly start: number
}

/** The style that paragraphs of code get, which keep their spaces. */
export const CODE = 'TextOfOneWidth'
/** Longer lines in letters of one width are running text, as of a typescript. */
const CODE_LINE_MAX = 200

/**
 * Writes what mammoth cannot read of a part of a Word document as text that it can: the numbers of lists, formulas, the text of drawings and what was chosen of a list of
 * choices.
 */
export class WordBody {
  /** The number of things in the part whose text was left out. */
  leftOut = 0
  /** The part as it is read. */
  readonly written: Uint8Array
  readonly #bytes: Buffer
  #doneTo = 0
  #out: string[] = []
  #paragraphs: Paragraph[] = []
  /** Keeps the outer text while that of a drawing is written, which comes after it. */
  #outer: string[][] = []
  /** The texts of each drawing that is open. */
  #drawings: string[][] = []
  #gone = 0
  #cells = 0
  #choice: { chosen: number; entries: string[] } | undefined
  #isRunFixed = false
  /** Tells whether formulas are set apart from the text. */
  #isApart = false
  /** Where the text of the run begins. */
  #textStart = 0

  /**
   * @param part without what only formats
   * @param numbering of the document, which counts on from part to part
   */
  constructor(
    part: Uint8Array,
    private readonly numbering: WordNumbering,
    private readonly styles: LookOfText,
    private readonly chunks: Pick<WordChunks, 'mark'>,
  ) {
    this.#bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    for (let at = this.#bytes.indexOf('<'); at !== -1; ) {
      const tag = tagAt(this.#bytes, at)
      const isFormula = tag.name === 'm:oMath' && tag.kind === 'opening'
      if (tag.kind === 'closing') this.#close(tag)
      else if (tag.kind !== 'other' && !isFormula) this.#open(tag)
      at = this.#bytes.indexOf('<', isFormula ? this.#formula(tag) : tag.end)
    }
    this.#copyTo(this.#bytes.length)
    // A part that ends within a drawing is damaged, which mammoth says.
    this.written = Buffer.from([...this.#outer.flat(), ...this.#out].join(''))
  }

  #open(tag: Tag): void {
    const { name, kind } = tag
    const paragraph = this.#paragraphs.at(-1)
    if (ELSEWHERE.has(name)) this.leftOut++
    if (GONE.has(name) && kind === 'opening') {
      this.#gone++
      if (paragraph) paragraph.isChanged = true
    }
    if (name === 'w:tc' && kind === 'opening') this.#cells++
    if (name === 'w:r' && kind === 'opening') this.#isRunFixed = this.styles.fixed.has(paragraph?.style ?? '')
    // Only properties of letters of one width are left in the part.
    else if (name === 'w:rFonts' || name === 'w:rStyle') this.#isRunFixed = true
    else if (name === 'w:p' && kind === 'opening') this.#openParagraph(tag)
    else if (name === 'w:t' && kind === 'opening') {
      this.#insert(tag.start, this.#gap().trim())
      this.#insert(tag.end, this.#label())
      this.#textStart = tag.end
    } else if (name === 'w:sym') this.#insert(tag.start, this.#gap().trim() + inText(this.#label()))
    else if (name === 'w:br' || name === 'w:tab') this.#break(name)
    else if (name === 'm:oMathPara') this.#setApart(tag, kind === 'opening')
    else if (name === 'w:altChunk') this.#chunk(tag)
    else if (DRAWINGS.has(name) && kind === 'opening') this.#drawings.push([])
    else if (name === 'w:txbxContent' && kind === 'opening' && this.#drawings.length > 0) {
      this.#copyTo(tag.start)
      this.#outer.push(this.#out)
      this.#out = []
    } else if (name === 'w:ddList') this.#choice = { chosen: 0, entries: [] }
    else if (paragraph && name === 'w:pStyle') paragraph.style ??= this.#value(tag)
    else if (paragraph && name === 'w:numId') paragraph.list ??= this.#value(tag)
    else if (paragraph && name === 'w:ilvl') paragraph.level ??= this.#value(tag)
    else if (paragraph && name === 'w:del') paragraph.isDeleted = true
    else if (this.#choice) this.#choose(this.#choice, tag)
  }

  #close(tag: Tag): void {
    const { name, start, end } = tag
    const paragraph = this.#paragraphs.at(-1)
    if (GONE.has(name)) this.#gone--
    if (name === 'w:tc') this.#cells--
    if (name === 'w:p') this.#endParagraph(start)
    else if (name === 'w:t' && paragraph) this.#measure(paragraph, this.#bytes.toString('utf8', this.#textStart, start))
    else if (name === 'm:oMathPara') this.#setApart(tag, false)
    else if (name === 'w:altChunk') this.#take(tag)
    else if (name === 'w:pPr' && paragraph && !paragraph.isDeleted) this.#number(paragraph, start)
    else if (name === 'w:txbxContent' && this.#outer.length > 0) {
      this.#copyTo(end)
      this.#drawings.at(-1)?.push(this.#out.join(''))
      this.#out = this.#outer.pop() ?? []
    } else if (DRAWINGS.has(name)) {
      this.#copyTo(end)
      const texts = this.#drawings.pop() ?? []
      if (texts.length > 0) this.#out.push('<w:pict>', ...texts, '</w:pict>')
    } else if (name === 'w:fldChar' && this.#choice) {
      const { entries, chosen } = this.#choice
      this.#choice = undefined
      this.#insert(end, inText(entries[chosen] ?? ''))
    }
  }

  /** Writes a formula as a run of text, or as a paragraph where it stands in none. @returns the place behind it */
  #formula(tag: Tag): number {
    const close = this.#bytes.indexOf('</m:oMath>', tag.end)
    const end = close === -1 ? this.#bytes.length : close + '</m:oMath>'.length
    const formula = wordFormula(this.#bytes.toString('utf8', tag.start, end))
    const paragraph = this.#paragraphs.at(-1)
    const gap = this.#gap()
    const run = `<w:r>${gap === ' ' ? inText(gap) : gap}${inText(this.#label() + escaped(formula))}</w:r>`
    this.#insert(tag.start, paragraph ? run : `<w:p>${run}</w:p>`)
    if (paragraph) {
      paragraph.hasText = true
      paragraph.isFixed = false
      paragraph.gap = this.#isApart ? 'line' : 'space'
    }
    this.#doneTo = end
    return end
  }

  /** A formula that is set apart begins on a line of its own, and so does what follows it. */
  #setApart(tag: Tag, isApart: boolean): void {
    this.#take(tag)
    this.#isApart = isApart
    const paragraph = this.#paragraphs.at(-1)
    if (paragraph?.hasText) paragraph.gap = 'line'
  }

  #take({ start, end }: Tag): void {
    this.#copyTo(start)
    this.#doneTo = end
  }

  /** Returns what parts a formula from what follows: two of them would become one, and one that stands apart has a line of its own. */
  #gap(): '' | ' ' | '<w:br/>' {
    const paragraph = this.#paragraphs.at(-1)
    if (!paragraph) return ''
    const { gap } = paragraph
    paragraph.gap = ''
    if (gap === 'line') return '<w:br/>'
    return gap === 'space' ? ' ' : ''
  }

  /** Marks the place of a document that stands in a part of its own. */
  #chunk(tag: Tag): void {
    this.#take(tag)
    // A cell has no room for the blocks of another document.
    if (this.#cells > 0) this.leftOut++
    else this.#mark(tag)
  }

  #mark(tag: Tag): void {
    const mark = this.chunks.mark(attributeOf(this.#bytes, tag, 'r:id') ?? '')
    this.#out.push(`<w:p><w:r>${inText(mark)}</w:r></w:p>`)
  }

  #openParagraph(tag: Tag): void {
    this.#copyTo(tag.end)
    const start = this.#out.push('') - 1
    this.#paragraphs.push({ ...NEW_PARAGRAPH, out: this.#out, start })
  }

  #break(name: string): void {
    const paragraph = this.#paragraphs.at(-1)
    if (!paragraph) return
    paragraph.gap = ''
    if (name === 'w:br') paragraph.line = 0
  }

  #measure(paragraph: Paragraph, text: string): void {
    if (!text.trim()) return
    paragraph.hasText = true
    paragraph.isFixed = this.#isRunFixed && paragraph.isFixed !== false
    paragraph.line += text.length
    paragraph.longest = Math.max(paragraph.longest, paragraph.line)
  }

  /** A column of nothing but numbers numbers its rows; elsewhere a number without words says nothing. */
  #endParagraph(at: number): void {
    const isEmpty = this.#cells > 0 && !this.#paragraphs.at(-1)?.isChanged
    const label = isEmpty ? this.#label() : ''
    if (label) this.#insert(at, `<w:r>${inText(label)}</w:r>`)
    const paragraph = this.#paragraphs.pop()
    if (!paragraph?.isFixed || paragraph.list !== undefined || paragraph.longest > CODE_LINE_MAX) return
    // mammoth reads the first properties of a paragraph.
    paragraph.out[paragraph.start] = `<w:pPr><w:pStyle w:val="${CODE}"/></w:pPr>`
  }

  /** Finds where a paragraph stands in a list; its style may say that, of which mammoth reads only the name. */
  #number(paragraph: Paragraph, at: number): void {
    const place = this.numbering.next(paragraph)
    if (!place) return
    paragraph.label = place.label && `${escaped(place.label)} `
    if (paragraph.list !== undefined) return
    const { level, list } = place
    this.#insert(at, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${escaped(list)}"/></w:numPr>`)
  }

  /** The number of the paragraph, before its first letters that are not deleted. */
  #label(): string {
    const paragraph = this.#paragraphs.at(-1)
    if (!paragraph || this.#gone > 0) return ''
    const { label } = paragraph
    paragraph.label = ''
    return label
  }

  #choose(choice: { chosen: number; entries: string[] }, tag: Tag): void {
    const value = this.#value(tag)
    if (tag.name === 'w:listEntry') choice.entries.push(value ?? '')
    // The choice of the writer goes before the first setting.
    else if (tag.name === 'w:result' || tag.name === 'w:default') choice.chosen ||= wholeOf(value) ?? 0
  }

  #value(tag: Tag): string | undefined {
    return attributeOf(this.#bytes, tag, 'w:val')
  }

  #insert(at: number, xml: string): void {
    if (xml === '') return
    this.#copyTo(at)
    this.#out.push(xml)
  }

  #copyTo(end: number): void {
    if (end > this.#doneTo) this.#out.push(this.#bytes.toString('utf8', this.#doneTo, end))
    this.#doneTo = Math.max(this.#doneTo, end)
  }
}

function inText(xml: string): string {
  return xml && `<w:t xml:space="preserve">${xml}</w:t>`
}

const NEW_PARAGRAPH = {
  style: undefined,
  list: undefined,
  level: undefined,
  isDeleted: false,
  isChanged: false,
  label: '',
  gap: '',
  hasText: false,
  isFixed: undefined,
  line: 0,
  longest: 0,
} as const
