import { describe, expect, test } from 'bun:test'
import { processorTime } from './processor-time.ts'

/** A function of a user's text, with the longest text that it is given. */
export interface Reading {
  readonly read: (text: string) => unknown
  readonly lengthMax: number
  /** Texts that lead the function to a pattern of its own, before what is repeated. */
  readonly openings?: readonly string[]
}

/** Each is a run of one class, or begins something that never ends: a slow pattern reads them again from each of their places. */
const UNITS = [
  ...' \t\n.,!?…。-–_*#`"\'’“«([{<>|/\\=&1aAé中かﾞ',
  '\r\n',
  ' \n',
  '. ',
  '.\n',
  'a ',
  'A ',
  'a.',
  "a'",
  '1.',
  '1,',
  '"a ',
  '“a ',
  '[a',
  'a(',
  '- ',
  '> ',
  '<pre ',
  '</pre',
  '<!--',
  '<!-- memories:',
  '--',
  '```',
  '"""',
  '\u0301\u0316',
  'ﾞ\u0316',
  '\u200b',
  '\ud800',
  '😀',
]

/** Quicker ones are not compared: their times tell nothing. */
const QUICK_MS = 150
/** Four times the text may take this many times as long; in quadratic time it takes sixteen times as long. */
const GROWTH_MAX = 9
const MEASUREMENTS_MAX = 4

/** Declares a test for each function that its time grows with the length of a text and not with its square. */
export function describeLinear(readings: Readonly<Record<string, Reading>>): void {
  describe('the time that a repeated sign takes grows with its length in', () => {
    test.each(Object.entries(readings))(
      '%s',
      async (_, reading) => {
        const slow: string[] = []
        for (const opening of ['', 'a', ...(reading.openings ?? [])]) {
          for (const unit of UNITS) {
            const growth = await growthOf(reading, opening, unit)
            if (growth > GROWTH_MAX) slow.push(`${JSON.stringify(opening + unit)} ${growth.toFixed(1)}`)
          }
        }
        expect(slow).toEqual([])
      },
      240_000,
    )
  })
}

/** The processor time of a text against that of a quarter of it; the least of several, since a measurement only ever adds. */
async function growthOf({ read, lengthMax }: Reading, opening: string, unit: string): Promise<number> {
  const text = (length: number) => `${opening}${unit.repeat((length - opening.length - 1) / unit.length)}x`
  const [whole, quarter] = [text(lengthMax), text(lengthMax / 4)]
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < MEASUREMENTS_MAX && least > GROWTH_MAX; n++) {
    const short = await processorTime(() => read(quarter))
    // A text that takes long at a quarter is not read whole, because in quadratic time that would take minutes.
    if (short > QUARTER_MAX_MS) return Number.POSITIVE_INFINITY
    const long = await processorTime(() => read(whole))
    least = Math.min(least, long < QUICK_MS ? 0 : long / short)
  }
  return least
}

const QUARTER_MAX_MS = 2_000
