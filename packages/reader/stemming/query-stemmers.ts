import { type Stemmer, stemmerFor } from './stemmers.ts'

/**
 * Returns the stemmers of a query's words, in the order of the languages, and one for each language that stems a word as it is also spelt:
 * many write the Arabic ة at the end of a word as ه, and the stems of the two differ by what stands before them. Texts have one stem of a word,
 * so only queries ask for both.
 */
export function queryStemmers(languages: readonly string[]): readonly Stemmer[] {
  const own = languages.map(stemmerFor)
  return [
    ...own,
    ...own.map(
      (stem): Stemmer =>
        word =>
          stem(respelt(word)),
    ),
  ]
}

function respelt(word: string): string {
  if (word.endsWith('ه')) return `${word.slice(0, -1)}ة`
  return word.endsWith('ة') ? `${word.slice(0, -1)}ه` : word
}
