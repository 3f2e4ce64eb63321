import { type DateBound, lexicons, phrasePattern, wordsOf } from 'mneme/plugin'
import type { DateSpan } from './date-span.ts'

/** No memory lies beyond these instants, so a span that ends here is open. */
const FIRST = new Date('0001-01-01T00:00:00.000Z')
const LAST = new Date('9999-12-31T00:00:00.000Z')

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

function bound(kind: DateBound): RegExp {
  const wordings = Object.values(lexicons.DATE_BOUNDS).flatMap(bounds => bounds[kind])
  const articles = wordsOf(lexicons.DATE_ARTICLES)
  return new RegExp(`${phrasePattern(wordings).source}\\s+(?:(?:${articles.join('|')}) )?$`, 'iu')
}

/** Widens the span of a date by the words before it: "before 2022" covers all earlier time. */
export function boundBy(textBefore: string, span: DateSpan): DateSpan {
  const [open] = BOUNDS.find(([, words]) => words.test(textBefore)) ?? []
  return open?.(span) ?? span
}
