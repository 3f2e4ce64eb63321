import { describe, expect, test } from 'bun:test'
import { AppError } from '../errors.ts'
import { boundedJson } from './json-text.ts'

const named = () => 'plugin weather: the response of GET /v1/x/weather/all'
const write = (body: unknown, maxBytes = 1000) => boundedJson(body, maxBytes, named)

function refusal(body: unknown, maxBytes = 1000): { code?: string; message: string } {
  try {
    write(body, maxBytes)
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
  test('is what JSON.stringify makes of it, up to the last byte that it may have', () => {
    const body = {
      at: new Date('2030-01-01T00:00:00Z'),
      none: undefined,
      gone: null,
      work: () => 1,
      list: [1, 'é', true, undefined, [{ deep: 'x' }]],
      toText: { toJSON: () => 'short', long: 'x'.repeat(2000) },
    }
    expect(write(body)).toBe(JSON.stringify(body))
    expect(write('x'.repeat(998))).toHaveLength(1000)
    expect(refusal('x'.repeat(999))).toEqual(TOO_LARGE)
  })

  test('counts bytes, not characters, and escapes', () => {
    expect(refusal('é'.repeat(500))).toEqual(TOO_LARGE)
    expect(write('é'.repeat(499))).toHaveLength(501)
    expect(refusal('\u0001'.repeat(167))).toEqual(TOO_LARGE)
  })

  test('is refused before it is made, also where one object stands in it a million times', () => {
    const page = Array.from({ length: 1000 }, () => 'x'.repeat(1000))
    const book = Array.from({ length: 1000 }, () => page)
    // Nothing could hold this text of a terabyte.
    expect(refusal(Array.from({ length: 1000 }, () => book))).toEqual(TOO_LARGE)
    expect(refusal(Object.fromEntries(page.map((text, n) => [`${text}${n}`, null])))).toEqual(TOO_LARGE)
  })

  test('that nobody can write is refused with its name', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(refusal(circle, 1_000_000).message).toStartWith(`${named()} cannot be written as JSON: TypeError`)
    expect(refusal({ n: 1n }).message).toStartWith(`${named()} cannot be written as JSON: TypeError`)
    expect(refusal(() => 1).message).toBe(`${named()} cannot be written as JSON: it is a function`)
  })
})
