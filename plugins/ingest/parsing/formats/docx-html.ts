import { hex as symbolOf } from 'dingbat-to-unicode'
import { wordFormula } from './docx-formula.ts'
import type { WordNumbering } from './docx-numbering.ts'
import type { WordStyles } from './docx-styles.ts'
import { childOf, childrenOf, escaped, isOn, settingOf, type WordNode, wholeOf, within } from './docx-tree.ts'

/** The text of these stands in parts of their own. */
const ELSEWHERE = new Set('subDoc relIds chart OLEObject control contentPart'.split(' '))
/** Outside of a paragraph these make one of their own. */
const OF_LINE = new Set('r oMath oMathPara sym br tab'.split(' '))
/** Longer lines in letters of one width are running text, as of a typescript. */
const CODE_LINE_MAX = 200

/** A paragraph while it is written. */
interface Line {
  html: string
  readonly style: string | undefined
  /** Texts of drawings in it, which stand behind it. */
  after: string
  /** Words of it are deleted or moved. */
  isChanged: boolean
  hasText: boolean
  /** Stands between a formula and what follows it. */
  gap: '' | ' ' | '<br>'
  /** The width of its letters, as far as it is known: all of one width are those of code. */
  isFixed: boolean | undefined
  length: number
  longest: number
}

interface Cell {
  readonly html: string
  readonly columns: number
  rows: number
}

/** Writes the tree of a Word document as HTML, with the numbers of its lists. */
export class WordHtml {
  /** The number of things whose text was left out. */
  leftOut = 0
  #cells = 0
  /** A paragraph whose end is deleted goes on in the next one. */
  #unended: readonly (WordNode | string)[] = []
  /** The box that stands where the next text does. */
  #box: string | undefined
  readonly #notes: string[] = []
  /** The number of notes that are written. */
  #told = 0

  constructor(
    private readonly numbering: WordNumbering,
    private readonly styles: WordStyles,
    /** Footnotes and endnotes by their kind and id. */
    private readonly notes: ReadonlyMap<string, WordNode>,
    /** Returns what marks the place of a document that stands in a part of its own. */
    private readonly markOf: (relation: string) => string,
  ) {}

  /** The HTML of a part in pieces, each with whole blocks. */
  *pieces(root: WordNode): Generator<string> {
    yield* this.#each(root.children)
    // The last paragraph may have its end deleted, and nothing follows it.
    if (this.#unended.length > 0) yield this.#paragraph({ name: 'p', attributes: {}, children: [] })
    // A note may hold references to others.
    for (; this.#told < this.#notes.length; this.#told++) {
      const note = this.notes.get(this.#notes[this.#told] ?? '')
      yield `<ol><li value="${this.#told + 1}">${this.#blocks(note?.children ?? [])}</li></ol>`
    }
  }

  #blocks(children: readonly (WordNode | string)[]): string {
    return [...this.#each(children)].join('')
  }

  /** The lines of code are paragraphs, which are put together. */
  *#each(children: readonly (WordNode | string)[]): Generator<string> {
    const code: string[] = []
    for (const block of this.#single(children)) {
      if (block === '') continue
      const isCode = block.startsWith('<pre>') && block.endsWith('</pre>')
      if (isCode) code.push(block.slice('<pre>'.length, -'</pre>'.length))
      else if (code.length > 0) yield `<pre>${code.splice(0).join('\n')}</pre>`
      if (!isCode) yield block
    }
    if (code.length > 0) yield `<pre>${code.join('\n')}</pre>`
  }

  *#single(children: readonly (WordNode | string)[]): Generator<string> {
    let loose: (WordNode | string)[] = []
    for (const child of [...children, undefined]) {
      if (typeof child === 'string' || (child && OF_LINE.has(child.name))) {
        loose.push(child)
        continue
      }
      if (loose.length > 0) yield this.#paragraph({ name: 'p', attributes: {}, children: loose })
      loose = []
      if (child) yield this.#block(child)
    }
  }

