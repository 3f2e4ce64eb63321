import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { processorTime } from '../../../test/support/processor-time.ts'
import { analysisSteps, analyze } from './analyze.ts'
import { type MatchingDatabase, openMatchingDatabase, PREFIX } from './matching.test-support.ts'
import { parseQuery } from './parse-query.ts'
import { toKeywordTsquery, toTsvector } from './tsvector.ts'

// The embedded database takes seconds to start on a busy machine.
setDefaultTimeout(30_000)

let database: MatchingDatabase
beforeAll(async () => {
  database = await openMatchingDatabase()
})
afterAll(() => database.close())

/** A memory holds at most this many characters. */
const TEXT_LENGTH_MAX = 50_000

/** Generates ideographs in an order that does not repeat, with a linear congruential generator. */
function ideographs(length: number): string {
  let state = 1
  let text = ''
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    text += String.fromCodePoint(0x4e00 + ((state >>> 8) % 20_000))
  }
  return text
}

describe('texts of 50,000 characters', () => {
  test('are found by a phrase at their end, also with words that Postgres no longer counts', async () => {
    const text = `${'the old grey cat and '.repeat(2_380)} the purple elephant`
    const queries = ['"the purple elephant"', '"and the purple"', '"cat purple"']
    expect(await database.findAll(queries, text)).toEqual([true, true, false])
  })

  test('are found by a phrase with a word that occurs 800 times', async () => {
    const places = [0, 100, 255, 256, 300, 500, 600, 799]
    const text = Array.from({ length: 800 }, (_, i) => `the word${i} goes on`).join(' ')
    expect(
      await database.findAll(
        places.map(i => `"the word${i}"`),
        text,
      ),
    ).toEqual(places.map(() => true))
    expect(
      await database.findAll(
        places.map(i => `"goes word${i}"`),
        text,
      ),
    ).toEqual(places.map(() => false))
  })

  test('are found by any part of a run longer than the positions Postgres has', async () => {
    const text = ideographs(TEXT_LENGTH_MAX)
    const parts = [0, 15_990, 16_000, 16_380, 16_400, 31_995, 32_370, 47_999, 49_980].map(i => text.slice(i, i + 20))
    expect(await database.findAll(parts, text)).toEqual(parts.map(() => true))
    const gaps = parts.map(part => part.slice(0, 10) + part.slice(11))
    expect(await database.findAll(gaps, text)).toEqual(parts.map(() => false))
  })

  test('stay inside the size of a tsvector, and keep their words first', async () => {
    const text = Array.from({ length: TEXT_LENGTH_MAX }, (_, i) => String.fromCodePoint(0x20000 + (i % 40_000))).join(
      '',
    )
    expect(await database.findAll([text.slice(0, 4), text.slice(-4)], text)).toEqual([true, true])
  })

  test('distinguish tokens that are too long for a lexeme', async () => {
    const long = 'x'.repeat(900)
    expect(await database.findAll([long, `${long}x`, 'tail'], `${long} tail ${'é'.repeat(3_000)}`)).toEqual([
      true,
      false,
      true,
    ])
  })
})

describe('time', () => {
  const hostile: [string, string][] = [
    ['dots', 'a.'],
    ['apostrophes', "a'"],
    ['capitals', 'aB'],
    ['numbers', '1,'],
    ['groups', '1,111'],
    ['quotes', '"'],
    ['hyphens', '-'],
    ['marks', '\u0301\u0323'],
    ['letters and marks', 'e\u0301\u0323'],
    ['expanding letters', '\ufdfa'],
    ['surrogates', '\ud800'],
    ['flags', '🇩🇪'],
    ['digits and letters', 'a1'],
    ['spaces', ' '],
    ['ideographs', '中'],
    ['opening quotes', '“「„'],
    ['operators', 'OR '],
    ['exclusions', '-a '],
  ]
  test.each(hostile)('of %s is little, however long the text', async (_, unit) => {
    const text = `a${unit.repeat(TEXT_LENGTH_MAX / unit.length)}`
    const spent = await processorTime(() => {
      toTsvector(analyze(text), PREFIX)
      toKeywordTsquery(parseQuery(text), PREFIX)
    })
    // The analysis takes some hundred milliseconds; the bound tolerates a slow machine but no quadratic step.
    expect(spent).toBeLessThan(4_000)
  })

  test.each([
    ['of keys', Array.from({ length: 6_000 }, (_, n) => `k1x${(n * 7919 + 104_729).toString(36)}`).join(' ')],
    ['of ideographs without a space', ideographs(TEXT_LENGTH_MAX)],
    ['of Thai without a space', 'วันนี้อากาศดีมากเรา'.repeat(2_500)],
  ])('%s are analysed in small steps that yield the thread', (_, text) => {
    let steps = 0
    for (const reading = analysisSteps(text, {}); reading.next().done !== true; ) steps++
    expect(steps).toBeGreaterThan(20)
  })
})
