import { type Block, ReadingError } from '../../document/document.ts'
import { signBefore } from '../off-the-line.ts'
import { LINE_BREAK, unwrapped } from '../running-text.ts'
import { formulaOf } from './formula.ts'
import { rowsOf } from './html-table.ts'

/** A reader of a page skips these, and the readings of words, which would stand within them: the text has the word itself. */
const SILENT = new Set(
  (
    'SCRIPT STYLE NOSCRIPT TEMPLATE IFRAME OBJECT EMBED CANVAS SVG AUDIO VIDEO NOFRAMES SELECT DATALIST BUTTON INPUT TEXTAREA NAV HEAD TITLE LINK META ' +
    'RT RTC RP ANNOTATION ANNOTATION-XML'
  ).split(' '),
)
/** Elements that stand apart from a line (HTML Standard, 15.3: those that are displayed as blocks, items or parts of tables); all others are within one. */
const BLOCK = new Set(
  (
    'HTML BODY ADDRESS BLOCKQUOTE CENTER DIALOG DIV FIGURE FIGCAPTION FOOTER FORM HEADER HR LEGEND LISTING MAIN P PLAINTEXT PRE SEARCH XMP ' +
    'ARTICLE ASIDE H1 H2 H3 H4 H5 H6 HGROUP SECTION DIR DD DL DT MENU OL UL LI TABLE CAPTION COLGROUP COL THEAD TBODY TFOOT TR TD TH ' +
    'FIELDSET DETAILS SUMMARY FRAMESET FRAME OPTGROUP OPTION'
  ).split(' '),
)
/** Elements of a line that are read as a whole. */
const WHOLE = new Set(['BR', 'IMG', 'WBR', 'MATH'])
/** Pages hold their closed dialogs all along. */
const DIALOG = 'dialog, [role="dialog"], [role="alertdialog"], [aria-modal="true"], .modal'
const ELEMENT = 1
const TEXT = 3

/** Names what a document shows beyond its words. */
export interface Shown {
  /** Tells whether its boxes to tick are those of a form that somebody filled in, wherever they stand. */
  readonly showsBoxes?: boolean
  /** Tells whether tables in cells are data too, as in a document, and not the layout of a page. */
  readonly hasInnerTables?: boolean
}

/** The blocks of an element, in the order of the document. */
export function* blocksIn(root: Element, nestingMax: number, shown: Shown = {}): Generator<Block> {
  yield* new Walk(nestingMax, shown).element(root, 0, 0)
}

class Walk {
  #text = ''
  /** The number of the last item of each list. */
  readonly #numbers = new Map<Element, number>()

  constructor(
    private readonly nestingMax: number,
    private readonly shown: Shown,
    /** It reads a cell, whose tables are read on their own. */
    private readonly isCell = false,
  ) {}

  *element(element: Element, depth: number, lists: number): Generator<Block> {
    this.#requireNesting(depth)
    let node: Node | null = element.firstChild
    while (node) {
      const isEntered = isPartOfLine(node)
      if (node.nodeType === TEXT) this.#text += textWithin(node)
      else if (isEntered) this.#text += signBefore((node as Element).tagName, this.#text, node.textContent ?? '')
      else if (node.nodeType === ELEMENT && !isEntered) yield* this.#child(node as Element, depth + 1, lists)
      node = (isEntered ? node.firstChild : null) ?? following(node, element)
    }
    if (depth === 0) yield* this.#paragraph()
  }

