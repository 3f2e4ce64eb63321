import { expect, test } from 'bun:test'
import { saysName, spacedWords } from './wording.ts'

const says = (name: string, text: string, type?: 'ORGANIZATION') => saysName(name, type)?.(spacedWords(text))

test.each([
  ['Ana', 'ana lives in porto'],
  ['Ana', 'anabel knows ana'],
  ['Ana', "it is ana's"],
  ['Apple', 'pineapple from apple'],
  ['Ada Park', 'ada parker and ada park'],
  ['東京', '私は東京に住んでいる'],
])('%s is said by: %s', (name, text) => {
  expect(says(name, text)).toBe(true)
})

test('a longer word does not say a name, and an organization has no plural', () => {
  expect(says('Ana', 'anabel and banana')).toBe(false)
  expect(says('Apple', 'apples are sweet', 'ORGANIZATION')).toBe(false)
  expect(says('Anna', 'annas hund')).toBe(true)
  expect(saysName('…')).toBeUndefined()
})
