import { Buffer } from 'node:buffer'
import { escaped, wordFormula } from './docx-formula.ts'
import type { ListParagraph, WordNumbering } from './docx-numbering.ts'
import { attributeOf, type Tag, tagAt } from './docx-tags.ts'
import { wholeOf } from './docx-xml.ts'

/** The text of these stands in parts of their own. */
const ELSEWHERE = new Set(['w:altChunk', 'w:subDoc', 'dgm:relIds', 'c:chart', 'cx:chart'])
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
}

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

  /**
   * @param part without what only formats
   * @param numbering of the document, which counts on from part to part
   */
  constructor(
    part: Uint8Array,
    private readonly numbering: WordNumbering,
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
    if (name === 'w:p' && kind === 'opening') this.#paragraphs.push(newParagraph())
    else if (name === 'w:t' && kind === 'opening') this.#insert(tag.end, this.#label())
    else if (name === 'w:sym') this.#insert(tag.start, inText(this.#label()))
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

  /** Writes a formula as a run of text. @returns the place behind it */
  #formula(tag: Tag): number {
    const close = this.#bytes.indexOf('</m:oMath>', tag.end)
    const end = close === -1 ? this.#bytes.length : close + '</m:oMath>'.length
    const formula = wordFormula(this.#bytes.toString('utf8', tag.start, end))
    this.#insert(tag.start, `<w:r>${inText(this.#label() + escaped(formula))}</w:r>`)
    this.#doneTo = end
    return end
  }

  /** A column of nothing but numbers numbers its rows; elsewhere a number without words says nothing. */
  #endParagraph(at: number): void {
    const isEmpty = this.#cells > 0 && !this.#paragraphs.at(-1)?.isChanged
    const label = isEmpty ? this.#label() : ''
    if (label) this.#insert(at, `<w:r>${inText(label)}</w:r>`)
    this.#paragraphs.pop()
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

function newParagraph(): Paragraph {
  return { style: undefined, list: undefined, level: undefined, isDeleted: false, isChanged: false, label: '' }
}