  *#child(element: Element, depth: number, lists: number): Generator<Block> {
    const name = element.tagName.toUpperCase()
    if ((lists > 0 || this.shown.showsBoxes) && isCheckbox(element, name))
      this.#text += element.hasAttribute('checked') ? '[x] ' : '[ ] '
    if (isSilent(element)) return
    if (name === 'BR') this.#text += LINE_BREAK
    else if (name === 'WBR') return
    else if (name === 'MATH') this.#text += this.#formulaOf(element, depth)
    else if (name === 'IMG') this.#text += ` ${element.getAttribute('alt') ?? ''} `
    else {
      yield* this.#paragraph()
      yield* this.#block(element, name, depth, lists)
      yield* this.#paragraph()
    }
  }

  *#block(element: Element, name: string, depth: number, lists: number): Generator<Block> {
    if (/^H[1-6]$/.test(name)) {
      const text = this.#lineOf(element, depth)
      if (text) yield { kind: 'heading', level: Number(name[1]), text }
    } else if (name === 'PRE') {
      const text = this.#asWritten(element, depth).trimEnd().replace(/^\n+/, '')
      if (text) yield { kind: 'code', text }
    } else if (name === 'LI') yield* this.#item(element, depth, lists)
    else if (name === 'TABLE') {
      if (this.isCell) return
      const walk = this
      const inner = function* (table: Element) {
        yield* walk.#block(table, 'TABLE', depth + 1, lists)
      }
      const text = (cell: Element) => this.#lineOf(cell, depth)
      const rows = rowsOf(element, { isHidden, text, ...(this.shown.hasInnerTables ? { inner } : {}) })
      if (rows) yield* rows
      else yield* this.element(element, depth, lists)
    } else yield* this.element(element, depth, name === 'UL' || name === 'OL' ? lists + 1 : lists)
  }

  /** The first paragraph within an item is its text; what else it holds comes after it. */
  *#item(element: Element, depth: number, lists: number): Generator<Block> {
    let isFirst = true
    const number = this.#numberOf(element)
    const blocks = (function* (walk: Walk) {
      yield* walk.element(element, depth, Math.max(lists, 1))
      yield* walk.#paragraph()
    })(this)
    for (const block of blocks) {
      if (isFirst && block.kind === 'paragraph') {
        yield { kind: 'item', depth: Math.max(0, lists - 1), text: number + block.text }
      } else yield block
      isFirst = false
    }
  }

  /** Items of a numbered list come in their order, each once. */
  #numberOf(item: Element): string {
    const list = item.parentElement
    if (list?.tagName.toUpperCase() !== 'OL') return ''
    const before = this.#numbers.get(list) ?? (wholeOf(list.getAttribute('start')) ?? 1) - 1
    const number = wholeOf(item.getAttribute('value')) ?? before + 1
    this.#numbers.set(list, number)
    return `${number}. `
  }

  /** Reads what an element shows into one line, in which its blocks stand apart as its words do. */
  #lineOf(element: Element, depth: number): string {
    const walk = new Walk(this.nestingMax, this.shown, element.matches('td, th'))
    const texts: string[] = []
    for (const block of walk.element(element, depth, 0)) texts.push(textOf(block))
    for (const block of walk.#paragraph()) texts.push(textOf(block))
    return texts.join(' ').replace(/\s+/g, ' ').trim()
  }

  /** The text of an element with its spaces and lines. */
  #asWritten(element: Element, depth: number): string {
    this.#requireNesting(depth)
    let text = ''
    for (let node = element.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === TEXT) text += node.textContent ?? ''
      if (node.nodeType !== ELEMENT) continue
      const child = node as Element
      const name = child.tagName.toUpperCase()
      if (isSilent(child)) continue
      const isBlock = BLOCK.has(name)
      const inner = name === 'MATH' ? this.#formulaOf(child, depth + 1) : this.#asWritten(child, depth + 1)
      if (name === 'BR' || (isBlock && text && !text.endsWith('\n'))) text += '\n'
      text += isBlock && inner && !inner.endsWith('\n') ? `${inner}\n` : inner
    }
    return text
  }

  #formulaOf(math: Element, depth: number): string {
    return formulaOf(math, depth, { isSilent, requireNesting: level => this.#requireNesting(level) })
  }

  #requireNesting(depth: number): void {
    if (depth <= this.nestingMax) return
    throw new ReadingError('LIMIT_EXCEEDED', `The document nests elements more than ${this.nestingMax} levels deep.`)
  }

  *#paragraph(): Generator<Block> {
    const text = squeezed(this.#text)
    this.#text = ''
    if (text) yield { kind: 'paragraph', text }
  }
}

function textOf(block: Block): string {
  if (block.kind === 'row') return block.cells.join(' ')
  return 'text' in block ? block.text : ''
}

