import { analyze, termCounts } from './analysis/analyze.ts'
import { isFunctionWord } from './analysis/function-words.ts'

/** Best results that are looked at for related words. */
export const EXPANSION_TEXTS = 5
const RELATED_MAX = 6
/** A word of a single result says more about that result than about the query. */
const TEXTS_MIN = 2

/**
 * Words that several of the best results share and the query lacks: pseudo-relevance feedback (Rocchio 1971; Lavrenko and
 * Croft, "Relevance-Based Language Models", 2001). Each text counts a word once, so that a long one has no more say.
 */
export function relatedTerms(texts: readonly string[], terms: readonly string[]): string[] {
  const holders = new Map<string, number>()
  for (const text of texts) {
    for (const term of termCounts(analyze(text)).keys()) {
      if (!terms.includes(term) && tells(term)) holders.set(term, (holders.get(term) ?? 0) + 1)
    }
  }
  return [...holders]
    .filter(([, count]) => count >= TEXTS_MIN)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, RELATED_MAX)
    .map(([term]) => term)
}

function tells(term: string): boolean {
  return term.length > 2 && !isFunctionWord(term) && /\p{L}/u.test(term)
}
