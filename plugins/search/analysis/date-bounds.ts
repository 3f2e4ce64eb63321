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
  [before, bound('before|prior to|earlier than|vor|avant|antes del?|antes d[aoe]|prima del?|voor|före|до')],
  [until, bound("until|till|up to|by|bis(?: zum)?|jusqu'(?:au|en|à)|hasta|até|fino al?|tot")],
  [since, bound('since|starting|seit|ab|depuis|à partir du?|desde|a partir d[aoe]l?|sinds|vanaf|sedan|с')],
  [after, bound('after|later than|following|nach|après|después del?|depois d[aoe]|dopo|efter|после|після')],
]

function bound(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}'’])(?:${words})\\s+(?:the |dem |der |den |le |la |el |il |o |de |het )?$`, 'iu')
}

/** Widens the span of a date by the words before it: "before 2022" covers all earlier time. */
export function boundBy(textBefore: string, span: DateSpan): DateSpan {
  const [open] = BOUNDS.find(([, words]) => words.test(textBefore)) ?? []
  return open?.(span) ?? span
}
