import { finish, type Steps } from 'mneme/plugin'
import type { Analysis } from './analyze.ts'
import type { Clause, Query } from './parse-query.ts'
import type { Term } from './query-term.ts'

/**
 * Builds the Postgres `tsvector` literal of an analysis: at each position the surface with weight A (B for a further form) and, where it
 * differs, the stem with weight D. So `'x':AB` finds a word as typed and `'x'` any inflection, and statistics count the lexemes of {@link
 * COUNTED_WEIGHTS}.
 *
 * It stays within Postgres' limits for any text: positions to 16,383, 256 positions per lexeme, 1 MB in all. Lexemes beyond the last limit
 * are dropped, words last.
 *
 * @param prefix put before every lexeme, so that each workspace has its own posting lists; without NUL
 */
export function toTsvector(analysis: Analysis, prefix: string): string {
  return finish(tsvectorSteps(analysis, prefix))
}

/** Builds the literal in steps of a few milliseconds. */
export function* tsvectorSteps(analysis: Analysis, prefix: string): Steps<string> {
  let literal = ''
  let bytes = 0
  let written = 0
  for (const [lexeme, places] of yield* collect(analysis)) {
    if (++written % ENTRIES_PER_STEP === 0) yield
    for (const [sheet, part] of sheetsOf(places).entries()) {
      const name = sheetName(prefix + lexeme, sheet)
      bytes += utf8Length(name) + 2 * part.length + 4
      if (bytes > BYTES_MAX) return literal
      literal += `${literal === '' ? '' : ' '}${quoteLexeme(name)}:${writePlaces(part)}`
    }
  }
  return literal
}

/** BM25 counts these weights; further forms are found, but no query ranks by them. */
export const COUNTED_WEIGHTS = '{a,d}'

