import { expect, test } from 'bun:test'
import { withoutClitics } from './clitics.ts'

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
