import { expect, test } from 'bun:test'
import { writtenOut } from './clitics.ts'

test.each([
  ["can't", undefined, 'can not'],
  ["don't", 'eat', 'do not'],
  ["i'm", 'here', 'i am'],
  ["we've", 'moved', 'we have'],
  ["they'll", 'move', 'they will'],
  ["it's", 'raining', 'it is'],
])('%s before %s is written out', (word, next, words) => {
  expect(writtenOut(word, next)?.join(' ')).toBe(words)
})

test.each([
  ["he's", 'retired'],
  ["he's", undefined],
  ["ada's", 'the'],
  ["she'd", 'go'],
  ["ada'll", 'go'],
  ['cant', 'go'],
  ['constructor', 'go'],
])('%s before %s has several readings, or is no contraction', (word, next) => {
  expect(writtenOut(word, next)).toBeUndefined()
})
