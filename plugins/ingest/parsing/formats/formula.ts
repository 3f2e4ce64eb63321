const ELEMENT = 1
const TEXT = 3

/** The signs between the parts of an element, which a formula shows by their places alone. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  MFRAC: ['/'],
  MSUB: ['_'],
  MSUP: ['^'],
  MSUBSUP: ['_', '^'],
  MUNDER: ['_'],
  MOVER: ['^'],
  MUNDEROVER: ['_', '^'],
}
/** Parts of a formula that need no brackets: a number, a name or one sign. */
const UNIT = /^(?:[\p{N}.,]+|\p{L}+|.)?$/su

/** The walk that a formula stands in gives it its rules. */
export interface FormulaReader {
  isSilent(element: Element): boolean
  /** Throws where elements are nested too deep. */
  requireNesting(depth: number): void
}

/** A formula of MathML in one line: its source in TeX or its alternative text where it has them, else its parts with signs between them. */
export function formulaOf(math: Element, depth: number, read: FormulaReader): string {
  const source = math.querySelector('annotation[encoding="application/x-tex"]')?.textContent
  return source?.trim() || math.getAttribute('alttext')?.trim() || partOf(math, depth, read)
}

function partOf(element: Element, depth: number, read: FormulaReader): string {
  read.requireNesting(depth)
  const name = element.tagName.toUpperCase()
  const shown = [...element.childNodes].filter(node => node.nodeType === TEXT || isShown(node, read))
  const parts = shown.map(node => (isShown(node, read) ? partOf(node, depth + 1, read) : (node.textContent ?? '')))
  const placed = parts.filter((_, n) => shown[n]?.nodeType === ELEMENT)
  const signs = SIGNS[name]
  if (signs) return placed.map((part, n) => (n === 0 ? '' : (signs[n - 1] ?? ' ')) + bracketed(part)).join('')
  if (name === 'MTABLE') return placed.join('; ')
  if (name === 'MTR') return placed.join(' ')
  if (name === 'MROOT') return `${bracketed(placed[0] ?? '')}^(1/${bracketed(placed[1] ?? '')})`
  return name === 'MSQRT' ? `√${bracketed(joined(parts))}` : joined(parts)
}

function isShown(node: Node, read: FormulaReader): node is Element {
  return node.nodeType === ELEMENT && !read.isSilent(node as Element)
}

/** Two numbers that touch would become one. */
function joined(parts: readonly string[]): string {
  return parts.reduce(
    (text, part) => text + (/\p{N}$/u.test(text.slice(-2)) && /^\p{N}/u.test(part) ? ' ' : '') + part,
    '',
  )
}

function bracketed(part: string): string {
  const text = part.trim()
  return UNIT.test(text) ? text : `(${text})`
}
