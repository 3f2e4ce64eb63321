import * as chrono from 'chrono-node'
import { DateTime } from 'luxon'
import { isFunctionWord } from '../function-words.ts'
import * as lexicons from '../lexicons/index.ts'
import { monthNames, monthOf } from '../months.ts'
import { phrasePattern, UNSPACED_LETTERS, wordsOf } from '../words.ts'
import { type DateSpan, isGoneBy, joined, markedDates, rangesIn, type TextRange, tellsWeekend } from './ranges.ts'

export type { DateSpan } from './ranges.ts'

const DAY_MS = 86_400_000
const DATES_MAX = 4
/** Parsing dates is slow, and queries rarely name a date after this many characters. */
const READ_MAX = 300
const MONTHS = monthNames('en').alone
const MONTH_OF_YEAR = new RegExp(
  `(?:(${pointing(lexicons.NEXT_SPAN)})|(${pointing(lexicons.THIS_SPAN)})|${pointing(lexicons.LAST_SPANS)})\\s+(${MONTHS.join('|')})\\b`,
  'gi',
)
const YEAR = /(?<![\p{L}\p{Nd}.,/-])((?:19|20)\p{Nd}\p{Nd})(?![\p{L}\p{Nd}/-])/gu

function pointing({ en = [] }: lexicons.ByLanguage): string {
  return phrasePattern(en).source
}

