import { expect, test } from 'bun:test'
import { indexable, queryWords } from './search-words.ts'

test('words are cut by spaces, or into pairs where there are none', () => {
  expect(indexable('Ada’s Tee, 2 Tassen!')).toBe('ada s tee 2 tassen')
  expect(indexable('東京駅のtower')).toBe('東京 京駅 駅の の tower')
})

test('a query wants the pairs that lie inside of it, or what begins with its one character', () => {
  expect(queryWords('東京駅 Tee')).toEqual({ words: '東京 京駅 tee', prefixes: [] })
  expect(queryWords('駅')).toEqual({ words: '', prefixes: ['駅'] })
  expect(queryWords('?!')).toEqual({ words: '', prefixes: [] })
})

test('a long text is indexed from its beginning, as far as an index reaches', () => {
  const different = Array.from({ length: 120_000 }, (_, n) => String.fromCodePoint(0x4e00 + (n % 20_000))).join('')
  const apart = Array.from({ length: 120_000 }, (_, n) => `w${n}`).join(' ')
  for (const text of [different, apart]) {
    const words = indexable(text)
    expect(words.length).toBeGreaterThan(50_000)
    expect(words.length).toBeLessThan(500_000)
    expect(indexable(text.slice(0, 1000))).toBe(words.slice(0, indexable(text.slice(0, 1000)).length))
  }
})
