import { expect, test } from 'bun:test'
import { unwrapped } from './sentences.ts'

const LONG = 'I moved to Berlin last year because the company that I work for'

test.each([
  [`${LONG}\nopened an office there, and I like\nit.`, `${LONG} opened an office there, and I like\nit.`],
  [`${LONG} opened an office,\nwhich I like.`, `${LONG} opened an office, which I like.`],
])('a sentence that was broken into lines is one again: %s', (text, whole) => {
  expect(unwrapped(text)).toBe(whole)
  expect(unwrapped(text)).toHaveLength(text.length)
})

test.each([
  `${LONG} moved.\nshe likes it`,
  `${LONG}\n\nand then`,
  `${LONG}\n- milk`,
  `${LONG}\nShe likes it.`,
  `${LONG}:\nmilk`,
  'milk\neggs\nbread',
])('lines that their writer ended stay lines: %s', text => {
  expect(unwrapped(text)).toBe(text)
})

test('a text of any length is read in moderate time', () => {
  expect(unwrapped(`${'a '.repeat(200_000)}\n`.repeat(2))).toHaveLength(800_002)
  expect(unwrapped('\n'.repeat(400_000))).toHaveLength(400_000)
})
