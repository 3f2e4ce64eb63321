import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { compileValidator } from 'mneme/plugin'
import { METADATA_BYTES_MAX, METADATA_DEPTH_MAX, metadata } from './schemas.ts'

const validator = compileValidator(Type.Object({ metadata: metadata() }))
const accepts = (value: unknown) => validator.faults({ metadata: value }).length === 0

function nested(levels: number): unknown {
  let value: unknown = {}
  for (let level = 1; level < levels; level++) value = { inner: value }
  return value
}

describe('metadata', () => {
  test('accepts any JSON object, whatever its keys', () => {
    for (const json of ['{}', '{"__proto__": {"a": 1}, "constructor": null, "": [1.5, true]}', '{"ключ": "値 🎉"}']) {
      expect(accepts(JSON.parse(json))).toBe(true)
    }
  })

  test.each([[[]], ['text'], [1], [null], [true]])('refuses %p, which is not an object', value => {
    expect(accepts(value)).toBe(false)
  })

  test('is bounded in depth and refuses deeper objects of any depth', () => {
    expect(accepts(nested(METADATA_DEPTH_MAX))).toBe(true)
    expect(accepts(nested(METADATA_DEPTH_MAX + 1))).toBe(false)
    expect(accepts(nested(50_000))).toBe(false)
  })

  test('is bounded in bytes of its JSON', () => {
    const overhead = JSON.stringify({ a: '' }).length
    expect(accepts({ a: 'x'.repeat(METADATA_BYTES_MAX - overhead) })).toBe(true)
    expect(accepts({ a: 'x'.repeat(METADATA_BYTES_MAX - overhead + 1) })).toBe(false)
    expect(accepts({ a: 'é'.repeat(METADATA_BYTES_MAX / 2) })).toBe(false)
  })

  test('refuses NUL and lone surrogates in keys and values, but accepts their escaped spelling as text', () => {
    for (const bad of [{ a: '\u0000' }, { '\u0000': 1 }, { a: ['\ud800'] }, { '\udfff': 1 }, { a: '\\\u0000' }]) {
      expect(accepts(bad)).toBe(false)
    }
    for (const good of [{ a: '\\u0000' }, { a: '\\\\ud800' }, { '\\udfff': 1 }, { a: '\ud83c\udf89' }]) {
      expect(accepts(good)).toBe(true)
    }
  })

  test('refuses numbers that JSON can write and a double cannot hold', () => {
    expect(accepts(JSON.parse('{"a": 1e400}'))).toBe(false)
    expect(accepts(JSON.parse('{"a": 1e308}'))).toBe(true)
  })

  test('agrees with a plain search for unstorable characters on any strings', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: fc.constantFrom('\\', 'u', '0', 'd', '8', '\u0000', '\ud800') }),
        (a, b) => {
          const storable = [a, b].every(text => text.isWellFormed() && !text.includes('\u0000'))
          expect(accepts({ [a]: b })).toBe(storable)
        },
      ),
    )
  })
})
