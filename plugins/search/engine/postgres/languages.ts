import { STEMMED_LANGUAGES, type Tx, UNDETERMINED } from 'mneme/plugin'
import { readStatistics } from './statistics.ts'

/** Languages are counted like words, under names that no word can have: "‡" is punctuation that no lexeme contains. */
export function languageTerm(language: string): string {
  return `‡${language}`
}

/** Counts the documents of each language, including writes of the current second. */
export async function readLanguages(tx: Tx, workspaceId: string): Promise<ReadonlyMap<string, number>> {
  const languages = [...STEMMED_LANGUAGES, UNDETERMINED]
  const { documentFrequency } = await readStatistics(tx, workspaceId, languages.map(languageTerm))
  return new Map(
    languages
      .map(language => [language, documentFrequency.get(languageTerm(language)) ?? 0] as const)
      .filter(([, documents]) => documents > 0),
  )
}
