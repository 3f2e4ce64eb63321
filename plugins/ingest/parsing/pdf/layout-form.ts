import type { Block } from '../../document/document.ts'
import type { Page, Pdf } from './open.ts'

/** An element of a page as pdf.js tells it, as far as it is read here. */
interface Element {
  readonly name: string
  readonly value?: string | null
  readonly attributes?: {
    readonly type?: string
    readonly checked?: boolean
    readonly selected?: boolean
    readonly value?: string | null
    readonly textContent?: string | null
    readonly 'aria-label'?: string | null
  }
  readonly children?: readonly (Element | null | undefined)[]
}

const CONTROLS = new Set(['input', 'select', 'textarea'])
const UNREAD = new Set(['button', 'img', 'svg', 'style'])
/** Elements that end a line. */
const LINES = new Set([...CONTROLS, ...UNREAD, 'div', 'p', 'label', 'ul', 'ol', 'li', 'table', 'tr', 'td', 'a'])

/**
 * Reads a form of the XML Forms Architecture (XFA 3.3, Adobe 2012), whose pages are laid out when they are opened; all that the PDF itself has
 * to show is a request to wait. Each field is a paragraph of its label and what it was filled in with. pdf.js leaves out hidden fields.
 */
export async function* blocksOfForm(pdf: Pdf): AsyncGenerator<Block & { readonly text: string }> {
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    for (const text of linesOf(await layoutOf(page))) yield { kind: 'paragraph', text, page: number }
    page.cleanup()
  }
}

async function layoutOf(page: Page): Promise<Element> {
  const layout: unknown = await page.getXfa()
  return (layout ?? { name: 'div' }) as Element
}

function* linesOf(element: Element): Generator<string> {
  const { name } = element
  if (UNREAD.has(name)) return
  if (name === 'label' || CONTROLS.has(name)) yield* told(labelled(element))
  else if (childrenOf(element).some(child => LINES.has(child.name))) {
    for (const child of childrenOf(element)) yield* linesOf(child)
  } else yield* told(wordsOf(element))
}

function told(text: string): readonly string[] {
  const line = text.replace(/\s+/g, ' ').trim()
  return line ? [line] : []
}

/** A box stands before the words at it, and what was written or chosen behind its label. */
function labelled(element: Element): string {
  const controls = controlsIn(element)
  const boxes = controls.filter(isBox).map(({ attributes }) => (attributes?.checked ? '[x]' : '[ ]'))
  const values = controls.filter(control => !isBox(control)).map(filledInTo)
  const printed = wordsOf(element).trim()
  const label = printed || controls.map(({ attributes }) => attributes?.['aria-label'] ?? '').join(' ')
  const value = values.filter(Boolean).join(', ')
  const colon = value && /[\p{L}\p{N})]$/u.test(label) ? ':' : ''
  return [...boxes, `${label}${colon}`, value].filter(Boolean).join(' ')
}

function controlsIn(element: Element): Element[] {
  return CONTROLS.has(element.name) ? [element] : childrenOf(element).flatMap(controlsIn)
}

function isBox({ attributes }: Element): boolean {
  return attributes?.type === 'checkbox' || attributes?.type === 'radio'
}

/** A choice is kept by its value, and shown by a name. */
function filledInTo(control: Element): string {
  const { attributes = {} } = control
  const chosen = childrenOf(control).filter(option => option.attributes?.selected)
  if (chosen.length > 0) return chosen.map(({ value }) => value ?? '').join(', ')
  return attributes.textContent ?? attributes.value ?? ''
}

/** The words printed in an element, without what its controls hold. */
function wordsOf(element: Element): string {
  if (CONTROLS.has(element.name) || UNREAD.has(element.name)) return ''
  if (element.name === 'br') return ' '
  const words = (element.value ?? '') + childrenOf(element).map(wordsOf).join('')
  return LINES.has(element.name) ? ` ${words} ` : words
}

function childrenOf({ children = [] }: Element): readonly Element[] {
  return children.filter(child => child !== null && child !== undefined)
}
