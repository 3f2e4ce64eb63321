import { expect, test } from 'bun:test'
import { wordSegments } from './words.ts'

test.each([
  ["It's 3.5 km.", ["It's", '3.5', 'km']],
  ['ภาษาไทยง่ายมาก', ['ภาษา', 'ไทย', 'ง่าย', 'มาก']],
  ['', []],
])('words of %s, whose pieces are the whole text', (text, words) => {
  const segments = [...wordSegments(text)]
  expect(segments.filter(({ isWord }) => isWord).map(({ segment }) => segment)).toEqual(words)
  expect(segments.map(({ segment }) => segment).join('')).toBe(text)
})