/** Quotes a lexeme for `tsvector` and `tsquery` literals. */
export function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`
}

/**
 * Postgres keeps 256 positions per lexeme and drops the rest. A phrase with a frequent word late in a long text would not be found, so
 * further positions are stored under further names; the last sheet covers the end of the text.
 */
const SHEETS = 4

/** Names a lexeme's sheet. "‡" is punctuation that no lexeme contains. */
function sheetName(lexeme: string, sheet: number): string {
  return sheet === 0 ? lexeme : `${lexeme}‡${sheet}`
}

/** This many entries take about a millisecond. */
const ENTRIES_PER_STEP = 2000
const SHEET_SIZE = 256
/** Postgres allows 1,048,575 bytes of lexemes and positions. */
const BYTES_MAX = 1_000_000
const POSITION_MAX = 16_383
/**
 * Beyond position 16,383 the count restarts every `PERIOD` positions. The first positions of each round are also written at the end of the
 * previous one, so that a phrase of up to 383 words across the seam is found.
 */
const PERIOD = 16_000

/** A position and its weight in one number: four times the position plus one of `WEIGHT`. */
type Place = number

const WEIGHT = { stem: 0, form: 1, surface: 2 } as const
const WEIGHT_LETTERS = ['', 'B', 'A']

/** Words come first, so that the size limit drops further forms before them. */
function* collect(analysis: Analysis): Steps<Map<string, Place[]>> {
  const entries = new Map<string, Place[]>()
  const wraps = analysis.length > POSITION_MAX
  for (const { surface, position, role } of analysis.tokens) {
    if (role === 'word') addPlaces(entries, surface, position, WEIGHT.surface, wraps)
  }
  let collected = 0
  for (const { surface, stem, position, role } of analysis.tokens) {
    if (++collected % ENTRIES_PER_STEP === 0) yield
    if (role === 'form') addPlaces(entries, surface, position, WEIGHT.form, wraps)
    else if (role !== 'alias' && role !== 'word') addPlaces(entries, surface, position, WEIGHT.surface, wraps)
    if (stem !== surface) addPlaces(entries, stem, position, WEIGHT.stem, wraps)
  }
  return entries
}

function addPlaces(
  entries: Map<string, Place[]>,
  lexeme: string,
  position: number,
  weight: (typeof WEIGHT)[keyof typeof WEIGHT],
  wraps: boolean,
) {
  const inRound = wraps ? ((position - 1) % PERIOD) + 1 : position
  const places = entries.get(lexeme)
  if (places === undefined) entries.set(lexeme, [4 * inRound + weight])
  else places.push(4 * inRound + weight)
  if (wraps && position > PERIOD && inRound <= POSITION_MAX - PERIOD) {
    entries.get(lexeme)?.push(4 * (PERIOD + inRound) + weight)
  }
}

function sheetsOf(places: Place[]): Place[][] {
  if (places.length <= SHEET_SIZE) return [places]
  // Words as typed come first, because the first sheet decides whether a word occurs as typed at all.
  const ordered = [...places.filter(isTyped), ...places.filter(place => !isTyped(place))]
  const sheets: Place[][] = []
  for (let sheet = 0; sheet < SHEETS && sheet * SHEET_SIZE < ordered.length; sheet++) {
    const start = sheet * SHEET_SIZE
    const from = sheet === SHEETS - 1 ? Math.max(start, ordered.length - SHEET_SIZE) : start
    sheets.push(ordered.slice(from, from + SHEET_SIZE))
  }
  return sheets
}

function isTyped(place: Place): boolean {
  return place % 4 !== WEIGHT.stem
}

function writePlaces(places: readonly Place[]): string {
  let written = ''
  for (const place of places) {
    if (written !== '') written += ','
    written += place >> 2
    written += WEIGHT_LETTERS[place & 3] ?? ''
  }
  return written
}

function utf8Length(text: string): number {
  let length = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) length += code > 0x7ff ? 2 : 1
  }
  return length
}

/**
 * Builds the `tsquery` literal of keyword mode, in which every clause must hold. A query of exclusions alone matches every text without
 * them.
 *
 * @param prefix the one given to `toTsvector`
 * @returns null when the query has nothing to search for
 */
export function toKeywordTsquery(query: Query, prefix: string): string | null {
  const { clauses } = query
  return clauses.length === 0 ? null : clauses.map(clause => renderClause(clause, prefix)).join(' & ')
}

/**
 * Builds the `tsquery` literal that matches what a query of exclusions alone excludes: a posting list, while its negation would read the
 * whole index.
 *
 * @returns null when the query wants something, too
 */
export function toExcludedTsquery({ clauses }: Query, prefix: string): string | null {
  if (clauses.length === 0 || clauses.some(({ excluded }) => !excluded)) return null
  return clauses.map(clause => renderClause({ ...clause, excluded: false }, prefix)).join(' | ')
}

/**
 * Builds the `tsquery` literal that matches a text with any of the given stems, to retrieve candidates.
 *
 * @param terms stems as `termCounts` and `queryTerms` name them
 * @returns null for no terms
 */
export function toAnyTsquery(terms: Iterable<string>, prefix: string): string | null {
  const lexemes = Array.from(terms, term => quoteLexeme(prefix + term))
  return lexemes.length === 0 ? null : lexemes.join(' | ')
}

function renderClause(clause: Clause, prefix: string): string {
  const terms = clause.terms.map(term => renderTerm(term, prefix)).join(' | ')
  return `${clause.excluded ? '!' : ''}(${terms})`
}

function renderTerm(term: Term, prefix: string): string {
  const sheets = term.steps.length === 1 || term.steps.length > SHEETED_STEPS_MAX ? 1 : SHEETS
  const steps = term.steps.map(({ lexeme, variants, typed, gap }, i) => {
    const names = [lexeme, ...variants].flatMap(name =>
      Array.from({ length: sheets }, (_, sheet) => {
        return quoteLexeme(sheetName(prefix + name, sheet)) + (typed ? ':AB' : '')
      }),
    )
    const operand = names.length === 1 ? names.join('') : `(${names.join(' | ')})`
    return i === 0 ? operand : ` <${gap}> ${operand}`
  })
  const sequence = steps.join('')
  if (term.aliases.length === 0) return sequence
  return [`(${sequence})`, ...term.aliases.map(alias => quoteLexeme(prefix + alias))].join(' | ')
}

/** Longer phrases are distinguished by their rare words; more names would only slow the query down. */
const SHEETED_STEPS_MAX = 40

/**
 * Returns the code that begins every lexeme of a workspace. It keeps posting lists per workspace. Two workspaces that share one of the
 * 46,656 codes only slow each other down, because statements compare the workspace itself too.
 */
export function lexemePrefix(workspaceId: string): string {
  const random = Number.parseInt(workspaceId.slice(-8), 16)
  return (random % CODES).toString(36).padStart(3, '0')
}

const CODES = 36 ** 3
