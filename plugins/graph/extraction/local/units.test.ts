import { expect, test } from 'bun:test'
import { isEnglishWord, sentencesOf } from './units.ts'

test('the dictionary holds words and no names, also after many new words were read', () => {
  const known = () => ['supplier', 'dinner', 'Lisbon', 'sipho'].map(word => isEnglishWord(word.toLowerCase()))
  expect(known()).toEqual([true, true, false, false])
  // More than the library may keep, so that it is made anew on the way.
  for (let line = 0; line < 1_200; line++) {
    const words = Array.from({ length: 90 }, (_, i) => `zq${line.toString(36)}x${i.toString(36)}`).join(' ')
    for (const sentence of sentencesOf(words)) expect(sentence.length).toBeGreaterThan(0)
  }
  expect(known()).toEqual([true, true, false, false])
})

test('every word keeps its place in the text', () => {
  const text = "Ada’s flat, l'été — it's 3.5 km away. J'habite là!\nNode.js"
  const units = [...sentencesOf(text)].flat()
  for (const unit of units) expect(text.slice(unit.start, unit.end)).toBe(unit.text)
  expect(units.map(unit => unit.text).join('')).toBe(text.replaceAll(/\s/g, ''))
})
