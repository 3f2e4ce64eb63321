import type { SearchMode, SearchRequest } from '../memories/contract.ts'
import { type Clause, parseQuery, type Query } from './analysis/parse-query.ts'
import { queryTerms } from './analysis/query-terms.ts'
import { type Question, readQuestion } from './analysis/question.ts'

/** How a query is carried out. */
export interface QueryPlan {
  readonly mode: SearchMode
  readonly query: Query
  readonly match: 'all' | 'any'
  /** Stems to match and rank by. */
  readonly terms: readonly string[]
  /** For each clause the alternatives, each the stems a text must have to hold it. */
  readonly clauses: readonly (readonly (readonly string[])[])[]
  /** Further stems that a term stands for: those of the same word in other languages. */
  readonly variants: ReadonlyMap<string, readonly string[]>
  readonly question: Question
  /** The text whose meaning is looked for; undefined when meaning plays no part. */
  readonly meaning: string | undefined
}

/**
 * @param languages those of the workspace's texts, the first before the others; English without any
 * @param now what "last May" counts from
 */
export function planQuery(
  { query: text, mode }: Pick<SearchRequest, 'query' | 'mode'>,
  languages: readonly string[] = [],
  now = new Date(),
): QueryPlan {
  const query = parseQuery(text, { languages })
  const wanted = query.clauses.filter(clause => !clause.excluded)
  const { terms, clauses, variants } = telling(query, languages[0])
  // Exclusions alone ask for everything else, which neither a word nor a meaning can propose.
  const onlyExcludes = wanted.length === 0 && query.clauses.length > 0
  const words = mode === 'keyword' || onlyExcludes
  return {
    mode: words ? 'keyword' : mode,
    query,
    match: words ? 'all' : 'any',
    terms,
    clauses,
    variants,
    question: readQuestion(text, now, languages[0]),
    meaning: words ? undefined : meaningOf(text, query, wanted),
  }
}

/** The terms without function words, which are in every text; all of them when there are no others. */
function telling(query: Query, language: string | undefined): Pick<QueryPlan, 'terms' | 'clauses' | 'variants'> {
  const { terms, clauses, variants } = queryTerms(query, language)
  const content = terms.filter(({ functional }) => !functional)
  const counted = new Set((content.length > 0 ? content : terms).map(({ term }) => term))
  return {
    terms: [...counted],
    clauses: clauses
      .map(alternatives => alternatives.map(stems => stems.filter(stem => counted.has(stem))))
      .filter(alternatives => alternatives.every(stems => stems.length > 0)),
    variants: new Map([...variants].filter(([term, further]) => counted.has(term) && further.length > 0)),
  }
}

/** A vector knows no "not": what is excluded must not pull results towards it. */
function meaningOf(text: string, { clauses }: Query, wanted: readonly Clause[]): string {
  if (wanted.length === clauses.length) return text
  return wanted.map(clause => clause.terms.map(term => term.text).join(' ')).join(' ')
}