  #block(node: WordNode): string {
    const { name, attributes } = node
    if (name === 'p') return this.#paragraph(node)
    if (name === 'tbl') return this.#table(node)
    if (name === 'sdt') {
      let held = ''
      const box = this.#control(node, () => {
        held = this.#blocks(node.children)
      })
      return held + box
    }
    if (name === 'AlternateContent') return this.#blocks(chosen(node))
    if (name === 'altChunk' && this.#cells === 0) return `<p>${this.markOf(attributes['r:id'] ?? '')}</p>`
    // A cell has no room for the blocks of another document.
    if (name === 'altChunk' || ELSEWHERE.has(name)) this.leftOut++
    return this.#blocks(node.children)
  }

  #paragraph(node: WordNode): string {
    const properties = childOf(node, 'pPr')
    if (childOf(properties, 'rPr', 'del')) {
      this.#unended = [...this.#unended, ...node.children]
      return ''
    }
    const style = settingOf(childOf(properties, 'pStyle'))
    const line: Line = { ...NEW_LINE, style }
    const children = [...this.#unended, ...node.children]
    this.#unended = []
    const list = settingOf(childOf(properties, 'numPr', 'numId'))
    const place = this.numbering.next({ style, list, level: settingOf(childOf(properties, 'numPr', 'ilvl')) })
    this.#inline(children, line, undefined)
    // A column of nothing but numbers numbers its rows; elsewhere a number without words says nothing.
    const isLabelled = line.hasText || (this.#cells > 0 && !line.isChanged)
    const label = place?.label && isLabelled ? `${escaped(place.label)} ` : ''
    const html = (label + line.html).replaceAll(/<\/(su[bp])><\1>/g, '')
    return this.#framed(html, line, place?.level, list) + line.after
  }

  #framed(html: string, { style, isFixed, longest }: Line, level: number | undefined, list: string | undefined) {
    const heading = this.styles.headingOf(style)
    if (!html.trim()) return ''
    if (isFixed && list === undefined && longest <= CODE_LINE_MAX) return `<pre>${html}</pre>`
    if (heading !== undefined) return `<h${heading}>${html}</h${heading}>`
    if (level === undefined) return `<p>${html}</p>`
    return `${'<ul>'.repeat(level + 1)}<li>${html}</li>${'</ul>'.repeat(level + 1)}`
  }

  /** @param run the properties of the letters */
  #inline(children: readonly (WordNode | string)[], line: Line, run: WordNode | undefined): void {
    for (const child of children) {
      if (typeof child === 'string') this.#text(child, line, run)
      else this.#part(child, line, run)
    }
  }

  #part(node: WordNode, line: Line, run: WordNode | undefined): void {
    const { name, attributes } = node
    if (name === 'pPr' || name === 'rPr') return
    if (name === 'fldChar') this.#field(node, line)
    else if (name === 'r') this.#inline(node.children, line, childOf(node, 'rPr'))
    else if (this.#isHidden(line, run)) return
    else if (name === 'tab' || name === 'ptab') this.#write('\t', line)
    else if (name === 'br' || name === 'cr') {
      const type = attributes['r:type'] ?? 'textWrapping'
      this.#write(type === 'textWrapping' ? '<br>' : '', line)
      line.length = 0
    } else if (name === 'noBreakHyphen') this.#text('\u2011', line, run)
    else if (name === 'softHyphen') this.#text('\u00ad', line, run)
    else if (name === 'sym') this.#text(signOf(attributes), line, run)
    else if (name === 'oMathPara' || name === 'oMath') this.#formula(node, line, false)
    else if (name === 'footnoteReference' || name === 'endnoteReference') {
      line.html += `[${this.#notes.push(`${name.slice(0, -'Reference'.length)} ${attributes['r:id']}`)}]`
    } else if (name === 'AlternateContent') this.#inline(chosen(node), line, run)
    else if (name === 'sdt') {
      const box = this.#control(node, () => this.#inline(node.children, line, run))
      line.html += box
    } else if (name === 'txbxContent' || name === 'p' || name === 'tbl' || name === 'altChunk')
      line.after += name === 'txbxContent' ? this.#blocks(node.children) : this.#block(node)
    else this.#object(node, line, run)
  }

  #object(node: WordNode, line: Line, run: WordNode | undefined): void {
    const { name, attributes } = node
    if (name === 'del' || name === 'moveFrom') line.isChanged = true
    if (ELSEWHERE.has(name)) this.leftOut++
    if ((name === 'inline' || name === 'anchor') && within(node, 'blip')) {
      const { descr = '', title = '' } = childOf(node, 'docPr')?.attributes ?? {}
      line.html += ` ${escaped(descr.trim() || title)} `
    }
    if (name === 'imagedata') line.after += `<p>${escaped(attributes['r:title'] ?? '')}</p>`
    this.#inline(node.children, line, run)
  }

  #isHidden({ style }: Line, run: WordNode | undefined): boolean {
    const vanish = childOf(run, 'vanish')
    if (vanish) return isOn(vanish)
    return [style, settingOf(childOf(run, 'rStyle'))].some(id => this.styles.hidden.has(id ?? ''))
  }

  #text(text: string, line: Line, run: WordNode | undefined): void {
    if (this.#isHidden(line, run)) return
    if (this.#box !== undefined) {
      line.html += this.#box
      this.#box = undefined
      return
    }
    const height = settingOf(childOf(run, 'vertAlign'))
    const tag = height === 'superscript' ? 'sup' : height === 'subscript' ? 'sub' : undefined
    if (line.gap === '<br>') line.html += line.gap
    line.gap = ''
    line.html += tag ? `<${tag}>${escaped(text)}</${tag}>` : escaped(text)
    if (!text.trim()) return
    line.hasText = true
    line.isFixed = this.styles.isFixed(line.style, run) && line.isFixed !== false
    line.length += text.length
    line.longest = Math.max(line.longest, line.length)
  }

  #write(html: string, line: Line): void {
    line.html += html
    line.gap = ''
  }

  /** Formulas that are set apart begin on lines of their own, and so does what follows them; two in a row would become one. */
  #formula(node: WordNode, line: Line, isApart: boolean): void {
    if (node.name === 'oMathPara') {
      if (line.hasText) line.gap = '<br>'
      for (const formula of childrenOf(node, 'oMath')) this.#formula(formula, line, true)
      return
    }
    line.html += line.gap + wordFormula(node)
    line.gap = isApart ? '<br>' : ' '
    line.hasText = true
    line.isFixed = false
  }

  /** A field of a form has what somebody ticked or chose. */
  #field(node: WordNode, line: Line): void {
    const box = childOf(node, 'checkBox')
    if (box) line.html += boxOf(isOn(childOf(box, 'checked') ?? childOf(box, 'default')))
    const choice = childOf(node, 'ddList')
    if (!choice) return
    // The choice of the writer goes before the first setting.
    const at = wholeOf(settingOf(childOf(choice, 'result'))) || wholeOf(settingOf(childOf(choice, 'default'))) || 0
    line.html += escaped(settingOf(childrenOf(choice, 'listEntry')[at]) ?? '')
  }

  /** A control that is a box to tick holds its sign. @returns the box where it holds none */
  #control(node: WordNode, write: () => void): string {
    const box = childOf(node, 'checkbox')
    if (box) this.#box = boxOf(isOn(childOf(box, 'checked')))
    write()
    const left = box ? this.#box : undefined
    if (box) this.#box = undefined
    return left ?? ''
  }

  #table(table: WordNode): string {
    const rows: { cells: Cell[]; isHead: boolean }[] = []
    /** The cells that further ones below them may go on with, by their columns. */
    const columns = new Map<number, Cell>()
    for (const row of partsOf(table, 'tr')) {
      const properties = childOf(row, 'trPr')
      if (childOf(properties, 'del')) continue
      const cells: Cell[] = []
      let at = 0
      for (const node of partsOf(row, 'tc')) {
        const cell = this.#cell(node)
        const merge = childOf(node, 'tcPr', 'vMerge')
        const above = columns.get(at)
        if (merge && (settingOf(merge) ?? 'continue') === 'continue' && above) above.rows++
        else {
          columns.set(at, cell)
          cells.push(cell)
        }
        at += cell.columns
      }
      rows.push({ cells, isHead: childOf(properties, 'tblHeader') !== undefined })
    }
    const firstOfBody = rows.findIndex(({ isHead }) => !isHead)
    const written = rows.map(({ cells }, n) => rowOf(cells, n < firstOfBody || firstOfBody === -1 ? 'th' : 'td'))
    return `<table>${written.join('')}</table>`
  }

  #cell(node: WordNode): Cell {
    this.#cells++
    const html = this.#blocks(node.children)
    this.#cells--
    return { html, columns: wholeOf(settingOf(childOf(node, 'tcPr', 'gridSpan'))) || 1, rows: 1 }
  }
}

