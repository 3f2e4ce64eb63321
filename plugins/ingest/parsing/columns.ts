import type { Block } from '../document/document.ts'

/** So many rows below the first tell what kind of values a column has. */
const ROWS_LOOKED_AT = 50
/** Longer ones are no single word or name. */
const WORD_CHARS_MAX = 80
/** So large a part of a column's values is of its kind. */
const ALIKE_MIN = 0.6

type Kind = 'number' | 'word' | 'prose'

type Table = readonly (readonly string[])[]

/**
 * The rows of a table, with the names of their columns where the first row names them. Where nothing tells that it does, a row of two cells
 * is a name and its value, and one of more cells has no names: a wrong name would say what is not so.
 * @param isHead where the format itself tells whether the first row names the columns
 */
export function* namedRows(table: Table, isHead = hasHead(table)): Generator<Block> {
  const [first = [], ...others] = table
  const names = isHead ? columnNames(first) : []
  const columns = names.some(Boolean) ? names : []
  const rows = isHead ? others : table
  const arePairs = columns.length === 0 && rows.every(row => row.length <= 2)
  for (const [n, cells] of rows.entries()) {
    if (cells.some(cell => cell)) yield { kind: 'row', row: n + 1, ...(arePairs ? pairOf(cells) : { columns, cells }) }
  }
}

function pairOf([name = '', value = '']: readonly string[]) {
  const said = name.replace(/\s*:$/, '')
  return said && value && said.length <= WORD_CHARS_MAX
    ? { columns: [said], cells: [value] }
    : { columns: [], cells: [name, value].filter(Boolean) }
}

/**
 * Tells whether the first row of a table names its columns where nothing but its cells tells: a column must have values of a kind that its
 * first cell has not, or values that come again. In tables of names and their values, a value with its unit may stand below any other, so that
 * only numbers alone tell.
 */
export function hasHead([first = [], ...rows]: Table): boolean {
  if (rows.length === 0 || !hasNames(first, rows)) return false
  const below = rows.filter(row => row.some((cell, n) => cell && cell !== first[n])).slice(0, ROWS_LOOKED_AT)
  // A word that stands elsewhere in the table is a value.
  const heads = new Set(first.filter(cell => cell && kindOf(cell) !== 'number'))
  if (below.some(row => row.some(cell => heads.has(cell)))) return false
  const width = Math.max(first.length, ...below.map(row => row.length))
  const mayBePairs = width === 2 || isOfPairs([first, ...below], width)
  return first.some((cell, n) => {
    const column = below.map(row => row[n] ?? '')
    if (!cell) return n === 0 && column.length > 1 && column.every(Boolean)
    if (!mayBePairs) return differs(cell, column.filter(Boolean))
    return isWord(cell) && column.every(value => (n % 2 === 0 ? isCode(value) : BARE_NUMBER.test(value)))
  })
}

/** Columns by turns of names, which have no digits and come once, and of their values. */
function isOfPairs(table: Table, width: number): boolean {
  const names = table.flatMap(row => row.filter((cell, n) => n % 2 === 0 && cell))
  return width % 2 === 0 && names.every(isWord) && new Set(names).size === names.length
}

const isWord = (cell: string) => kindOf(cell) === 'word' && !HAS_DIGITS.test(cell)
/** Names of values are none. */
const isCode = (cell: string) => kindOf(cell) === 'number' || (HAS_DIGITS.test(cell) && !/\s/.test(cell))

function differs(cell: string, column: readonly string[]): boolean {
  if (kindOf(cell) === 'number') return false
  const most = (test: (value: string) => boolean) =>
    column.length > 0 && column.filter(test).length >= column.length * ALIKE_MIN
  if (!HAS_DIGITS.test(cell) && most(value => HAS_DIGITS.test(value))) return true
  if (kindOf(cell) === 'word' && most(value => kindOf(value) !== 'word')) return true
  return column.length >= REPEATED_MIN && new Set(column).size <= column.length / 2
}

