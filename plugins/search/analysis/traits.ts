import {
  type Asked,
  askedIn,
  beginsWithQuestionVerb,
  isFunctionWord,
  isQuestion,
  monthNames,
  sentencesIn,
  tellsQuantity,
  UNSPACED_LETTERS,
  unicodeForm,
} from 'mneme/plugin'
import { type DateReading, type DateSpan, datesIn, isPresent } from 'text-reader/dates'

/** Features of a text beside its words: who speaks, whether it asks or tells, and which kind of question it could answer. */
export interface TextTraits {
  /** The speaker in lower case, if the text begins with a name and a colon ("Ada: …"). */
  readonly speaker: string | null
  /** The share of its sentences that are questions, from 0 to 1. */
  readonly asking: number
  /** True if its last sentence is a question, so that the next text may answer it. */
  readonly endsAsking: boolean
  readonly tellsTime: boolean
  readonly tellsQuantity: boolean
  /** True if a word inside a sentence is capitalised, in scripts with capitals. */
  readonly tellsName: boolean
}

/** Only this many characters are read, because a longer text covers a bit of everything. */
const READ_MAX = 4000
/** Scripts without spaces write none after the colon either. */
const SPEAKER = new RegExp(
  `^\\s*([\\p{Lu}\\p{Lo}][\\p{L}\\p{M}\\p{Nd} .'’・-]{0,30})(?:：\\s?|:(?:\\s|(?=[${UNSPACED_LETTERS}「『])))`,
  'u',
)
/** Words in capitals ("TODO:", "FAQ:") are labels, not people. */
const MARK = /^\p{Lu}{2,}$/u
const ASIDE = /\[[^\]]{0,300}\]/g
const NAME_INSIDE = /[\p{Ll},;] \p{Lu}\p{Ll}/u

export function readTraits(text: string): TextTraits {
  const read = text.slice(0, READ_MAX)
  const label = SPEAKER.exec(read)
  const speaker = label?.[1] && !MARK.test(label[1]) ? label[1].trim().toLowerCase() : null
  const body = read.slice(speaker === null ? 0 : label?.[0].length).replace(ASIDE, ' ')
  const asks = sentencesIn(body).map(sentence => isQuestion(sentence.text))
  return {
    speaker,
    asking: asks.length === 0 ? 0 : asks.filter(Boolean).length / asks.length,
    endsAsking: asks.at(-1) ?? false,
    tellsTime: tellsTime(body.toLowerCase()),
    tellsQuantity: tellsQuantity(body),
    tellsName: NAME_INSIDE.test(body),
  }
}

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

/** The kind of information a question asks for. */
export type AnswerKind = 'time' | 'quantity' | 'name'

/** Features of a query beside its words. */
export interface Question {
  /** True for a question, false for keywords. */
  readonly asks: boolean
  /** The words of the query in lower case. */
  readonly words: ReadonlySet<string>
  readonly kinds: ReadonlySet<AnswerKind>
  /** The dates it names. */
  readonly dates: readonly DateSpan[]
  /** One of them is another time than now, beyond doubt. */
  readonly isOfAnotherTime: boolean
}

/** The kind of information that an answer to each question word holds; the others ask for none of them, which changes no ranking. */
const KINDS = new Map<Asked, AnswerKind>([
  ['when', 'time'],
  ['quantity', 'quantity'],
  ['duration', 'quantity'],
  ['who', 'name'],
  ['where', 'name'],
])

export function readQuestion(query: string, now: Date, reading: DateReading = {}): Question {
  const text = unicodeForm(query, 'NFC')
    .toLowerCase()
    .replace(/^[\s"'¿¡(]+/, '')
  const asked = askedIn(text)
  const dates = datesIn(query, now, reading)
  return {
    asks: asked.size > 0 || beginsWithQuestionVerb(text) || isQuestion(query),
    words: new Set(text.match(/\p{L}[\p{L}\p{M}\p{Nd}]*/gu)),
    kinds: new Set([...asked].flatMap(one => KINDS.get(one) ?? [])),
    dates,
    isOfAnotherTime: dates.some(span => !span.isDoubtful && !isPresent(span, now)),
  }
}
