import * as lexicons from '../lexicons/index.ts'
import { monthOf } from '../months.ts'
import { phrasePattern, wordsOf } from '../words.ts'

/** A time span named by a text; `end` is exclusive. */
export interface DateSpan {
  readonly start: Date
  readonly end: Date
  /** The words may mean no time at all: "sun", "24/7", "room 2024". */
  readonly isDoubtful?: true
}

/** A span with its words and their place in the text. */
export interface TextRange {
  readonly phrase: string
  readonly index: number
  readonly span: DateSpan
}

/** Something that happened "recently" happened within these days. */
const RECENT_DAYS = 30
/** A few are so many. */
const FEW = 7

type Unit = lexicons.SpanUnit

const UNITS = Object.entries(lexicons.SPAN_UNITS).map(
  ([unit, words]) => [unit as Unit, wholly(wordsOf(words))] as const,
)
const UNIT = anyOf(Object.values(lexicons.SPAN_UNITS).flatMap(words => wordsOf(words)))
const COUNTS = Object.values(lexicons.SPAN_COUNTS).map(words => words.map(word => wholly([word])))
const FEW_WORDS = wholly(wordsOf(lexicons.FEW_SPANS))
const COUNT = `(\\p{Nd}{1,3}|${anyOf(wordsOf(lexicons.SPAN_COUNTS, lexicons.FEW_SPANS))})`
const LAST = anyOf(wordsOf(lexicons.LAST_SPANS))
const AND = anyOf(wordsOf(lexicons.AND_BETWEEN_DATES))
const BETWEEN = anyOf(wordsOf(lexicons.BETWEEN_DATES))
const ARTICLE = `(?:${anyOf(wordsOf(lexicons.DATE_ARTICLES))}\\s+)?`

const COUNTED = new RegExp(`${LAST}\\s+${COUNT}\\s+(${UNIT})|${COUNT}\\s+${LAST}\\s+(${UNIT})`, 'giu')
const PAST = new RegExp(`${anyOf(wordsOf(lexicons.PAST_SPAN))}\\s+(${UNIT})`, 'giu')
const THIS = new RegExp(`${anyOf(wordsOf(lexicons.THIS_SPAN))}\\s*(${UNIT})`, 'giu')
const GONE = new RegExp(
  `(${UNIT})\\s+${anyOf(wordsOf(lexicons.GONE_BY))}|${anyOf(wordsOf(lexicons.LAST_SPAN))}\\s+(${UNIT})`,
  'giu',
)
const RECENTLY = new RegExp(anyOf(wordsOf(lexicons.RECENTLY)), 'giu')
const MONTHS = new RegExp(
  `${BETWEEN}\\s+(\\p{L}{3,20})\\s+${AND}\\s+(\\p{L}{3,20})(?:\\s+(?:de\\s+)?(\\p{Nd}{4}))?`,
  'giu',
)

function anyOf(words: readonly string[]): string {
  return phrasePattern(words).source
}

function wholly(words: readonly string[]): RegExp {
  return new RegExp(`^${anyOf(words)}$`, 'iu')
}

/**
 * Finds spans that words tell by how they lie to now: "this week", "the last three days", "recently", "between March and May". They count from
 * `now` in UTC; what lies up to now ends with it, and a unit of now is whole.
 */
export function rangesIn(text: string, now: Date, languages: readonly string[]): TextRange[] {
  const ranges: TextRange[] = []
  const read = (pattern: RegExp, spanOf: (groups: readonly (string | undefined)[]) => DateSpan | undefined) => {
    for (const { 0: phrase, 1: a, 2: b, 3: c, 4: d, index } of text.matchAll(pattern)) {
      const span = spanOf([a, b, c, d])
      const isFree = ranges.every(one => index >= one.index + one.phrase.length || one.index >= index + phrase.length)
      if (span && isFree) ranges.push({ phrase, index, span })
    }
  }
  read(COUNTED, ([count, unit, countBefore, unitBehind]) =>
    spanUntil(now, countOf(count ?? countBefore ?? ''), unitOf(unit ?? unitBehind ?? '')),
  )
  read(PAST, ([unit = '']) => spanUntil(now, 1, unitOf(unit)))
  read(THIS, ([unit = '']) => unitOfNow(now, unitOf(unit)))
  read(GONE, ([unit, unitBehind]) => {
    const own = unitOfNow(now, unitOf(unit ?? unitBehind ?? ''))
    return own && unitOfNow(dayFrom(own.start, -1), unitOf(unit ?? unitBehind ?? ''))
  })
  read(RECENTLY, () => ({ start: dayFrom(now, -RECENT_DAYS), end: dayFrom(now, 1) }))
  read(MONTHS, ([first = '', last = '', year]) => monthsBetween(now, first, last, year, languages))
  return ranges
}

/** Joins two dates to the span between them, where words before and amid them say so. */
export function joined(text: string, found: readonly TextRange[]): DateSpan[] {
  const inOrder = found.toSorted((a, b) => a.index - b.index)
  const spans: DateSpan[] = []
  for (let n = 0; n < inOrder.length; n++) {
    const [one, next] = [inOrder[n], inOrder[n + 1]]
    if (!one) continue
    const start = next && areBetween(text, one, next) ? startBefore(one, next) : undefined
    spans.push(start && next ? { start, end: next.span.end } : one.span)
    if (start) n++
  }
  return spans
}

