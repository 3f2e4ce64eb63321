import { casual as german } from 'chrono-node/de'
import { casual as english } from 'chrono-node/en'
import { casual as spanish } from 'chrono-node/es'
import { casual as french } from 'chrono-node/fr'
import { lexicons, monthOf, wordingPattern, wordsOf } from '../index.ts'
import { LANGUAGES, type Language, type Validity } from './parts.ts'
import { readTime } from './told-time.ts'

const DATE = `(?:the )?(?:\\d{4}-\\d\\d(?:-\\d\\d)?|(?:\\d{1,2}\\.? )?(?:${lexicons.DATE_PARTS.modifiers.join('|')})?(?:\\p{L}+ (?:(?:${lexicons.DATE_PARTS.links.join('|')}) )?)?(?:19|20)\\d\\d)`
const SINCE = new RegExp(` (?:${before('since')}) (${DATE})(?= )`, 'u')
const UNTIL = new RegExp(` (?:${before('until')}) (${DATE})(?= )`, 'u')
const IN = new RegExp(` (?:${before('in')}) (${DATE})(?= )`, 'u')
const PERIOD = new RegExp(` (?:${before('from')}) (${DATE}) (?:${before('to')}) (${DATE})(?= )`, 'u')
const LEFT = leaving('\\S')
/** A name, which is one character of its own range, tells what is left: "joined Acme in 2015 and left in 2018" has none. */
const LEFT_UNNAMED = leaving('[^\\s\\uE000-\\uF8FF]')
const RELATIVE = new RegExp(` (?:${wordingPattern(lexicons.RELATIVE_DATES).source})(?= )`, 'u')

function leaving(letter: string): RegExp {
  return new RegExp(` (?:${lexicons.LEAVING_VERBS.join('|')})(?: ${letter}+){0,2}? in (${DATE})(?= )`, 'u')
}

function before(date: keyof typeof lexicons.FACT_DATES): string {
  return wordsOf(lexicons.FACT_DATES[date]).join('|')
}

/**
 * Reads the validity of a fact from the words around it.
 * @param words the clause, in lower case between spaces
 * @param after what follows the words that state the fact; in "left Philips in 2021 and joined ASML" these name 2021 as
 *   the end of something else
 * @param near those of the words that may tell the date of a border
 * @param changes true of words that begin or end something ("joined", "left"), whose date is a border
 */
export function validityIn(
  words: string,
  {
    near = words,
    after = words,
    changes,
    closes,
    now,
    language,
  }: { near?: string; after?: string; changes: boolean; closes: boolean; now: Date; language: Language },
): Validity {
  const period = PERIOD.exec(words)
  if (period?.[1] && period[2]) return { from: isoDate(period[1]), to: isoDate(period[2]) }
  const since = SINCE.exec(words)
  const until = UNTIL.exec(words) ?? (closes ? LEFT.exec(words) : LEFT_UNNAMED.exec(after))
  const from = since?.[1] ? isoDate(since[1]) : null
  const to = until?.[1] ? isoDate(until[1]) : null
  if (from || to || !changes) {
    const start = changes && !from ? IN.exec(words) : null
    return { from: from ?? (start?.[1] && !closes ? isoDate(start[1]) : null), to }
  }
  const year = IN.exec(after) ?? IN.exec(near)
  const date = year?.[1] ? isoDate(year[1]) : relative(near, now, language)
  return closes ? { from: null, to: date } : { from: date, to: null }
}

/** "march 2021" as 2021-03, as exact as it is. */
function isoDate(words: string): string | null {
  const iso = /\d{4}-\d\d(?:-\d\d)?/.exec(words)?.[0]
  if (iso) return readTime(iso) ? iso : null
  const year = /(?:19|20)\d\d/.exec(words)?.[0]
  if (!year) return null
  for (const [, word] of words.matchAll(/(\p{L}{3,})/gu)) {
    const month = monthOf(word ?? '', LANGUAGES)
    if (month !== undefined) return `${year}-${String(month + 1).padStart(2, '0')}`
  }
  return year
}

const READERS = { en: english, de: german, es: spanish, fr: french }

function relative(words: string, now: Date, language: Language): string | null {
  const cue = RELATIVE.exec(words)
  if (!cue) return null
  const near = words.slice(Math.max(0, cue.index - 20), cue.index + 40)
  // In UTC, wherever the server stands.
  const [read] = READERS[language].parse(near, { instant: now, timezone: 0 })
  if (!read) return null
  const year = String(read.start.get('year') ?? now.getUTCFullYear())
  const month = String(read.start.get('month') ?? 1).padStart(2, '0')
  if (lexicons.YEAR_WORDS.test(near)) return year
  return read.start.isCertain('day')
    ? `${year}-${month}-${String(read.start.get('day') ?? 1).padStart(2, '0')}`
    : `${year}-${month}`
}
