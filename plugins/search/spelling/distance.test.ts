import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { editDistance, errorsTolerated } from './near-words.ts'

describe('editDistance', () => {
  test.each([
    ['garden', 'garden', 0],
    ['gardn', 'garden', 1],
    ['gardden', 'garden', 1],
    ['gaxden', 'garden', 1],
    ['gadren', 'garden', 1],
    ['agrden', 'garden', 1],
    ['arden', 'garden', 1],
    ['gradne', 'garden', 2],
    ['магазни', 'магазин', 1],
    ['', 'abc', 3],
    ['🦊a', '🦊b', 1],
  ])('%s and %s are %i apart', (a, b, distance) => {
    expect(editDistance(a, b, 5)).toBe(distance)
  })

  test('stops counting beyond the maximum', () => {
    expect(editDistance('kitten', 'sitting', 3)).toBe(3)
    expect(editDistance('kitten', 'sitting', 2)).toBe(3)
    expect(editDistance('a', 'abcdefgh', 2)).toBe(3)
  })

  test('is symmetric, and the maximum never changes a distance within it', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, max) => {
        const distance = editDistance(a, b, 20)
        expect(editDistance(b, a, 20)).toBe(distance)
        expect(editDistance(a, b, max)).toBe(Math.min(distance, max + 1))
      }),
    )
  })

  test('one edit is one apart', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 3, maxLength: 10 })
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom('add', 'drop', 'swap'), (text, place, edit) => {
        const at = place % (text.length - 1)
        const edited = {
          add: `${text.slice(0, at)}z${text.slice(at)}`,
          drop: text.slice(0, at) + text.slice(at + 1),
          swap: text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2),
        }[edit]
        expect(editDistance(text, edited, 3)).toBe(edited === text ? 0 : 1)
      }),
    )
  })
})

describe('errorsTolerated', () => {
  test('is none in short words, one in words of four to seven letters, two in longer ones', () => {
    expect(['tea', 'teas', 'kitchen', 'kitchens'].map(errorsTolerated)).toEqual([0, 1, 1, 2])
  })
})
