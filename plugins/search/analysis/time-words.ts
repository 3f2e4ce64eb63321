import { isFunctionWord, monthNames } from 'mneme/plugin'

/** ICU supplies the words for times in these languages, so the list is cheap to extend. */
const LANGUAGES =
  'en de fr es it pt nl sv da nb fi pl cs sk hu ro bg el tr ru uk ar he fa hi bn id vi ja zh ko th'.split(' ')
/** Shorter words of a phrase ("il y a", "vor") say nothing about time by themselves. */
const LETTERS_MIN = 4

interface TimeWords {
  /** Words of scripts with spaces, in lower case. */
  readonly words: ReadonlySet<string>
  /** Pieces of scripts without spaces. */
  readonly pieces: readonly string[]
}

let known: TimeWords | undefined

/** Detects whether a text mentions a time: a month, a day of the week, a year, a time of day, "yesterday", "two weeks ago". */
export function tellsTime(lowerCase: string): boolean {
  if (/(?<!\p{Nd})(?:19|20)\p{Nd}\p{Nd}(?!\p{Nd})|\p{Nd}:\p{Nd}{2}|\p{Nd}[./-]\p{Nd}{1,2}[./-]\p{Nd}/u.test(lowerCase))
    return true
  known ??= collect()
  const { words, pieces } = known
  for (const [word] of lowerCase.matchAll(/\p{L}[\p{L}\p{M}]*/gu)) if (words.has(word)) return true
  return pieces.some(piece => lowerCase.includes(piece))
}

function collect(): TimeWords {
  const words = new Set<string>()
  const pieces = new Set<string>()
  for (const phrase of LANGUAGES.flatMap(phrasesOf)) {
    for (const [word] of phrase.toLowerCase().matchAll(/\p{L}[\p{L}\p{M}]*/gu)) {
      if (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u.test(word)) {
        if (word.length >= 2) pieces.add(word)
      } else if (word.length >= LETTERS_MIN && !isFunctionWord(word)) words.add(word)
    }
  }
  return { words, pieces: [...pieces] }
}

/** Collects months, days of the week, and phrases such as "yesterday", "next week", "2 years ago". */
function phrasesOf(language: string): string[] {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const units = ['hour', 'day', 'week', 'month', 'year'] as const
  const phrases = units.flatMap(unit => [-5, -2, -1, 0, 1, 2].map(n => relative.format(n, unit)))
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  const { alone, besideDay } = monthNames(language)
  phrases.push(...alone, ...besideDay)
  for (let n = 0; n < 7; n++) phrases.push(weekday.format(new Date(Date.UTC(2024, 0, 1 + n))))
  return phrases
}
