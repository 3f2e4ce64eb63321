import type { DateSpan } from './date-span.ts'

/** The years, months and days of Chinese, Japanese and Korean dates bear marks and stand between the letters of other words. */
const MARKED =
  /(?<![\p{Nd}.,/-])((?:19|20)\p{Nd}\p{Nd}) ?[年년](?: ?(1[0-2]|0?[1-9]) ?[月월](?: ?(3[01]|[12]\p{Nd}|0?[1-9]) ?[日일])?)?/gu

/** Finds dates whose parts bear marks: "2023年", "2023年5月", "2023년 5월 3일". */
export function markedDates(text: string): { phrase: string; index: number; span: DateSpan }[] {
  return [...text.matchAll(MARKED)].map(({ 0: phrase, 1: year, 2: month, 3: day, index }) => {
    const from = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)] as const
    const [years, months, days] = [month ? 0 : 1, month && !day ? 1 : 0, day ? 1 : 0]
    const start = new Date(Date.UTC(...from))
    const end = new Date(Date.UTC(from[0] + years, from[1] + months, from[2] + days))
    return { phrase, index, span: { start, end } }
  })
}
