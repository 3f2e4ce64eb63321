import { describe, expect, test } from 'bun:test'
import { AppError } from '../errors.ts'
import { PIECE_BYTES } from './json-outline.ts'
import { parseSteps } from './json-pieces.ts'

const LIMITS = { levels: 64, values: 1_000_000, textBytes: 1024 ** 2 }
const encoder = new TextEncoder()

/** Returns the value, and in how many steps it came. */
function parsed(text: string | Uint8Array, limits = LIMITS): { value: unknown; steps: number } {
  const steps = parseSteps(typeof text === 'string' ? encoder.encode(text) : text, limits)
  for (let count = 1; ; count++) {
    const step = steps.next()
    if (step.done === true) return { value: step.value, steps: count }
  }
}

function faultOf(text: string, limits = LIMITS): string | undefined {
  try {
    parsed(text, limits)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.details?.[0]?.message
    throw error
  }
}

const MALFORMED = 'is not valid JSON in UTF-8'
const word = (n: number) => `größe 😀 \\ "${n}" [{,`
const long = {
  memories: Array.from({ length: 3000 }, (_, n) => ({ memory: word(n), metadata: { n, list: [n, [], {}] } })),
  text: word(1).repeat(5000),
  numbers: Array.from({ length: 30_000 }, (_, n) => n / 7),
  keys: Object.fromEntries(Array.from({ length: 9000 }, (_, n) => [word(n), n])),
  nested: [[[Array.from({ length: 20_000 }, (_, n) => n)], 'after'], null, true],
}

describe('a long document', () => {
  test('is parsed in pieces to what JSON.parse makes of it', () => {
    for (const value of [long, [long, long], [[long]], { a: 1, long }, Object.values(long)]) {
      for (const text of [
        JSON.stringify(value),
        JSON.stringify(value, null, 2),
        `\uFEFF \n${JSON.stringify(value)} \t`,
      ]) {
        const { value: made, steps } = parsed(text)
        expect(made).toEqual(JSON.parse(text.replace('\uFEFF', '')))
        expect(JSON.stringify(made)).toBe(JSON.stringify(value))
        expect(steps).toBeGreaterThan(encoder.encode(text).length / PIECE_BYTES / 4)
      }
    }
  })

  test('may repeat a key, and name one __proto__', () => {
    const filler = JSON.stringify(long.numbers)
    const text = `{"a":1,"__proto__":${filler},"b":${filler},"a":2,"__proto__":{"c":1}}`
    const { value } = parsed(text)
    expect(Object.keys(value as object)).toEqual(['a', '__proto__', 'b'])
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('is refused wherever JSON.parse would refuse it', () => {
    const list = JSON.stringify(long.numbers)
    const faulty = [
      ...[
        `${list}${list}`,
        `${list},`,
        `x${list}`,
        `${list}x`,
        `[${list}`,
        `${list}]`,
        `[${list}}`,
        `\uFEFF\uFEFF${list}`,
      ],
      ...[
        `[${list},]`,
        `[,${list}]`,
        `[${list}${list}]`,
        `[1 ${list}]`,
        `[${list} 1]`,
        `[${list},,${list}]`,
        `[a${list}]`,
      ],
      ...[
        `{${list}}`,
        `{"a"${list}}`,
        `{"a":${list},}`,
        `{a:${list}}`,
        `{1:${list}}`,
        `{"a":"b":${list}}`,
        `{"a":1 ${list}}`,
      ],
      ...[`{"a":${list} "b":1}`, `{"a":${list},"b"}`, `{"a":\uFEFF${list}}`, `"${list}`],
      list.replace(',5,', ',,'),
      `[${' '.repeat(PIECE_BYTES)},${list}]`,
      `[${list},${' '.repeat(2 * PIECE_BYTES)}]`,
    ]
    for (const text of faulty) {
      expect(() => JSON.parse(text.replace(/^\uFEFF/, ''))).toThrow()
      expect(faultOf(text)).toBe(MALFORMED)
    }
    expect(faultOf(`[${' '.repeat(2 * PIECE_BYTES)}]`)).toBeUndefined()
    expect(faultOf(`{${' '.repeat(2 * PIECE_BYTES)}}`)).toBeUndefined()
  })

  test('that was damaged anywhere is taken or refused as JSON.parse does', () => {
    const bytes = encoder.encode(
      JSON.stringify({ ...long, text: word(1), numbers: [1.5], nested: long.nested.slice(1) }),
    )
    const signs = encoder.encode('[]{}",:\\1 x\u0001\uFEFF')
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed % below
    }
    let taken = 0
    for (let round = 0; round < 150; round++) {
      const damaged = bytes.slice()
      damaged[random(damaged.length)] = signs[random(signs.length)] ?? 0
      const expected = attempt(() => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(damaged)))
      const made = attempt(() => parsed(damaged).value)
      expect(made === undefined).toBe(expected === undefined)
      expect(JSON.stringify(made) === JSON.stringify(expected)).toBe(true)
      if (made !== undefined) taken++
    }
    expect(taken).toBeGreaterThan(20)
    expect(taken).toBeLessThan(145)
  })
})

function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch {
    return undefined
  }
}

describe('the limits of a document', () => {
  test('count every value once, those within others included', () => {
    const values = (text: string, max: number) => faultOf(text, { ...LIMITS, values: max })
    expect(values('[1,[2,{"a":3}]]', 6)).toBeUndefined()
    expect(values('[1,[2,{"a":3}]]', 5)).toBe('must have at most 5 values')
    expect(values(`"${'[1,2],'.repeat(100)}"`, 1)).toBeUndefined()
    // It is refused after the first few bytes, whatever follows.
    expect(values(`[${'0,'.repeat(2_000_000)}0]`, 10)).toBe('must have at most 10 values')
  })

  test('hold for one text, however it is escaped', () => {
    const texts = (text: string) => faultOf(text, { ...LIMITS, textBytes: 12 })
    expect(texts('["123456789012"]')).toBeUndefined()
    expect(texts('["1234567890123"]')).toBe('must have no text of more than 12 bytes')
    expect(texts('["\\u00e9\\u00e9"]')).toBeUndefined()
    expect(texts('["\\u00e9\\u00e9x"]')).toBe('must have no text of more than 12 bytes')
    expect(texts('["unfinished')).toBe(MALFORMED)
  })

  test('name the key of an integer that a double would round', () => {
    const message = (where: string) =>
      `holds an integer beyond 2^53 ${where}, which cannot be kept exactly; send it as text`
    expect(faultOf('{"a":{"b":[1],"id":9007199254740993}}')).toBe(message('under "id"'))
    expect(faultOf('{"a":[1,9007199254740993]}')).toBe(message('in a list'))
    expect(faultOf(`{"a":-1${'0'.repeat(5000)}}`)).toBe(message('under "a"'))
    for (const exact of [
      '9007199254740991',
      '-9007199254740991',
      '1234567890123456.5',
      '9007199254740993e0',
      '"9007199254740993"',
    ])
      expect(faultOf(`{"a":[${exact}]}`)).toBeUndefined()
  })
})
