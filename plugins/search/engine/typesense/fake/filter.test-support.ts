import { unicodeForm } from 'mneme/plugin'
import type { Document, Field } from './documents.test-support.ts'

export type Passes = (document: Document) => boolean

/** An error in Typesense's wording. */
export class FakeFault extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** Parses a `filter_by`: `&&` and `||` have one precedence from the left, with parentheses. */
export function parseFilter(text: string, fields: ReadonlyMap<string, Field>): Passes {
  if (text.trim() === '') return () => true
  const tokens =
    text.match(/\(|\)|&&|\|\||(?:\[[^\]]*\]|`[^`]*`|(?!&&|\|\|)[^()[\]])+/g)?.map(token => token.trim()) ?? []
  const rest = tokens.filter(token => token !== '')
  const passes = parseChain(rest, fields)
  if (rest.length > 0) throw new FakeFault(400, 'Could not parse the filter query: unbalanced parentheses.')
  return passes
}

/** Typesense calls this limit `--filter-by-max-ops`. */
const OPERATORS_MAX = 100

export function countOperators(text: string): number {
  return text.match(/&&|\|\|/g)?.length ?? 0
}

export function checkOperators(text: string): void {
  if (countOperators(text) > OPERATORS_MAX) {
    throw new FakeFault(400, `\`filter_by\` has too many operations.`)
  }
}

function parseChain(tokens: string[], fields: ReadonlyMap<string, Field>): Passes {
  let passes = parseOperand(tokens, fields)
  while (tokens[0] === '&&' || tokens[0] === '||') {
    const operator = tokens.shift()
    const before = passes
    const next = parseOperand(tokens, fields)
    passes =
      operator === '&&'
        ? document => before(document) && next(document)
        : document => before(document) || next(document)
  }
  return passes
}

function parseOperand(tokens: string[], fields: ReadonlyMap<string, Field>): Passes {
  const token = tokens.shift()
  if (token === undefined) throw new FakeFault(400, 'Could not parse the filter query.')
  if (token !== '(') return parseCondition(token, fields)
  const inner = parseChain(tokens, fields)
  if (tokens.shift() !== ')') throw new FakeFault(400, 'Could not parse the filter query: unbalanced parentheses.')
  return inner
}

function parseCondition(text: string, fields: ReadonlyMap<string, Field>): Passes {
  const [, name = '', operator = '', raw = ''] = /^([^:]+):\s*(!=|>=|<=|=|>|<|)\s*(.*)$/s.exec(text) ?? []
  if (name === '') throw new FakeFault(400, 'Could not parse the filter query.')
  if (raw === '') throw new FakeFault(400, `Error with filter field \`${name}\`: Filter value cannot be empty.`)
  const values = raw.startsWith('[') ? raw.slice(1, -1).split(',') : [raw]
  if (name === 'id') {
    const ids = new Set(values.map(value => value.trim()))
    return document => ids.has(document.id) !== (operator === '!=')
  }
  const field = fields.get(name)
  if (!field) throw new FakeFault(404, `Could not find a filter field named \`${name}\` in the schema.`)
  if (field.num_dim) throw new FakeFault(404, `Cannot filter on vector field \`${name}\`.`)
  return field.type.startsWith('int') ? numeric(name, operator, values) : textual(name, operator, values)
}

function numeric(name: string, operator: string, values: readonly string[]): Passes {
  const numbers = values.map(Number)
  if (numbers.some(Number.isNaN)) throw new FakeFault(400, `Error with filter field \`${name}\`: Not an int64.`)
  const holds = (value: number, bound: number) => {
    if (operator === '>') return value > bound
    if (operator === '>=') return value >= bound
    if (operator === '<') return value < bound
    if (operator === '<=') return value <= bound
    return (value === bound) !== (operator === '!=')
  }
  return document => numbers.some(bound => typeof document[name] === 'number' && holds(document[name], bound))
}

/** `:=` compares all words of a value, `:` looks for them in it. A missing value is unequal to everything. */
function textual(name: string, operator: string, values: readonly string[]): Passes {
  const wanted = new Set(values.map(value => wordsIn(value.replaceAll('`', '')).join(' ')))
  const equal = (value: string) => {
    const words = wordsIn(value)
    return operator === '' ? words.some(word => wanted.has(word)) : wanted.has(words.join(' '))
  }
  return document => valuesOf(document, name).some(equal) !== (operator === '!=')
}

export function valuesOf(document: Document, name: string): string[] {
  const value = document[name]
  return (Array.isArray(value) ? value : [value]).filter(item => typeof item === 'string')
}

/** Splits a text like Typesense by default: lower case, accents folded, other signs dropped without a gap. */
export function wordsIn(text: string): string[] {
  const folded = unicodeForm(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return folded
    .split(/\s+/)
    .map(word => word.replace(/[^\p{L}\p{N}]/gu, '').slice(0, 100))
    .filter(word => word !== '')
}
