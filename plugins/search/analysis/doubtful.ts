import { isFunctionWord, lexicons, monthOf, phrasePattern, wordsOf } from 'mneme/plugin'

/** One of these words right before a month or a year shows that a time is meant: "in May", "since 2020". */
const BEFORE_DATES = [
  ...wordsOf(lexicons.FACT_DATES.in, lexicons.FACT_DATES.from),
  ...Object.values(lexicons.DATE_BOUNDS).flatMap(bounds => Object.values(bounds).flat()),
]
const BEFORE_DATE = new RegExp(`${phrasePattern(BEFORE_DATES).source}\\s+$`, 'iu')
const LAST_WORD = /([\p{L}\p{M}\p{Nd}]+)[^\p{L}\p{Nd}]*$/u
const FRACTION = /^\p{Nd}{1,2}\/\p{Nd}{1,2}$/u

/** Tells whether a month without day and year may be another word: "may", "march", "June" in "What did June say?". */
export function isDoubtfulMonth(textBefore: string): boolean {
  return !BEFORE_DATE.test(textBefore)
}

/**
 * Tells whether a bare number may be no year: "room 2024" names a room, "in 2024" and "März 2024" a year.
 * @param languages in any of which the word before may be a month
 */
export function isDoubtfulYear(textBefore: string, language: string, languages: readonly string[]): boolean {
  const word = LAST_WORD.exec(textBefore)?.[1]?.toLowerCase()
  if (word === undefined || isFunctionWord(word, language) || monthOf(word, languages) !== undefined) return false
  return !BEFORE_DATE.test(textBefore)
}

/** Tells whether a lone day of the week may be another word, as abbreviations such as "sun" and "sat" are. */
export function isDoubtfulWeekday(phrase: string, language: string): boolean {
  const word = phrase
    .replace(/[^\p{L}\p{M}-]+/gu, ' ')
    .trim()
    .toLowerCase()
  return !word.includes(' ') && !weekdaysOf(language).has(word)
}

/** Tells whether a day and month may be a share or a pair of numbers: "24/7", "3/4". */
export function isFraction(phrase: string): boolean {
  return FRACTION.test(phrase.trim())
}

function weekdaysOf(language: string): ReadonlySet<string> {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return new Set(Array.from({ length: 7 }, (_, n) => format.format(Date.UTC(2024, 0, 1 + n)).toLowerCase()))
}
