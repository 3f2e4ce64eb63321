import { Buffer } from 'node:buffer'
import { MB } from 'mneme/plugin'
import { ReadingError } from '../../document/document.ts'
import type { ParsingLimits } from '../limits.ts'
import { branchesNotChosen, HiddenText } from './docx-shown.ts'
import { attributeOf, type Tag, tagAt } from './docx-tags.ts'

/** Elements that say how something looks or where the writer has been, the readings of words, and nothing else that is read. */
const LEFT_OUT = new Set(
  (
    'w:sectPr w:tblPr w:tblGrid w:proofErr w:bookmarkStart w:bookmarkEnd w:commentRangeStart w:commentRangeEnd ' +
    'w:lastRenderedPageBreak w:docDefaults w:latentStyles w:rt w:rubyPr w:fldData m:rPr m:ctrlPr'
  ).split(' '),
)
/** Mammoth and the body's writer read these elements of a text. All others are wrappers, of newer versions or other programs. */
const OF_TEXT = new Set(
  (
    'w:p w:r w:t w:tab w:br w:noBreakHyphen w:softHyphen w:sym w:hyperlink w:tbl w:tr w:tc w:pPr w:rPr w:trPr w:tcPr w:fldChar w:instrText w:sdt ' +
    'w:sdtPr w:sdtContent w:customXml w:ins w:del w:delText w:moveFrom w:moveTo w:object w:smartTag w:drawing w:pict w:footnoteReference ' +
    'w:endnoteReference w:commentReference w:annotationRef w:footnoteRef w:endnoteRef w:altChunk w:subDoc w:contentPart w14:contentPart m:oMath m:oMathPara'
  ).split(' '),
)
const ALTERNATIVES = new Set(['mc:AlternateContent', 'mc:Choice', 'mc:Fallback'])
/** Text stands in these, and in every wrapper in them. */
const HOLDS_TEXT = new Set(
  (
    'w:body w:p w:r w:hyperlink w:tbl w:tr w:tc w:sdtContent w:customXml w:ins w:moveTo w:smartTag w:txbxContent w:footnote w:endnote w:comment ' +
    'm:oMathPara'
  ).split(' '),
)
/** The names under which mammoth knows these. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['w:cr', 'w:br'],
  ['w:ptab', 'w:tab'],
])
/** These hold more than formatting, and only the children named here are read. */
const KEPT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['w:pPr', new Set(['w:pStyle', 'w:numPr', 'w:rPr'])],
  ['w:rPr', new Set(['w:del', 'w:vanish', 'w:vertAlign'])],
  ['w:trPr', new Set(['w:del', 'w:tblHeader'])],
  ['w:tcPr', new Set(['w:gridSpan', 'w:vMerge'])],
  ['w:sdtPr', new Set(['w14:checkbox'])],
])
/** Nothing reads an attribute of these. */
const BARE = new Set(['w:p', 'w:r', 'w:t', 'w:tbl', 'w:tr', 'w:tc'])
/** Word divides a line where its formatting changes, or an editing session ended. */
const SEAM = Buffer.from('</w:t></w:r><w:r>')

/** Tells what the styles and fonts of a document say of letters, by ids of styles and names of fonts. */
export interface LookOfText {
  readonly hidden: ReadonlySet<string>
  /** Styles whose letters have one width, as those of code. */
  readonly fixed: ReadonlySet<string>
  isFixed(font: string): boolean
}

const NO_STYLES: LookOfText = { hidden: new Set(), fixed: new Set(), isFixed: () => false }

/**
 * Counts the markup of the parts of a Word document before anything is parsed, and takes out what only formats: readers of XML build some
 * kilobytes of objects for each element, and take the square of the time that its depth is. In what Word writes, most elements are formatting.
 */
export class LeanMarkup {
  #marks = 0
  #bytes = 0

  constructor(private readonly limits: Pick<ParsingLimits, 'nesting' | 'marks' | 'markupBytes'>) {}