/** Numbers, codes, dates and addresses of the Internet. */
const HAS_DIGITS = /\d|@|:\/\//
/** A number without a unit, which its column must name. */
const BARE_NUMBER = /^[-+]?\d+(?:[.,]\d+)*$/
/** So many values tell that some come again. */
const REPEATED_MIN = 4

/**
 * Tells whether the first row of a file of rows may name its columns, as it does by convention: by how it differs from the rows below. A
 * number over other numbers is a value; a word over numbers or sentences is a name, and so is a word that the column does not have again.
 */
export function hasNames(first: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const filled = first.filter(cell => cell)
  if (filled.length < first.length / 2 || filled.every(cell => kindOf(cell) === 'number')) return false
  const others = rows.slice(0, ROWS_LOOKED_AT).filter(row => row.some((cell, n) => cell !== first[n]))
  const isCounted = isSequence(first) && others.filter(isSequence).length < others.length * ALIKE_MIN
  let score = 0
  for (const [n, cell] of first.entries()) {
    if (!cell) continue
    const column = others.flatMap(row => row[n] || [])
    const [kind, below] = [kindOf(cell), mostOf(column)]
    if (kind === 'number') {
      if (below === 'number' && !isCounted && !isYearOver(cell, column)) return false
    } else if (column.includes(cell)) score--
    // A question that a form asks may be answered in sentences.
    else if (kind === 'prose' && below === 'prose') score -= isQuestionOver(cell, column) ? 0 : 1
    else score += kind === 'word' && below !== undefined && below !== 'word' ? 2 : 1
  }
  return score > 0
}

/** The names that a first row gives, each of them once: a name that comes again gets its number. */
export function columnNames(first: readonly string[]): string[] {
  const times = new Map<string, number>()
  return first.map(cell => {
    const name = cell.replace(/\s+/g, ' ')
    const time = (times.get(name) ?? 0) + 1
    times.set(name, time)
    return name && time > 1 ? `${name} (${time})` : name
  })
}

/** A number may have a currency or a short unit, and be an instant. */
const NUMBER = /^[-+(€$£¥]*\s?\d[\d\s.,:;/%€$£¥+()-]*(?:T[\d:.+-]*Z?|Z|[AP]M|\s\p{L}{1,3})?$/iu

function kindOf(cell: string): Kind {
  if (cell.length > WORD_CHARS_MAX) return 'prose'
  if (NUMBER.test(cell)) return 'number'
  return /\s.*[.!?]$/.test(cell) ? 'prose' : 'word'
}

/** The kind of most of a column's values, where there is one. */
function mostOf(column: readonly string[]): Kind | undefined {
  const kinds = column.map(kindOf)
  return (['number', 'word', 'prose'] as const).find(
    kind => kinds.length > 0 && kinds.filter(other => other === kind).length >= kinds.length * ALIKE_MIN,
  )
}

/** Whole numbers that follow one another, as of years or of months: columns that are counted. Any two numbers do. */
function isSequence(row: readonly string[]): boolean {
  const numbers = row.filter(cell => /^\d{1,6}$/.test(cell)).map(Number)
  const [first = 0, second = 0] = numbers
  const step = second - first
  const areMany = numbers.length > 2 || (numbers.length > 1 && numbers.length === row.length)
  return areMany && step !== 0 && numbers.every((number, n) => number === first + n * step)
}

/** Some values of other columns look like years too. */
function isYearOver(cell: string, column: readonly string[]): boolean {
  const isYear = (value: string) => /^(?:1[89]|20|21)\d\d$/.test(value)
  return isYear(cell) && column.filter(isYear).length <= column.length * (1 - ALIKE_MIN)
}

function isQuestionOver(cell: string, column: readonly string[]): boolean {
  const isQuestion = (value: string) => value.endsWith('?')
  return isQuestion(cell) && !column.some(isQuestion)
}
