import { describe, expect, test } from 'bun:test'
import { textOffsets } from './tokens.ts'

describe('textOffsets', () => {
  const placesOf = (text: string, tokens: readonly string[]) => {
    const offsetOf = textOffsets(text, tokens)
    return tokens.map((_, at) => text.slice(offsetOf(at), offsetOf(at + 1)))
  }

  test('finds tokens through blanks, parts of words and letter case', () => {
    expect(placesOf('  The  Quick\nfox', ['the', 'quick', 'fox'])).toEqual(['  The  ', 'Quick\n', 'fox'])
    expect(placesOf('Embedding, now', ['em', '##bed', '##ding', ',', 'now'])).toEqual([
      'Em',
      'bed',
      'ding',
      ', ',
      'now',
    ])
  })

  test('finds tokens beside combining marks and pictures', () => {
    expect(placesOf('cafe\u0301 au lait', ['cafe', 'au', 'lait'])).toEqual(['cafe\u0301 ', 'au ', 'lait'])
    expect(placesOf('tea 🍵 time', ['tea', '[UNK]', 'time'])).toEqual(['tea ', '🍵 ', 'time'])
  })

  test('finds tokens of Hangul, which the tokeniser takes apart into letters', () => {
    const tokens = ['ᄉ', '##ᅥ', '##ᄋ', '##ᅮ', '##ᆯ', '##ᄋ', '##ᅦ', 'city']
    const offsetOf = textOffsets('서울에 city', tokens)
    expect(tokens.map((_, at) => offsetOf(at))).toEqual([0, 0, 1, 1, 1, 2, 2, 4])
  })

  test('gives unknown tokens even shares of what is left', () => {
    expect(placesOf('寿司を食', ['[UNK]', '[UNK]', 'を', '[UNK]'])).toEqual(['寿', '司', 'を', '食'])
  })

  test('stays within the text whatever the tokens are', () => {
    const offsetOf = textOffsets('ab', ['abc', 'defg', 'h'])
    expect([0, 1, 2, 3, 4].map(offsetOf)).toEqual([0, 2, 2, 2, 2])
    expect(textOffsets('', [])(0)).toBe(0)
  })
})