type Locale = Pick<typeof chrono.casual, 'parse'>
const LOCALES: Readonly<Record<string, Locale>> = {
  de: chrono.de,
  es: chrono.es,
  fr: chrono.fr,
  it: chrono.it,
  ja: chrono.ja,
  nl: chrono.nl,
  pt: chrono.pt,
  ru: chrono.ru,
  sv: chrono.sv,
  uk: chrono.uk,
  zh: chrono.zh,
}
const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]`, 'u')
const LANGUAGES = ['en', ...Object.keys(LOCALES)]

/** The language of a text, and where its days begin. */
export interface DateReading {
  /** BCP 47 tag of the text; English by default. Japanese and Chinese dates are read in any language. */
  readonly language?: string | undefined
  /** The IANA time zone in which days begin; UTC by default. */
  readonly zone?: string | undefined
}

/**
 * Finds the dates a text names: "on 5 July 2023", "in July", "last May", "two weeks ago", "2019", "this week", "the last three days". Relative
 * ones count from `now` in the time zone that is given, whatever the server's. A month without a year is the latest that has begun, and a week begins on Monday. "before 2022" and
 * similar phrases are open to one side, and "between" two dates is all time from one to the other. Spans of words that may mean no time are marked.
 */
export function datesIn(query: string, now: Date, { language = 'en', zone = 'UTC' }: DateReading = {}): DateSpan[] {
  const text = query.slice(0, READ_MAX)
  const spans = joined(text, rangesOf(text, atClock(now, zone), language.slice(0, 2)))
  return spans
    .flatMap(span => withinCalendar(span) ?? [])
    .slice(0, DATES_MAX)
    .map(span => ({ ...span, start: fromClock(span.start, zone), end: fromClock(span.end, zone) }))
}

/** The words of a text by which it names dates, in lower case. */
export function dateWordsIn(query: string, now: Date, { language = 'en' }: DateReading = {}): ReadonlySet<string> {
  const text = query.slice(0, READ_MAX)
  const named = rangesOf(text, now, language.slice(0, 2)).filter(({ span }) => !span.isDoubtful)
  return new Set(named.flatMap(({ phrase }) => phrase.toLowerCase().match(/[\p{L}\p{M}\p{Nd}]+/gu) ?? []))
}

/** The instant at which a clock in UTC shows what one in the zone shows now. */
function atClock(now: Date, zone: string): Date {
  return zone === 'UTC' ? now : DateTime.fromJSDate(now, { zone }).setZone('UTC', { keepLocalTime: true }).toJSDate()
}

/** The instant at which a clock in the zone shows what one in UTC shows at `clock`; the ends of the calendar stay. */
function fromClock(clock: Date, zone: string): Date {
  if (zone === 'UTC' || clock.getTime() === FIRST.getTime() || clock.getTime() === LAST.getTime()) return clock
  return DateTime.fromJSDate(clock, { zone: 'UTC' }).setZone(zone, { keepLocalTime: true }).toJSDate()
}

/** Finds dates with their places, each way of writing them in turn. */
function rangesOf(text: string, now: Date, code: string): TextRange[] {
  const found: TextRange[] = []
  // A parsed phrase is blanked instead of cut, so that indices stay valid.
  let rest = text
  const read = (phrase: string, index: number, ...spans: DateSpan[]) => {
    found.push(...spans.map(span => ({ phrase, index, span })))
    rest = rest.slice(0, index) + ' '.repeat(phrase.length) + rest.slice(index + phrase.length)
  }
  const bounded = (index: number, span: DateSpan) => boundBy(text.slice(0, index), span)
  for (const { phrase, index, spans: either } of numericDates(text)) {
    read(phrase, index, ...either.map(span => bounded(index, span)))
  }
  for (const { phrase, index, span } of rangesIn(rest, now, LANGUAGES)) read(phrase, index, bounded(index, span))
  for (const { 0: phrase, 1: next, 2: own, 3: month = '', index } of rest.matchAll(MONTH_OF_YEAR)) {
    const span = monthNear(now, MONTHS.indexOf(month.toLowerCase()), next ? 'next' : own ? 'this' : 'last')
    read(phrase, index, bounded(index, span))
  }
  for (const locale of localesOf(text, code)) {
    for (const { text: phrase, index, start, end } of locale.parse(rest, { instant: now, timezone: 0 })) {
      const span = relatedSpan(spanOf(start, end, now), start, phrase, text.slice(index + phrase.length), now)
      const isDoubtful = !end && isDoubtfulPhrase(phrase, start, text.slice(0, index), code)
      // "from May to July" has both bounds.
      read(phrase, index, ...(span ? [end ? span : inDoubt(bounded(index, span), isDoubtful)] : []))
    }
  }
  for (const { phrase, index, span } of markedDates(rest)) read(phrase, index, bounded(index, span))
  const { withYear, names } = monthsOf(LOCALES[code] ? code : 'en')
  for (const { 0: phrase, 1: month = '', 2: year, index } of rest.matchAll(withYear)) {
    const span = between(Number(year), names.indexOf(month.toLowerCase()) % 12, 1, 1)
    read(phrase, index, bounded(index, span))
  }
  for (const { 0: phrase, 1: year, index } of rest.matchAll(YEAR)) {
    const isDoubtful = isDoubtfulYear(text.slice(0, index), code, LANGUAGES)
    read(phrase, index, inDoubt(bounded(index, between(Number(year), 0, 1, 12)), isDoubtful))
  }
  return found
}

/** Chrono takes one day for a weekend, and for a day of the week the nearest, though the words behind it say that it is over. */
function relatedSpan(span: DateSpan | undefined, start: Parts, phrase: string, behind: string, now: Date) {
  if (!span) return undefined
  const [year, month, day] = [span.start.getUTCFullYear(), span.start.getUTCMonth(), span.start.getUTCDate()]
  if (tellsWeekend(phrase)) {
    const first = between(year, month, day - ((span.start.getUTCDay() + 1) % 7))
    return { start: first.start, end: new Date(first.end.getTime() + DAY_MS) }
  }
  const isWeekday = start.isCertain('weekday') && !start.isCertain('day')
  return isWeekday && span.end > now && isGoneBy(behind) ? between(year, month, day - 7) : span
}

function inDoubt(span: DateSpan, isDoubtful: boolean): DateSpan {
  return isDoubtful ? { ...span, isDoubtful } : span
}

/** Two signs of a date are beyond doubt, such as a month and a year, and so are the marks of Chinese and Japanese ones. */
function isDoubtfulPhrase(phrase: string, parts: Parts, textBefore: string, language: string): boolean {
  if (isFraction(phrase)) return true
  if (parts.isCertain('day') || parts.isCertain('year') || UNSPACED.test(phrase)) return false
  if (parts.isCertain('weekday')) return isDoubtfulWeekday(phrase, language)
  return parts.isCertain('month') && isDoubtfulMonth(textBefore)
}

/** The detector never finds these two languages, but their scripts show them, also in a question in another language. */
function localesOf(text: string, language: string): Set<Locale> {
  const written = /[\p{sc=Hira}\p{sc=Kana}]/u.test(text) ? [chrono.ja] : /\p{sc=Han}/u.test(text) ? [chrono.zh] : []
  return new Set([LOCALES[language] ?? chrono.casual, ...written])
}

/** Interprets a metadata value as an instant: an ISO date, seconds or milliseconds since 1970, or words with a full date. */
export function instantOf(value: unknown): Date | null {
  // Smaller numbers are durations, counts or times of day.
  if (typeof value === 'number' && value < SECONDS_MIN) return null
  if (typeof value === 'number') return plausible(new Date(value < 1e11 ? value * 1000 : value))
  if (typeof value !== 'string' || value.length > 100) return null
  const [, day, time = '00:00', zone = 'Z'] = ISO.exec(value) ?? []
  if (day !== undefined) {
    const date = new Date(`${day}T${time}${zone.toUpperCase().replace(/(?<=\d{2})(?=\d{2}$)/, ':')}`)
    if (!Number.isNaN(date.getTime())) return plausible(date)
  }
  const [first] = chrono.strict.parse(value)
  if (!first) return null
  const isDay = first.start.isCertain('year') && first.start.isCertain('month') && first.start.isCertain('day')
  if (!isDay) return null
  return plausible(first.start.isCertain('timezoneOffset') ? first.start.date() : utcOf(first.start))
}

/** A day, or a time without a zone, is in UTC on every server. */
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i

/** This many seconds after 1970 is March 1973. */
const SECONDS_MIN = 1e8
const YEAR_MIN = 1900
const YEAR_MAX = 2200

function plausible(date: Date): Date | null {
  const year = date.getUTCFullYear()
  return year >= YEAR_MIN && year <= YEAR_MAX ? date : null
}

interface Months {
  /** Matches a month and a year; the first group is one of `names`. */
  readonly withYear: RegExp
  /** The months in two forms, January to December and again. */
  readonly names: readonly string[]
}

const monthsByLanguage = new Map<string, Months>()

/** Builds month names as they appear beside a year, which chrono lacks for some of its languages. */
function monthsOf(language: string): Months {
  const known = monthsByLanguage.get(language)
  if (known) return known
  const { alone, besideDay } = monthNames(language)
  const names = [...alone, ...besideDay]
  const words = [...new Set(names)].filter(name => /^\p{L}{3,}$/u.test(name)).join('|') || '(?!)'
  const withYear = new RegExp(`(?<!\\p{L})(${words})(?: de| del| di)? ((?:19|20)\\p{Nd}{2})(?!\\p{Nd})`, 'giu')
  monthsByLanguage.set(language, { withYear, names })
  return { withYear, names }
}

type Parts = chrono.ParsedComponents

/** Returns the span of the day, month or year that chrono is certain of; a time of day alone names no date. */
function spanOf(start: Parts, end: Parts | null | undefined, now: Date): DateSpan | undefined {
  const first = certainSpan(start, now)
  if (!first || !end) return first
  const last = certainSpan(end, now)
  return last && last.end > first.end ? { start: first.start, end: last.end } : first
}

function certainSpan(parts: Parts, now: Date): DateSpan | undefined {
  const year = parts.get('year') ?? now.getUTCFullYear()
  const month = (parts.get('month') ?? 1) - 1
  const day = parts.get('day') ?? 1
  // Chrono counts weeks from the day of the question, and takes the day for certain and not its place in the week.
  if (parts.isCertain('day') && !parts.isCertain('weekday') && parts.get('weekday') !== null) {
    return weekOf(year, month, day)
  }
  if (parts.isCertain('day') || parts.isCertain('weekday')) {
    const start = new Date(Date.UTC(year, month, day))
    // For a date without a year chrono picks the nearest day, which may be in the future.
    const ahead = !parts.isCertain('year') && !parts.isCertain('weekday') && start > now
    return ahead ? between(year - 1, month, day) : between(year, month, day)
  }
  if (parts.isCertain('month')) {
    return parts.isCertain('year') ? between(year, month, 1, 1) : monthNear(now, month, 'past')
  }
  return parts.isCertain('year') ? between(year, 0, 1, 12) : undefined
}

function monthNear(now: Date, month: number, which: string): DateSpan {
  const year = now.getUTCFullYear()
  const current = now.getUTCMonth()
  if (which === 'next') return between(month > current ? year : year + 1, month, 1, 1)
  if (which === 'this') return between(year, month, 1, 1)
  const begun = which === 'past' ? month <= current : month < current
  return between(begun ? year : year - 1, month, 1, 1)
}

/** Builds the span of a day, or of a number of months. */
function between(year: number, month: number, day: number, months?: number): DateSpan {
  const start = new Date(Date.UTC(year, month, day))
  const end =
    months === undefined ? new Date(Date.UTC(year, month, day + 1)) : new Date(Date.UTC(year, month + months, day))
  return { start, end }
}

/** Builds the span of the week from Monday to Sunday with this day in it. */
function weekOf(year: number, month: number, day: number): DateSpan {
  const sinceMonday = (new Date(Date.UTC(year, month, day)).getUTCDay() + 6) % 7
  const { start } = between(year, month, day - sinceMonday)
  return { start, end: between(year, month, day - sinceMonday + 6).end }
}

function utcOf(parts: Parts): Date {
  return new Date(
    Date.UTC(
      parts.get('year') ?? 0,
      (parts.get('month') ?? 1) - 1,
      parts.get('day') ?? 1,
      parts.isCertain('hour') ? (parts.get('hour') ?? 0) : 0,
      parts.isCertain('minute') ? (parts.get('minute') ?? 0) : 0,
    ),
  )
}

const NUMERIC =
  /(?<![\p{L}\p{Nd}./-])(\p{Nd}{1,2})([./-])(\p{Nd}{1,2})\2((?:19|20)\p{Nd}{2})(?![\p{L}\p{Nd}/-]|\.\p{Nd})/gu

/**
 * Finds numeric dates with the year at the end. With dots the day always comes first; with slashes that depends on the country, so an
 * ambiguous date gets both spans.
 */
function numericDates(text: string): { phrase: string; index: number; spans: DateSpan[] }[] {
  return [...text.matchAll(NUMERIC)].flatMap(({ 0: phrase, 1: one, 2: sign, 3: other, 4: year, index }) => {
    const [first, second] = [Number(one), Number(other)]
    const dayFirst = dayOf(Number(year), second, first)
    const monthFirst = sign === '.' ? undefined : dayOf(Number(year), first, second)
    const spans = [dayFirst, first === second ? undefined : monthFirst].filter(span => span !== undefined)
    return spans.length > 0 ? [{ phrase, index, spans }] : []
  })
}

function dayOf(year: number, month: number, day: number): DateSpan | undefined {
  const start = new Date(Date.UTC(year, month - 1, day))
  const exists = start.getUTCMonth() === month - 1 && start.getUTCDate() === day
  return exists ? { start, end: new Date(start.getTime() + DAY_MS) } : undefined
}

type Bound = (span: DateSpan) => DateSpan

const before: Bound = ({ start }) => ({ start: FIRST, end: start })

const until: Bound = ({ end }) => ({ start: FIRST, end })

const since: Bound = ({ start }) => ({ start, end: LAST })

const after: Bound = ({ end }) => ({ start: end, end: LAST })

/** These words before a date, perhaps with an article in between, open its span to one side. */
const BOUNDS: readonly (readonly [Bound, RegExp])[] = [
  [before, bound('before')],
  [until, bound('until')],
  [since, bound('since')],
  [after, bound('after')],
]

function bound(kind: lexicons.DateBound): RegExp {
  const wordings = Object.values(lexicons.DATE_BOUNDS).flatMap(bounds => bounds[kind])
  const articles = wordsOf(lexicons.DATE_ARTICLES)
  return new RegExp(`${phrasePattern(wordings).source}\\s+(?:(?:${articles.join('|')}) )?$`, 'iu')
}

/** Widens the span of a date by the words before it: "before 2022" covers all earlier time. */
function boundBy(textBefore: string, span: DateSpan): DateSpan {
  const [open] = BOUNDS.find(([, words]) => words.test(textBefore)) ?? []
  return open?.(span) ?? span
}

/** One of these words right before a month or a year shows that a time is meant: "in May", "since 2020". */
const BEFORE_DATES = [
  ...wordsOf(lexicons.FACT_DATES.in, lexicons.FACT_DATES.from),
  ...Object.values(lexicons.DATE_BOUNDS).flatMap(bounds => Object.values(bounds).flat()),
]

const BEFORE_DATE = new RegExp(`${phrasePattern(BEFORE_DATES).source}\\s+$`, 'iu')

const LAST_WORD = /([\p{L}\p{M}\p{Nd}]+)[^\p{L}\p{Nd}]*$/u

const FRACTION = /^\p{Nd}{1,2}\/\p{Nd}{1,2}$/u

/** Tells whether a month without day and year may be another word: "may", "march", "June" in "What did June say?". */
function isDoubtfulMonth(textBefore: string): boolean {
  return !BEFORE_DATE.test(textBefore)
}

/**
 * Tells whether a bare number may be no year: "room 2024" names a room, "in 2024" and "März 2024" a year.
 * @param languages in any of which the word before may be a month
 */
function isDoubtfulYear(textBefore: string, language: string, languages: readonly string[]): boolean {
  const word = LAST_WORD.exec(textBefore)?.[1]?.toLowerCase()
  if (word === undefined || isFunctionWord(word, language) || monthOf(word, languages) !== undefined) return false
  return !BEFORE_DATE.test(textBefore)
}

/** Tells whether a lone day of the week may be another word, as abbreviations such as "sun" and "sat" are. */
function isDoubtfulWeekday(phrase: string, language: string): boolean {
  const word = phrase
    .replace(/[^\p{L}\p{M}-]+/gu, ' ')
    .trim()
    .toLowerCase()
  return !word.includes(' ') && !weekdaysOf(language).has(word)
}

/** Tells whether a day and month may be a share or a pair of numbers: "24/7", "3/4". */
function isFraction(phrase: string): boolean {
  return FRACTION.test(phrase.trim())
}

function weekdaysOf(language: string): ReadonlySet<string> {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return new Set(Array.from({ length: 7 }, (_, n) => format.format(Date.UTC(2024, 0, 1 + n)).toLowerCase()))
}

/** No text tells of what lies beyond these instants, so a span that ends here is open. JavaScript has more years, which Postgres reads in another form. */
const FIRST = new Date('0001-01-01T00:00:00.000Z')
const LAST = new Date('9999-12-31T23:59:59.999Z')

/** Cuts off what lies beyond the calendar; undefined where nothing is left, as of a day that does not exist. */
function withinCalendar(span: DateSpan): DateSpan | undefined {
  const start = new Date(Math.max(span.start.getTime(), FIRST.getTime()))
  const end = new Date(Math.min(span.end.getTime(), LAST.getTime()))
  return start < end ? { ...span, start, end } : undefined
}

/** A year that is a leap year; phrases such as "since 2020" name longer spans, which are no time of now. */
const PRESENT_MS_MAX = 366 * DAY_MS

/** Tells whether a span is a time of now: "today", "this year". */
export function isPresent({ start, end }: DateSpan, now: Date): boolean {
  return start <= now && now < end && end.getTime() - start.getTime() <= PRESENT_MS_MAX
}
