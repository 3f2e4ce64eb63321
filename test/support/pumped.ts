import { describe, expect, test } from 'bun:test'
import { processorTime } from './processor-time.ts'

/** A function of a user's text, with the longest text that it is given. */
export interface Reading {
  readonly read: (text: string) => unknown
  readonly lengthMax: number
  /** Texts that lead the function to a pattern of its own, before what is repeated. */
  readonly openings?: readonly string[]
  /** Beginnings of what the function's own patterns look for, to be repeated too. */
  readonly units?: readonly string[]
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

/** Quicker ones are not compared, because their times tell nothing. */
const QUICK_MS = 60
/**
 * Four times the text may take this many times as long; in quadratic time it takes sixteen times as long. On a busy machine, whose
 * caches are shared, linear functions were seen to take nine times as long.
 */
const GROWTH_MAX = 12
/** Only what seems too slow is measured so often. */
const MEASUREMENTS_MAX = 12
const LENGTH_MIN = 400
/** No clock ends these tests: a busy machine takes minutes for them, and what hangs in a pattern only the runner can end. */
const NO_TIMEOUT = 0

/** Declares a test for each function that its time grows with the length of a text and not with its square. */
export function describeLinear(readings: Readonly<Record<string, Reading>>): void {
  describe('the time that a repeated sign takes grows with its length in', () => {
    test.each(Object.entries(readings))(
      '%s',
      async (_, reading) => {
        for (const opening of ['', 'a', ...(reading.openings ?? [])]) {
          for (const unit of [...UNITS, ...(reading.units ?? [])])
            expect(await slowLength(reading, opening, unit), `${opening}${unit}…`).toBeUndefined()
        }
      },
      NO_TIMEOUT,
    )
  })
}

/** The shortest length, of ever longer texts, at which the time outgrows the text. */
async function slowLength({ read, lengthMax }: Reading, opening: string, unit: string): Promise<number | undefined> {
  const text = (length: number) => `${opening}${unit.repeat((length - opening.length - 1) / unit.length)}x`
  const lengths = [lengthMax]
  for (let length = lengthMax / 4; length > LENGTH_MIN; length /= 4) lengths.unshift(Math.floor(length))
  let shorter = ''
  for (const longer of lengths.map(text)) {
    if (await outgrows(read, shorter, longer)) return longer.length
    shorter = longer
  }
  return undefined
}

/** Compares the least of several measurements, since what else a machine does only ever adds to them. */
async function outgrows(read: Reading['read'], shorter: string, longer: string): Promise<boolean> {
  let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let n = 0; n < MEASUREMENTS_MAX; n++) {
    long = Math.min(long, await processorTime(() => read(longer)))
    if (long < QUICK_MS) return false
    short = Math.min(short, await processorTime(() => read(shorter)))
    if (long < GROWTH_MAX * short) return false
  }
  return true
}
