import { foldWord } from './normalize.ts'

/** A language's names of the months in lower case, January first: as they stand alone, and as they are inflected beside a day. */
export interface MonthNames {
  readonly alone: readonly string[]
  readonly besideDay: readonly string[]
}

/** Returns the names of the months in a language (a BCP 47 tag), as Unicode's locale data has them. */
export function monthNames(language: string): MonthNames {
  const known = namesByLanguage.get(language)
  if (known) return known
  const alone = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  const besideDay = new Intl.DateTimeFormat(language, { month: 'long', day: 'numeric', timeZone: 'UTC' })
  const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 15)))
  const names = {
    alone: days.map(day => alone.format(day).toLowerCase()),
    besideDay: days.map(day => monthPartOf(besideDay.formatToParts(day)).toLowerCase()),
  }
  namesByLanguage.set(language, names)
  return names
}

const namesByLanguage = new Map<string, MonthNames>()

function monthPartOf(parts: readonly Intl.DateTimeFormatPart[]): string {
  return parts.find(({ type }) => type === 'month')?.value ?? ''
}

/** The shortest abbreviation of a month has this many letters ("mar"). */
const LETTERS_MIN = 3
const LETTERS_MAX = 20

/**
 * Returns the month, 0 to 11, whose name or abbreviation ("sept", "fév") a word is in one of some languages; undefined when it is none.
 */
export function monthOf(word: string, languages: readonly string[]): number | undefined {
  if (word.length < LETTERS_MIN || word.length > LETTERS_MAX) return undefined
  const beginning = foldWord(word)
  for (const language of languages) {
    const month = monthNames(language).alone.findIndex(name => foldWord(name).startsWith(beginning))
    if (month >= 0) return month
  }
  return undefined
}