  /**
   * @param styles those of the document
   * @throws ReadingError LIMIT_EXCEEDED where the parts so far hold more than a document may
   */
  of(part: Uint8Array, styles: LookOfText = NO_STYLES): Uint8Array {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    const draft = new Draft(bytes)
    const open: string[] = []
    const around: Surroundings[] = []
    const hidden = new HiddenText(bytes, styles.hidden)
    const notChosen = branchesNotChosen(bytes)
    /** The number of elements around the one that is being left out. */
    let leavesOut: number | undefined
    for (let at = bytes.indexOf('<'); at !== -1; ) {
      const tag = tagAt(bytes, at)
      const closed = tag.kind === 'closing' ? around.pop() : undefined
      if (tag.kind === 'closing') open.pop()
      const { isWrapper, holdsText } = closed ?? surroundingsIn(tag, open.at(-1), around.at(-1))
      if (leavesOut !== undefined) {
        if (tag.kind === 'closing' && open.length <= leavesOut) leavesOut = undefined
        draft.leaveOut(tag)
      } else if (closed && isWrapper) draft.leaveOut(tag)
      else if (tag.kind === 'closing') draft.close(tag)
      else if (
        hidden.holds(tag, open) ||
        notChosen.has(tag.start) ||
        isLeftOut(tag, open, tellsFixed(bytes, tag, styles))
      ) {
        draft.leaveOut(tag)
        if (tag.kind === 'opening') leavesOut = open.length
      } else if (isWrapper) draft.leaveOut(tag)
      else draft.open(tag)
      if (tag.kind === 'opening') {
        open.push(tag.name)
        around.push({ isWrapper, holdsText })
      }
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

interface Surroundings {
  /** Only what it holds is read: mammoth would leave that out with it, or choose another of two alternatives. */
  readonly isWrapper: boolean
  readonly holdsText: boolean
}

function surroundingsIn({ name }: Tag, parent = '', around?: Surroundings): Surroundings {
  const isAmongText = HOLDS_TEXT.has(parent) || around?.holdsText === true
  const isWrapper = ALTERNATIVES.has(name) || (isAmongText && !OF_TEXT.has(name) && !RENAMED.has(name))
  return { isWrapper, holdsText: HOLDS_TEXT.has(name) || (isWrapper && isAmongText) }
}

/** Tells whether letters have the same width by this property of theirs. */
function tellsFixed(bytes: Buffer, tag: Tag, { fixed, isFixed }: LookOfText): boolean {
  if (tag.name === 'w:rFonts') return isFixed(attributeOf(bytes, tag, 'w:ascii') ?? '')
  return tag.name === 'w:rStyle' && fixed.has(attributeOf(bytes, tag, 'w:val') ?? '')
}

function exceeded(by: string): ReadingError {
  return new ReadingError('LIMIT_EXCEEDED', `The Word document ${by}`)
}

function isLeftOut({ name, kind }: Tag, open: readonly string[], tellsFixed: boolean): boolean {
  const [around, within] = ['', '', ...open].slice(-2)
  if (within === 'w:rPr') {
    // Only the mark at the end of a paragraph can be deleted by the properties of letters.
    if (name === 'w:del') return around !== 'w:pPr'
    if (name === 'w:vanish') return around !== 'w:style'
    if (name === 'w:vertAlign') return around !== 'w:r'
    if (name === 'w:rFonts' && around === 'w:style') return false
    if (tellsFixed) return around !== 'w:r'
  }
  if (kind === 'empty' && KEPT.has(name)) return true
  return LEFT_OUT.has(name) || KEPT.get(within ?? '')?.has(name) === false
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
    const renamed = RENAMED.get(name)
    if (renamed) {
      this.length += this.#target.write(`<${renamed}/>`, this.length, 'latin1')
      this.marks += marks
      return
    }
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
    if (RENAMED.has(tag.name)) {
      this.#doneTo = tag.end
      return
    }
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
