/** So many rows below the first tell what kind of values a column has. */
const ROWS_LOOKED_AT = 50
/** Longer ones are no single word or name. */
const WORD_CHARS_MAX = 80
/** So large a part of a column's values is of its kind. */
const ALIKE_MIN = 0.6

type Kind = 'number' | 'word' | 'prose'

/**
 * Tells whether the first row of a table names its columns: by how it differs from the rows below. A number over other numbers is a value;
 * a word over numbers or sentences is a name, and so is a word that the column does not have again.
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
