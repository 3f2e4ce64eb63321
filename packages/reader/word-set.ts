/** A list of words, or lists by language. */
export type Lexicon = readonly string[] | Readonly<Record<string, readonly string[]>>

/** Returns the words of lexicons, in all their languages. */
export function wordsOf(...lexicons: readonly Lexicon[]): string[] {
  return lexicons.flatMap(lexicon => (isList(lexicon) ? lexicon : Object.values(lexicon).flat()))
}

/** Makes one set of lexicons, in all their languages. */
export function wordSet(...lexicons: readonly Lexicon[]): ReadonlySet<string> {
  return new Set(wordsOf(...lexicons))
}

function isList(lexicon: Lexicon): lexicon is readonly string[] {
  return Array.isArray(lexicon)
}
