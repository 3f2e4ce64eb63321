import { expect, test } from 'bun:test'
import { wordSet, wordsOf } from './words.ts'

test('the words of lexicons are those of all their languages, in their order', () => {
  expect(wordsOf(['a', 'b'], { en: ['c'], de: ['d', 'a'] })).toEqual(['a', 'b', 'c', 'd', 'a'])
  expect(wordsOf()).toEqual([])
})

test('a set of lexicons holds each word once', () => {
  expect([...wordSet(['a', 'b'], { en: ['c'], de: ['a'] })]).toEqual(['a', 'b', 'c'])
})