const NEW_LINE = {
  html: '',
  after: '',
  isChanged: false,
  hasText: false,
  gap: '',
  isFixed: undefined,
  length: 0,
  longest: 0,
} as const

/** The rows or cells of a node, also those in controls. */
function partsOf(node: WordNode, name: string): WordNode[] {
  return node.children.flatMap(child => {
    if (typeof child === 'string') return []
    return child.name === name ? [child] : child.name === 'sdt' ? partsOf(child, name) : []
  })
}

function rowOf(cells: readonly Cell[], name: 'th' | 'td'): string {
  const written = cells.map(
    ({ html, columns, rows }) => `<${name} colspan="${columns}" rowspan="${rows}">${html}</${name}>`,
  )
  return `<tr>${written.join('')}</tr>`
}

/**
 * A part may say one thing in two ways, for newer and for older programs. The newer one is read where it is a text box, since not every
 * program gives the older one its text; of signs, as emoji, and of pictures only the older one can be read.
 */
function chosen(node: WordNode): readonly (WordNode | string)[] {
  const choices = childrenOf(node, 'Choice')
  const boxed = choices.findLast(choice => within(choice, 'txbxContent'))
  return (boxed ?? childOf(node, 'Fallback') ?? choices.at(-1))?.children ?? []
}

function boxOf(isTicked: boolean): string {
  return `<input type="checkbox"${isTicked ? ' checked' : ''}>`
}

/** Fonts of signs have their own codes, which some programs move into those of private use. */
function signOf({ 'r:font': font = '', 'r:char': code = '' }: WordNode['attributes']): string {
  const sign = symbolOf(font, code) ?? (/^F0..$/.test(code) ? symbolOf(font, code.slice(2)) : undefined)
  return sign?.string ?? ''
}
