import { expect, test } from 'bun:test'
import { isElided, withoutClitics } from './clitics.ts'

test.each([
  ["anna's", 'anna'],
  ["we've", 'we'],
  ["l'école", 'école'],
  ["qu'anna", 'anna'],
  ["don't", "don't"],
  ["o'brien", "o'brien"],
  ['tea', 'tea'],
])('%s is %s', (word, bare) => {
  expect(withoutClitics(word)).toBe(bare)
})

test.each([
  ['l', ['fr'], true],
  ['Qu', ['en', 'fr'], true],
  ['dell', ['it'], true],
  ['l', ['en'], false],
  ['o', ['fr'], false],
])('%s is elided in %j: %p', (word, languages, elided) => {
  expect(isElided(word, languages)).toBe(elided)
})
