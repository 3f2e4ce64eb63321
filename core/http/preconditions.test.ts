import { describe, expect, test } from 'bun:test'
import { isNotModified, quoted, rangeOf } from './preconditions.ts'

const version = { etag: '"v1"', lastModified: new Date('2026-03-01T09:30:00.500Z') }
const SAME = 'Sun, 01 Mar 2026 09:30:00 GMT'
const BEFORE = 'Sun, 01 Mar 2026 09:29:59 GMT'
const AFTER = 'Mon, 02 Mar 2026 00:00:00 GMT'

describe('a range', () => {
  const range = (value: string, size = 100, more: Record<string, string> = {}) =>
    rangeOf(new Headers({ range: value, ...more }), size, version)

  test.each([
    ['bytes=0-9', { start: 0, end: 10 }],
    ['bytes=90-', { start: 90, end: 100 }],
    ['bytes=90-500', { start: 90, end: 100 }],
    ['bytes=-10', { start: 90, end: 100 }],
    ['bytes=-500', { start: 0, end: 100 }],
    ['Bytes= 5 - 5 ', { start: 5, end: 6 }],
    ['bytes=99-99', { start: 99, end: 100 }],
  ])('%s is the part asked for', (value, expected) => {
    expect(range(value)).toEqual(expected)
  })

  test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=99999999999999999999-'])(
    '%s lies beyond the end',
    value => {
      expect(range(value)).toBe('unsatisfiable')
    },
  )

  test.each(['bytes=0-1,4-5', 'bytes=5-4', 'bytes=-', 'bytes=a-b', 'lines=0-1', 'bytes', ''])(
    'that nobody need understand is the whole: %s',
    value => {
      expect(range(value)).toBeUndefined()
    },
  )

  test('of nothing is never there', () => {
    expect([range('bytes=0-', 0), range('bytes=-5', 0)]).toEqual(['unsatisfiable', 'unsatisfiable'])
  })

  test('is given only of the version that If-Range names, by its very bytes', () => {
    const given = (condition: string) => range('bytes=0-9', 100, { 'if-range': condition }) !== undefined
    expect(['"v1"', '"v2"', 'W/"v1"', SAME, BEFORE, AFTER, 'nonsense'].map(given)).toEqual([
      true,
      false,
      false,
      true,
      false,
      false,
      false,
    ])
    const weak = { ...version, etag: 'W/"v1"' }
    expect(rangeOf(new Headers({ range: 'bytes=0-9', 'if-range': 'W/"v1"' }), 100, weak)).toBeUndefined()
  })
})

describe('a condition', () => {
  const notModified = (headers: Record<string, string>) => isNotModified(new Headers(headers), version)

  test('If-None-Match spares what the client has, by weak comparison', () => {
    const spared = ['"v1"', 'W/"v1"', '"a", "v1"', '*', '"v2"', 'v1'].map(value =>
      notModified({ 'if-none-match': value }),
    )
    expect(spared).toEqual([true, true, true, true, false, false])
  })

  test('If-Modified-Since counts in seconds, and only without If-None-Match', () => {
    expect([SAME, AFTER, BEFORE, 'nonsense'].map(value => notModified({ 'if-modified-since': value }))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(notModified({ 'if-none-match': '"v2"', 'if-modified-since': AFTER })).toBe(false)
  })

  test('If-Match and If-Unmodified-Since want this very version', () => {
    for (const headers of [{ 'if-match': '"v1"' }, { 'if-match': '*' }, { 'if-unmodified-since': SAME }])
      expect(notModified(headers as Record<string, string>)).toBe(false)
    for (const headers of [{ 'if-match': '"v2"' }, { 'if-match': 'W/"v1"' }, { 'if-unmodified-since': BEFORE }])
      expect(() => notModified(headers as Record<string, string>)).toThrow()
  })
})

test('an entity tag is quoted unless it is already, and holds nothing that ends it', () => {
  expect(['abc', '"abc"', 'W/"abc"', 'a"b c\n'].map(quoted)).toEqual(['"abc"', '"abc"', 'W/"abc"', '"abc"'])
})
