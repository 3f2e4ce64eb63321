import { isFunctionWord } from './function-words.ts'
import type { Query } from './parse-query.ts'

/** What the ranker scores by. */
export interface RankingTerm {
  /** As `termCounts` names it. */
  term: string
  /** A function or question word: present in every text, so it should weigh little (0.1 to 0.3). */
  functional: boolean
}

export interface QueryTerms {
  /** Distinct, in the order of the query, without exclusions. */
  terms: RankingTerm[]
  /**
   * For each clause the stems a text must have to hold it, one list for each alternative. A text that has one
   * list of every clause holds every term of the query.
   */
  clauses: string[][][]
  /** Stems of the same words in further languages, by the term that stands for them all. */
  variants: ReadonlyMap<string, readonly string[]>
}

/**
 * The terms to rank by in hybrid and semantic mode.
 * @param language that of the query, whose function words are told apart; English by default
 */
export function queryTerms(query: Query, language?: string): QueryTerms {
  const terms = new Map<string, RankingTerm>()
  const wanted = query.clauses.filter(clause => !clause.excluded)
  for (const { ranked, quoted } of wanted.flatMap(clause => clause.terms)) {
    for (const term of ranked) {
      const functional = !quoted && isFunctionWord(term, language)
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