/** "Between 9 May and 11 May 2024" tells the year once. */
function startBefore({ phrase, span }: TextRange, { span: next }: TextRange): Date | undefined {
  const start = new Date(span.start)
  if (start >= next.end && !TELLS_YEAR.test(phrase)) start.setUTCFullYear(next.start.getUTCFullYear())
  return start < next.end ? start : undefined
}

const TELLS_YEAR = /\p{Nd}{4}/u

const BEFORE_FIRST = new RegExp(`${BETWEEN}\\s+${ARTICLE}$`, 'iu')
const BEFORE_SECOND = new RegExp(`^\\s*${AND}\\s+${ARTICLE}$`, 'iu')

function areBetween(text: string, one: TextRange, next: TextRange): boolean {
  const amid = text.slice(one.index + one.phrase.length, next.index)
  return BEFORE_SECOND.test(amid) && BEFORE_FIRST.test(text.slice(0, one.index))
}

function countOf(words: string): number {
  if (FEW_WORDS.test(words)) return FEW
  const told = COUNTS.map(counts => counts.findIndex(count => count.test(words)) + 2).find(count => count > 1)
  return told ?? Number(words)
}

function unitOf(word: string): Unit | undefined {
  return UNITS.find(([, words]) => words.test(word))?.[0]
}

/** The span of so many units up to now; whole days, but for hours. */
function spanUntil(now: Date, count: number, unit: Unit | undefined): DateSpan | undefined {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const starts: Partial<Record<Unit, () => Date>> = {
    hour: () => new Date(now.getTime() - count * 3_600_000),
    day: () => dayFrom(now, -count),
    week: () => dayFrom(now, -7 * count),
    month: () => new Date(Date.UTC(year, month - count, day)),
    year: () => new Date(Date.UTC(year - count, month, day)),
  }
  const start = unit && starts[unit]?.()
  return start && start < now ? { start, end: now } : undefined
}

/** The week from Monday on, the month or the year in which now is. A day has words of its own, and an hour is no time of a memory. */
function unitOfNow(now: Date, unit: Unit | undefined): DateSpan | undefined {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const sinceMonday = (now.getUTCDay() + 6) % 7
  if (unit === 'week') return { start: dayFrom(now, -sinceMonday), end: dayFrom(now, 7 - sinceMonday) }
  if (unit === 'weekend') return { start: dayFrom(now, 5 - sinceMonday), end: dayFrom(now, 7 - sinceMonday) }
  if (unit === 'month')
    return { start: new Date(Date.UTC(year, month, 1)), end: new Date(Date.UTC(year, month + 1, 1)) }
  return unit === 'year'
    ? { start: new Date(Date.UTC(year, 0, 1)), end: new Date(Date.UTC(year + 1, 0, 1)) }
    : undefined
}

function dayFrom(now: Date, days: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days))
}

/** Without a year they are the latest that have begun. */
function monthsBetween(
  now: Date,
  first: string,
  last: string,
  told: string | undefined,
  languages: readonly string[],
): DateSpan | undefined {
  const [from, to] = [monthOf(first.toLowerCase(), languages), monthOf(last.toLowerCase(), languages)]
  if (from === undefined || to === undefined) return undefined
  const year = told ? Number(told) : to <= now.getUTCMonth() ? now.getUTCFullYear() : now.getUTCFullYear() - 1
  return {
    start: new Date(Date.UTC(from > to ? year - 1 : year, from, 1)),
    end: new Date(Date.UTC(year, to + 1, 1)),
  }
}

/** Tells whether a phrase tells of Saturday and Sunday. */
export function tellsWeekend(phrase: string): boolean {
  return WEEKEND.test(phrase)
}

const WEEKEND = new RegExp(anyOf(wordsOf(lexicons.SPAN_UNITS.weekend)), 'iu')

/** Tells whether the words behind a day of the week say that it is over. */
export function isGoneBy(textBehind: string): boolean {
  return GONE_BY.test(textBehind)
}

const GONE_BY = new RegExp(`^\\s+${anyOf(wordsOf(lexicons.GONE_BY))}`, 'iu')

/** The years, months and days of Chinese, Japanese and Korean dates bear marks and stand between the letters of other words. */
const MARKED =
  /(?<![\p{Nd}.,/-])((?:19|20)\p{Nd}\p{Nd}) ?[年년](?: ?(1[0-2]|0?[1-9]) ?[月월](?: ?(3[01]|[12]\p{Nd}|0?[1-9]) ?[日일])?)?/gu

/** Finds dates whose parts bear marks: "2023年", "2023年5月", "2023년 5월 3일". */
export function markedDates(text: string): TextRange[] {
  return [...text.matchAll(MARKED)].map(({ 0: phrase, 1: year, 2: month, 3: day, index }) => {
    const from = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)] as const
    const [years, months, days] = [month ? 0 : 1, month && !day ? 1 : 0, day ? 1 : 0]
    const start = new Date(Date.UTC(...from))
    const end = new Date(Date.UTC(from[0] + years, from[1] + months, from[2] + days))
    return { phrase, index, span: { start, end } }
  })
}
