import { childOf, childrenOf, escaped, settingOf, type WordNode } from './docx-tree.ts'

/** Formulas of Word by the elements of MathML that show the same, with the parts that these hold in their order. */
const SHAPES: Readonly<Record<string, readonly [name: string, ...parts: string[]]>> = {
  f: ['mfrac', 'num', 'den'],
  sSup: ['msup', 'e', 'sup'],
  sSub: ['msub', 'e', 'sub'],
  sSubSup: ['msubsup', 'e', 'sub', 'sup'],
  limLow: ['munder', 'e', 'lim'],
  limUpp: ['mover', 'e', 'lim'],
  m: ['mtable', 'mr'],
  mr: ['mtr', 'e'],
  eqArr: ['mtable', 'e'],
}
const INTEGRAL = '∫'

/** A formula of a Word document as MathML. */
export function wordFormula(node: WordNode): string {
  return `<math>${rowOf(node)}</math>`
}

function rowOf(node: WordNode | undefined): string {
  return (node?.children ?? []).map(part => (typeof part === 'string' ? textOf(part) : partOf(part))).join('')
}

function partOf(node: WordNode): string {
  const { name } = node
  const shape = SHAPES[name]
  const partNamed = (part: string) => row(rowOf(childOf(node, part)))
  if (shape) {
    const parts = shape.slice(1).flatMap(part => childrenOf(node, part))
    return `<${shape[0]}>${parts.map(part => (SHAPES[part.name] ? partOf(part) : row(rowOf(part)))).join('')}</${shape[0]}>`
  }
  if (name === 'rad') {
    const degree = rowOf(childOf(node, 'deg'))
    return degree ? `<mroot>${partNamed('e')}${row(degree)}</mroot>` : `<msqrt>${partNamed('e')}</msqrt>`
  }
  if (name === 'nary') {
    const sign = signOf(node, 'naryPr', 'chr', INTEGRAL)
    return `<msubsup>${row(sign)}${partNamed('sub')}${partNamed('sup')}</msubsup> ${partNamed('e')}`
  }
  if (name === 'd') {
    const inner = childrenOf(node, 'e')
      .map(rowOf)
      .join(signOf(node, 'dPr', 'sepChr', '|'))
    return row(signOf(node, 'dPr', 'begChr', '(') + inner + signOf(node, 'dPr', 'endChr', ')'))
  }
  if (name === 'acc') return row(rowOf(childOf(node, 'e')) + signOf(node, 'accPr', 'chr', '\u0302'))
  return name === 'func' ? row(`${partNamed('fName')} ${partNamed('e')}`) : rowOf(node)
}

/** Several parts are one to what holds them. */
function row(parts: string): string {
  return `<mrow>${parts}</mrow>`
}

/** A sign that the properties of an element name. */
function signOf(node: WordNode, properties: string, name: string, otherwise: string): string {
  const named = childOf(node, properties, name)
  return `<mo>${escaped(named ? (settingOf(named) ?? '') : otherwise)}</mo>`
}

function textOf(text: string): string {
  return `<mtext>${escaped(text)}</mtext>`
}
