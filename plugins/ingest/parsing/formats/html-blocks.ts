import { type Block, ReadingError } from '../../document/document.ts'
import { rowsOf } from './html-table.ts'

/** A reader of a page skips these. */
const SILENT = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE IFRAME OBJECT EMBED CANVAS SVG SELECT BUTTON INPUT TEXTAREA NAV HEAD LINK META'.split(
    ' ',
  ),
)
/** Elements within a line of text. */
const INLINE = new Set(
  (
    'A ABBR ACRONYM B BDI BDO BIG CITE CODE DATA DEL DFN EM FONT I IMG INS KBD LABEL MARK Q RP RT RUBY S SAMP SMALL SPAN STRIKE ' +
    'STRONG SUB SUP TIME TT U VAR WBR MATH BR'
  ).split(' '),
)
const ELEMENT = 1
const TEXT = 3

/** The blocks of an element, in the order of the document. */
export function* blocksIn(root: Element, nestingMax: number): Generator<Block> {
  yield* new Walk(nestingMax).element(root, 0, 0)
}

class Walk {
  #text = ''

  constructor(private readonly nestingMax: number) {}

  *element(element: Element, depth: number, lists: number): Generator<Block> {
    if (depth > this.nestingMax) {
      throw new ReadingError('LIMIT_EXCEEDED', `The document nests elements more than ${this.nestingMax} levels deep.`)
    }
    for (let node = element.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === TEXT) this.#text += node.textContent ?? ''
      else if (node.nodeType === ELEMENT) yield* this.#child(node as Element, depth + 1, lists)
    }
    if (depth === 0) yield* this.#paragraph()
  }

  *#child(element: Element, depth: number, lists: number): Generator<Block> {
    const name = element.tagName.toUpperCase()
    if (SILENT.has(name) || isHidden(element)) return
    if (name === 'BR') this.#text += '\n'
    else if (name === 'WBR') return
    else if (name === 'IMG') this.#text += ` ${element.getAttribute('alt') ?? ''} `
    else if (INLINE.has(name)) yield* this.element(element, depth, lists)
    else {
      yield* this.#paragraph()
      yield* this.#block(element, name, depth, lists)
      yield* this.#paragraph()
    }
  }

  *#block(element: Element, name: string, depth: number, lists: number): Generator<Block> {
    if (/^H[1-6]$/.test(name)) {
      const text = squeezed(element.textContent ?? '')
      if (text) yield { kind: 'heading', level: Number(name[1]), text }
    } else if (name === 'PRE') {
      const text = (element.textContent ?? '').trimEnd().replace(/^\n+/, '')
      if (text) yield { kind: 'code', text }
    } else if (name === 'LI') yield* this.#item(element, depth, lists)
    else if (name === 'TABLE') {
      const rows = rowsOf(element)
      if (rows) yield* rows
      else yield* this.element(element, depth, lists)
    } else yield* this.element(element, depth, name === 'UL' || name === 'OL' ? lists + 1 : lists)
  }

  /** The first paragraph within an item is its text; what else it holds comes after it. */
  *#item(element: Element, depth: number, lists: number): Generator<Block> {
    let isFirst = true
    const number = numberOf(element)
    const blocks = (function* (walk: Walk) {
      yield* walk.element(element, depth, lists)
      yield* walk.#paragraph()
    })(this)
    for (const block of blocks) {
      if (isFirst && block.kind === 'paragraph') {
        yield { kind: 'item', depth: Math.max(0, lists - 1), text: number + block.text }
      } else yield block
      isFirst = false
    }
  }

  *#paragraph(): Generator<Block> {
    const text = squeezed(this.#text)
    this.#text = ''
    if (text) yield { kind: 'paragraph', text }
  }
}

function numberOf(item: Element): string {
  const list = item.parentElement
  if (list?.tagName.toUpperCase() !== 'OL') return ''
  const start = Number(list.getAttribute('start') ?? 1) || 1
  let before = 0
  for (let other = item.previousElementSibling; other && before < 10_000; other = other.previousElementSibling) {
    if (other.tagName === item.tagName) before++
  }
  return `${start + before}. `
}

function isHidden(element: Element): boolean {
  return (
    element.hasAttribute('hidden') ||
    element.getAttribute('aria-hidden') === 'true' ||
    element.getAttribute('role') === 'navigation' ||
    /display\s*:\s*none/i.test(element.getAttribute('style') ?? '')
  )
}

/** Spaces as a browser shows them; line breaks are those of `br`. */
export function squeezed(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .replace(/[\u00ad\u200b]/g, '')
    .trim()
}
