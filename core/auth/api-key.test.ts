import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { generateKey, hashKey, isKeyFormat, keyPrefix, randomText } from './api-key.ts'

describe('API keys', () => {
  test('a generated key names its mode and has 32 random characters', () => {
    expect(generateKey('live')).toMatch(/^mn_live_[0-9A-Za-z]{32}$/)
    expect(generateKey('test')).toMatch(/^mn_test_[0-9A-Za-z]{32}$/)
    expect(new Set(Array.from({ length: 1000 }, () => generateKey('live'))).size).toBe(1000)
  })

  test('every character is about equally likely', () => {
    const counts = new Map<string, number>()
    for (const character of randomText(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
    expect(counts.size).toBe(62)
    // Each character is expected 1,000 times; the bounds are eight standard deviations away.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(256)
  })

  test('a text that is no key is refused before any look-up', () => {
    for (const text of ['', 'mn_live_', 'mn_prod_0123456789abcdef0123456789abcdef', `mn_live_${'a'.repeat(23)}`]) {
      expect(isKeyFormat(text)).toBe(false)
    }
    expect(isKeyFormat(`mn_live_${'a'.repeat(24)}`)).toBe(true)
    expect(isKeyFormat(`mn_live_${'a'.repeat(129)}`)).toBe(false)
    expect(isKeyFormat(`mn_live_${'a'.repeat(24)}\n`)).toBe(false)
  })

  test('what is stored and shown gives no other key away', () => {
    fc.assert(
      fc.property(fc.constantFrom('live' as const, 'test' as const), mode => {
        const key = generateKey(mode)
        expect(hashKey(key)).toHaveLength(32)
        expect(key.startsWith(keyPrefix(key))).toBe(true)
        expect(keyPrefix(key)).toHaveLength(12)
      }),
      { numRuns: 20 },
    )
  })
})
