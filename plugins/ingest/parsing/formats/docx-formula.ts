import { childOf, childrenOf, parseXml, settingOf } from './docx-xml.ts'
import { formulaOf } from './formula.ts'

/** Formulas of Word by the elements of MathML that show the same, with the parts that these hold in their order. */
const SHAPES: Readonly<Record<string, readonly [name: string, ...parts: string[]]>> = {
  'm:f': ['mfrac', 'm:num', 'm:den'],
  'm:sSup': ['msup', 'm:e', 'm:sup'],
  'm:sSub': ['msub', 'm:e', 'm:sub'],
  'm:sSubSup': ['msubsup', 'm:e', 'm:sub', 'm:sup'],
  'm:limLow': ['munder', 'm:e', 'm:lim'],
  'm:limUpp': ['mover', 'm:e', 'm:lim'],
  'm:m': ['mtable', 'm:mr'],
  'm:mr': ['mtr', 'm:e'],
  'm:eqArr': ['mtable', 'm:e'],
}
const INTEGRAL = '∫'

/** A formula of a Word document in one line, as those of pages are read. */
export function wordFormula(xml: string): string {
  const math = parseXml(`<math>${rowOf(parseXml(xml))}</math>`)
  return formulaOf(math, 0, { isSilent: () => false, requireNesting: () => undefined })
}

function rowOf(element: Element | undefined): string {
  return [...(element?.children ?? [])].map(partOf).join('')
}

function partOf(element: Element): string {
  const name = element.tagName
  if (name === 'm:t' || name === 'w:t') return `<mtext>${escaped(element.textContent ?? '')}</mtext>`
  const shape = SHAPES[name]
  if (shape)
    return shaped(
      shape[0],
      shape.slice(1).flatMap(part => childrenOf(element, part)),
    )
  if (name === 'm:rad') {
    const degree = rowOf(childOf(element, 'm:deg'))
    const under = rowOf(childOf(element, 'm:e'))
    return degree ? `<mroot>${row(under)}${row(degree)}</mroot>` : `<msqrt>${under}</msqrt>`
  }
  if (name === 'm:nary') {
    const sign = signOf(element, 'm:naryPr', 'm:chr', INTEGRAL)
    const bounds = (['m:sub', 'm:sup'] as const).map(bound => row(rowOf(childOf(element, bound))))
    return `<msubsup>${row(sign)}${bounds.join('')}</msubsup> ${row(rowOf(childOf(element, 'm:e')))}`
  }
  if (name === 'm:d') {
    const between = signOf(element, 'm:dPr', 'm:sepChr', '|')
    const inner = childrenOf(element, 'm:e').map(rowOf).join(between)
    return row(signOf(element, 'm:dPr', 'm:begChr', '(') + inner + signOf(element, 'm:dPr', 'm:endChr', ')'))
  }
  if (name === 'm:acc') return row(rowOf(childOf(element, 'm:e')) + signOf(element, 'm:accPr', 'm:chr', '\u0302'))
  return name === 'm:func'
    ? row(`${rowOf(childOf(element, 'm:fName'))} ${rowOf(childOf(element, 'm:e'))}`)
    : rowOf(element)
}

function shaped(name: string, parts: readonly Element[]): string {
  return `<${name}>${parts.map(part => (SHAPES[part.tagName] ? partOf(part) : row(rowOf(part)))).join('')}</${name}>`
}

/** Several parts are one to what holds them. */
function row(parts: string): string {
  return `<mrow>${parts}</mrow>`
}

/** A sign that the properties of an element name. */
function signOf(element: Element, properties: string, name: string, otherwise: string): string {
  const named = childOf(element, properties, name)
  return `<mo>${escaped(named ? (settingOf(named) ?? named.getAttribute('m:val') ?? '') : otherwise)}</mo>`
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