/** The box before an item of a list that is to be done, as Markdown makes it. */
function isCheckbox(element: Element, name: string): boolean {
  const isBox = name === 'INPUT' && element.getAttribute('type')?.toLowerCase() === 'checkbox'
  return isBox && !isHidden(element)
}

/**
 * Elements of a line are entered without a call, so they do not count as levels: old pages leave thousands of `<font>` or
 * `<a name>` open, each within the one before.
 */
function isPartOfLine(node: Node): boolean {
  if (node.nodeType !== ELEMENT) return false
  const element = node as Element
  const name = element.tagName.toUpperCase()
  return !BLOCK.has(name) && !WHOLE.has(name) && !isSilent(element)
}

/** A line break of the source that follows an element may part two things, as links below each other, so it is a space in any script. */
function textWithin(node: Node): string {
  const text = node.textContent ?? ''
  return node.previousSibling && isPartOfLine(node.previousSibling) ? text.replace(/^\s+/, ' ') : text
}

/** The node within an element that comes after another one and all that this holds. */
function following(node: Node, within: Element): Node | null {
  let last: Node | null = node
  while (last && last !== within && !last.nextSibling) last = last.parentNode
  return last === within ? null : (last?.nextSibling ?? null)
}

function wholeOf(attribute: string | null): number | undefined {
  return attribute !== null && /^\s*[+-]?\d{1,9}\s*$/.test(attribute) ? Number(attribute) : undefined
}

function isSilent(element: Element): boolean {
  return SILENT.has(element.tagName.toUpperCase()) || isHidden(element)
}

function isHidden(element: Element): boolean {
  return (
    element.hasAttribute('hidden') ||
    isClosed(element) ||
    isDecoration(element) ||
    element.getAttribute('role') === 'navigation' ||
    /display\s*:\s*none/i.test(element.getAttribute('style') ?? '')
  )
}

/** Browsers show these only when something opens them. */
function isClosed(element: Element): boolean {
  if (element.hasAttribute('popover')) return true
  return element.tagName.toUpperCase() === 'DIALOG' && !element.hasAttribute('open')
}

/**
 * Only screen readers pass over what is `aria-hidden`. It is left out where it is a sign, a closed dialog, the drawing of a formula that
 * stands before it, or says what an element beside it says for them.
 */
function isDecoration(element: Element): boolean {
  if (element.getAttribute('aria-hidden') !== 'true') return false
  const former = element.previousElementSibling
  if (former?.querySelector('math') && !isHidden(former)) return true
  if (isIcon(element) || isDialog(element) || isCopy(element)) return true
  const pictures = isPicture(element) ? [element] : [...element.querySelectorAll('img')]
  const words = [element.textContent, ...pictures.map(picture => picture.getAttribute('alt'))]
  return !words.some(text => text && /[\p{L}\p{N}]/u.test(text))
}

/** Fonts of icons draw a sign where its name stands. */
function isIcon(element: Element): boolean {
  const isOfIcons = /^i$|icon|symbol/i.test(element.tagName) || /icon|symbol/i.test(element.className)
  return isOfIcons && /^\w+$/.test(lettersOf(element))
}

function isDialog(element: Element): boolean {
  const dialog = element.matches(DIALOG) ? element : element.querySelector(DIALOG)
  return dialog !== null && lettersOf(dialog) === lettersOf(element)
}

function isCopy(element: Element): boolean {
  const others = [element.previousElementSibling, element.nextElementSibling].filter(other => other !== null)
  return others.some(other => {
    if (other.getAttribute('aria-hidden') === 'true' || isSilent(other)) return false
    const letters = lettersOf(other)
    return letters !== '' && letters === lettersOf(element)
  })
}

function lettersOf(element: Element): string {
  return element.textContent?.replace(/\s+/g, '') ?? ''
}

function isPicture(element: Element): boolean {
  return element.tagName.toUpperCase() === 'IMG'
}

/** Spaces as a browser shows them; line breaks are those of `br`. */
function squeezed(text: string): string {
  return unwrapped(text.replace(/[^\S\n\u2028]+/g, ' '))
    .replace(/\n{2,}/g, '\n')
    .replace(/[\u00ad\u200b]/g, '')
    .trim()
}
