import { DAY_MS } from 'mneme/plugin'
import type { DateSpan } from './date-span.ts'

const NUMERIC =
  /(?<![\p{L}\p{Nd}./-])(\p{Nd}{1,2})([./-])(\p{Nd}{1,2})\2((?:19|20)\p{Nd}{2})(?![\p{L}\p{Nd}/-]|\.\p{Nd})/gu

/**
 * Finds numeric dates with the year at the end. With dots the day always comes first; with slashes that depends on the country, so an
 * ambiguous date gets both spans.
 */
export function numericDates(text: string): { phrase: string; index: number; spans: DateSpan[] }[] {
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
