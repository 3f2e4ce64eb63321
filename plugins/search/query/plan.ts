import type { SearchMode, SearchRequest } from '../../memories/contract.ts'
import { parseQuery, type Query, queryTerms } from '../analysis/parse-query.ts'
import { type Question, readQuestion } from '../analysis/traits.ts'

/** The analysed query and the way it is matched. */
export interface QueryPlan {
  readonly mode: SearchMode
  readonly query: Query
  readonly match: 'all' | 'any'
  /** Stems to match and rank by. */
  readonly terms: readonly string[]
  /** The alternatives of each clause; an alternative lists the stems that a text must contain. */
  readonly clauses: readonly (readonly (readonly string[])[])[]
  /** Stems of the same word in other languages, by term. */
  readonly variants: ReadonlyMap<string, readonly string[]>
  readonly question: Question
  /** The text to embed; undefined when meaning is not used. */
  readonly meaning: string | undefined
}

/**
 * @param languages the languages of the workspace's texts in order of preference; English if empty
 * @param now the reference for relative dates such as "last May"
 */
export function planQuery(
  { query: text, mode }: Pick<SearchRequest, 'query' | 'mode'>,
  languages: readonly string[] = [],
  now = new Date(),
): QueryPlan {
  const byWords = mode === 'keyword'
  const query = parseQuery(text, { languages, exclusions: byWords })
  const { terms, clauses, variants } = contentTerms(query, languages[0])
  return {
    mode,
    query,
    match: byWords ? 'all' : 'any',
    terms,
    clauses,
    variants,
    question: readQuestion(text, now, languages[0]),
    meaning: byWords ? undefined : text,
  }
}

/** A query in a script without spaces has up to two thousand characters and pairs; of a question in words all are taken. */
const TERMS_MAX = 256

/** Keeps terms from the whole query; of too many the single characters go first, which tell least. */
function bounded(terms: readonly string[]): readonly string[] {
  if (terms.length <= TERMS_MAX) return terms
  const longer = terms.filter(term => Array.from(term).length > 1)
  const telling = longer.length >= TERMS_MAX ? longer : terms
  return Array.from({ length: TERMS_MAX }, (_, i) => telling[Math.floor((i * telling.length) / TERMS_MAX)] ?? '')
}

/** Keeps the terms that are not function words, which occur in every text; keeps all if there are no others. */
function contentTerms(query: Query, language: string | undefined): Pick<QueryPlan, 'terms' | 'clauses' | 'variants'> {
  const { terms, clauses, variants } = queryTerms(query, language)
  const content = terms.filter(({ functional }) => !functional)
  const counted = new Set(bounded((content.length > 0 ? content : terms).map(({ term }) => term)))
  return {
    terms: [...counted],
    clauses: clauses
      .map(alternatives => alternatives.map(stems => stems.filter(stem => counted.has(stem))))
      .filter(alternatives => alternatives.every(stems => stems.length > 0)),
    variants: new Map([...variants].filter(([term, further]) => counted.has(term) && further.length > 0)),
  }
}
