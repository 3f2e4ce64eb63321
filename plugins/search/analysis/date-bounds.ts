import { type DateBound, lexicons, phrasePattern, wordsOf } from 'mneme/plugin'
import { type DateSpan, FIRST, LAST } from './date-span.ts'

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
