import type { Clause, Query } from './parse-query.ts'
import type { Term } from './query-term.ts'
import { quoteLexeme, SHEETS, sheetName } from './tsvector.ts'

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
