import { MB } from 'mneme/plugin'
import { ReadingError } from '../../document/document.ts'
import type { ParsingLimits } from '../limits.ts'
import { walkXml } from '../office-parts.ts'

/** An element that is read, with the text in it. */
export interface WordNode {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (WordNode | string)[]
}

/** Elements with a meaning of their own. All others, as those of newer versions and other programs, stand for what they hold. */
const KNOWN = new Set(
  (
    'p r tab ptab br cr noBreakHyphen softHyphen sym tbl tr tc pPr rPr trPr tcPr sdt checkbox checked checkBox default del moveFrom fldChar ' +
    'ddList result listEntry txbxContent inline anchor docPr blip imagedata AlternateContent Choice Fallback footnoteReference endnoteReference footnote endnote ' +
    'altChunk subDoc relIds chart OLEObject control contentPart pStyle numPr numId ilvl tblHeader gridSpan vMerge vanish vertAlign rFonts rStyle ' +
    'style name basedOn font pitch abstractNum num abstractNumId numStyleLink lvl start numFmt lvlText lvlRestart isLgl lvlOverride startOverride ' +
    'oMathPara oMath f den sSup sSub sSubSup limLow limUpp lim m mr eqArr e sup sub rad deg nary naryPr chr d dPr begChr endChr sepChr acc accPr func fName'
  ).split(' '),
)
/** These hold what is not shown, or says how something looks: the readings of words too, which stand beside the words. */
const LEFT_OUT = new Set(
  'sectPr tblPr tblGrid tabs pPrChange rPrChange trPrChange tcPrChange formulas docDefaults latentStyles rt rubyPr fldData ctrlPr delText instrText sdtEndPr'.split(
    ' ',
  ),
)
const EMPTY = new Set(['del', 'moveFrom'])
/** These are nothing without an element in them. */
const PROPERTIES = new Set('pPr rPr trPr tcPr'.split(' '))

/** Tells whether a property of letters says something that is read. */
export type ReadsProperty = (node: WordNode) => boolean

/** Reads the parts of a Word document into trees without what only formats, which is most of what Word writes, and counts what is left. */
export class WordTrees {
  #marks = 0
  #bytes = 0

  constructor(private readonly limits: Pick<ParsingLimits, 'marks' | 'markupBytes'>) {}

  /**
   * @returns a node that holds the root of the part
   * @throws ReadingError LIMIT_EXCEEDED where the parts so far hold more than a document may, CORRUPT_FILE for one that is cut off
   */
  read(xml: string, reads: ReadsProperty = () => true): WordNode {
    const root: WordNode = { name: '', attributes: {}, children: [] }
    const open = [root]
    let [leftOut, isText] = [0, false]
    const isWhole = walkXml(xml, {
      open: (name, attributes) => {
        const around = open.at(-1) ?? root
        isText = name === 't'
        if (leftOut > 0 || LEFT_OUT.has(name) || EMPTY.has(around.name)) leftOut++
        else open.push(KNOWN.has(name) ? { name, attributes, children: [] } : around)
      },
      text: text => {
        if (!isText || leftOut > 0) return
        this.#bytes += text.length
        if (this.#bytes > this.limits.markupBytes)
          throw exceeded(`holds more than ${this.limits.markupBytes / MB} MB of text`)
        append(open.at(-1) ?? root, text)
      },
      close: name => {
        isText = false
        if (leftOut > 0) return void leftOut--
        const node = open.pop() ?? root
        const around = open.at(-1) ?? root
        if (node === around || (PROPERTIES.has(name) && node.children.length === 0)) return
        if (around.name === 'rPr' && !reads(node)) return
        // Word divides a line where its formatting changes, or an editing session ended.
        if (name === 'r' && !childOf(node, 'rPr')) for (const child of node.children) append(around, child)
        else if (++this.#marks > this.limits.marks)
          throw exceeded(`has more than ${this.limits.marks} paragraphs, cells and other elements`)
        else around.children.push(node)
      },
    })
    if (isWhole) return root
    throw new ReadingError('CORRUPT_FILE', 'The Word document is damaged and could not be read.')
  }
}

function append({ children }: WordNode, child: WordNode | string): void {
  const last = children.at(-1)
  if (typeof child === 'string' && typeof last === 'string') children[children.length - 1] = last + child
  else children.push(child)
}

function exceeded(by: string): ReadingError {
  return new ReadingError('LIMIT_EXCEEDED', `The Word document ${by}. Divide it and send its parts.`)
}

export function childrenOf(node: WordNode | undefined, name: string): WordNode[] {
  const isNamed = (child: WordNode | string): child is WordNode => typeof child !== 'string' && child.name === name
  return node?.children.filter(isNamed) ?? []
}

export function childOf(node: WordNode | undefined, ...path: readonly string[]): WordNode | undefined {
  let at = node
  for (const name of path) at = childrenOf(at, name)[0]
  return at
}

/** The first element of this name at any depth. */
export function within(node: WordNode, name: string): WordNode | undefined {
  for (const child of node.children) {
    if (typeof child === 'string') continue
    const found = child.name === name ? child : within(child, name)
    if (found) return found
  }
  return undefined
}

/** The attribute `w:val`, in which most elements say what they have to say. */
export function settingOf(node: WordNode | undefined): string | undefined {
  return node?.attributes['r:val'] ?? node?.attributes.val
}

/** A switch is on where its element stands, unless that says otherwise (ECMA-376, ST_OnOff). */
export function isOn(node: WordNode | undefined): boolean {
  return node !== undefined && !['0', 'false', 'off'].includes(settingOf(node) ?? '')
}

/** @returns undefined for what is no whole number, or a larger one than any document has */
export function wholeOf(value: string | undefined): number | undefined {
  return value && /^\d{1,9}$/.test(value) ? Number(value) : undefined
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
