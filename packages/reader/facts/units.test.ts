import { expect, test } from 'bun:test'
import { isEnglishWord, newWords, newWordsHeld, sentencesOf } from './units.ts'

const WORDS_OF_A_LINE = 90

test('new words are forgotten again, and what is known stays known', () => {
  const known = () => ['supplier', 'dinner', 'Lisbon', 'sipho'].map(word => isEnglishWord(word.toLowerCase()))
  expect(known()).toEqual([true, true, false, false])
  // Some 25 times what is kept: the library ran out of memory here when each instance loaded its model again.
  let most = 0
  for (let line = 0; line < 2_800; line++) {
    const words = Array.from({ length: WORDS_OF_A_LINE }, (_, i) => `zq${line.toString(36)}x${i.toString(36)}`).join(
      ' ',
    )
    expect([...sentencesOf(words)].flat()).toHaveLength(WORDS_OF_A_LINE)
    most = Math.max(most, newWords())
  }
  expect(most).toBeLessThanOrEqual(10_000 + 2 * WORDS_OF_A_LINE)
  expect(known()).toEqual([true, true, false, false])
})

test('new words count as memory of the process, and are forgotten with the next text when it has too little', () => {
  ;[...sentencesOf(Array.from({ length: 80 }, (_, i) => `zv${i.toString(36)}x`).join(' '))]
  const before = newWords()
  expect(before).toBeGreaterThanOrEqual(80)
  expect(newWordsHeld.bytes()).toBeGreaterThan(80 * 500)
  newWordsHeld.drop?.()
  expect(newWords()).toBe(before)
  ;[...sentencesOf('My supplier came to dinner.')]
  expect(newWords()).toBeLessThan(10)
})

test('every word keeps its place in the text', () => {
  const text = "Ada’s flat, l'été — it's 3.5 km away. J'habite là!\nNode.js"
  const units = [...sentencesOf(text)].flat()
  for (const unit of units) expect(text.slice(unit.start, unit.end)).toBe(unit.text)
  expect(units.map(unit => unit.text).join('')).toBe(text.replaceAll(/\s/g, ''))
})
