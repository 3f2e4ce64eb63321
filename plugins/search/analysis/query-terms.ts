import { isFunctionWord } from 'mneme/plugin'
import type { Query } from './parse-query.ts'

/** A term that the ranker scores by. */
export interface RankingTerm {
  /** The stem, as `termCounts` names it. */
  term: string
  /** True for a function or question word, which occurs in every text and should weigh little (0.1 to 0.3). */
  functional: boolean
}

export interface QueryTerms {
  /** The distinct terms in the order of the query, without exclusions. */
  terms: RankingTerm[]
  /**
   * For each clause its alternatives, each the stems that a text must have. A text that has one alternative of every clause contains every
   * term of the query.
   */
  clauses: string[][][]
  /** Stems of the same words in further languages, by the term that represents them. */
  variants: ReadonlyMap<string, readonly string[]>
}

/**
 * Returns the terms to rank by in hybrid and semantic mode.
 * @param language the language of the query, which decides its function words; English by default
 */
export function queryTerms(query: Query, language?: string): QueryTerms {
  const terms = new Map<string, RankingTerm>()
  const wanted = query.clauses.filter(clause => !clause.excluded)
  for (const { ranked, quoted } of wanted.flatMap(clause => clause.terms)) {
    const isCommon = (term: string) => isFunctionWord(term, language)
    // A quotation of function words alone, such as "The Who", is about them.
    const isName = quoted && ranked.every(isCommon)
    for (const term of ranked) {
      const functional = !isName && isCommon(term)
      const known = terms.get(term)
      if (known === undefined) terms.set(term, { term, functional })
      else known.functional &&= functional
    }
  }
  return {
    terms: [...terms.values()],
    clauses: wanted.map(clause => clause.terms.map(term => term.required)),
    variants: new Map(wanted.flatMap(clause => clause.terms.flatMap(term => [...term.variants]))),
  }
}
