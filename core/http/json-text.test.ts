import { describe, expect, test } from 'bun:test'
import { AppError } from '../errors.ts'
import { boundedJson } from './json-text.ts'

const named = () => 'plugin weather: the response of GET /v1/x/weather/all'
const write = async (body: unknown, maxBytes = 1000) => (await boundedJson(body, maxBytes, named)).join('')

async function refusal(body: unknown, maxBytes = 1000): Promise<{ code?: string; message: string }> {
  try {
    await write(body, maxBytes)
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: String(error.cause) }
    if (error instanceof Error) return { message: error.message }
  }
  return { message: 'it was written' }
}

const TOO_LARGE = {
  code: 'RESPONSE_TOO_LARGE',
  message:
    "Error: plugin weather: the response of GET /v1/x/weather/all is larger than 1000 bytes; answer in pages or with a download, or raise the route's responseMaxBytes",
}

describe('The JSON of a response', () => {
  test('is what JSON.stringify makes of it, up to the last byte that it may have', async () => {
    const body = {
      at: new Date('2030-01-01T00:00:00Z'),
      none: undefined,
      gone: null,
      work: () => 1,
      list: [1, 'é', true, undefined, [{ deep: 'x' }]],
      toText: { toJSON: () => 'short', long: 'x'.repeat(2000) },
    }
    expect(await write(body)).toBe(JSON.stringify(body))
    expect(await write('x'.repeat(998))).toHaveLength(1000)
    expect(await refusal('x'.repeat(999))).toEqual(TOO_LARGE)
  })

  test('is the same where it is long and written in parts', async () => {
    const long = 'é"\n🦊'.repeat(20_000)
    const bodies = [
      {
        none: undefined,
        data: [long, undefined, { at: new Date(0), work: () => 1 }, [long], []],
        total: 3,
        work: () => 1,
      },
      { empty: [], none: undefined, data: { deep: [long] } },
      { data: [long, long, { toJSON: () => 'short' }], list: { toJSON: () => [1] } },
      [long, () => 1, Symbol('a'), null, [1, [long]]],
      Object.assign(Object.create({ inherited: long }), { own: [long] }),
      new Array(50_000),
      long,
    ]
    for (const body of bodies) expect(await write(body, 10_000_000)).toBe(JSON.stringify(body))
    const parts = await boundedJson({ data: Array.from({ length: 100 }, () => long) }, 100_000_000, named)
    expect(parts.length).toBeGreaterThan(90)
    expect((await refusal({ data: [long, { n: 1n }] }, 10_000_000)).message).toContain('cannot be written as JSON')
    expect(await refusal({ data: [long] }, 100_000)).toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
  })

  test('counts bytes, not characters, and escapes', async () => {
    expect(await refusal('é'.repeat(500))).toEqual(TOO_LARGE)
    expect(await write('é'.repeat(499))).toHaveLength(501)
    expect(await refusal('\u0001'.repeat(167))).toEqual(TOO_LARGE)
  })

  test('is refused before it is made, also where one object stands in it a million times', async () => {
    const page = Array.from({ length: 1000 }, () => 'x'.repeat(1000))
    const book = Array.from({ length: 1000 }, () => page)
    // Nothing could hold this text of a terabyte.
    expect(await refusal(Array.from({ length: 1000 }, () => book))).toEqual(TOO_LARGE)
    expect(await refusal(Object.fromEntries(page.map((text, n) => [`${text}${n}`, null])))).toEqual(TOO_LARGE)
  })

  test('that nobody can write is refused with its name', async () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect((await refusal(circle, 1_000_000)).message).toStartWith(`${named()} cannot be written as JSON: TypeError`)
    expect((await refusal({ n: 1n })).message).toStartWith(`${named()} cannot be written as JSON: TypeError`)
    expect((await refusal(() => 1)).message).toBe(`${named()} cannot be written as JSON: it is a function`)
  })
})
