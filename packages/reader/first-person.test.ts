import { expect, test } from 'bun:test'
import { firstPersonIn, keepsFirstPerson } from './first-person.ts'

const found = (text: string, language?: string) => {
  const span = firstPersonIn(text, language)
  return span && text.slice(span.start, span.end)
}

test.each([
  ['en', 'Yes, I’m here', 'I’m'],
  ['en', 'Ada met us', 'us'],
  ['de', 'Das ist meiner', 'meiner'],
  ['es', 'Ahora vivo en Sevilla', 'vivo'],
  ['fr', "Oui, j'habite à Lyon", "j'"],
  ['ru', 'Кот у меня дома', 'у меня'],
  ['en', 'ADA MET US', 'US'],
  ['en', 'From the US to me', 'me'],
])('in %s: %s', (language, text, word) => {
  expect(found(text, language)).toBe(word)
  expect(found(text)).toBe(word)
})

test.each([
  ['en', 'Ada’s field is in Miami'],
  ['en', 'iPhone'],
  ['de', 'I am here'],
  ['fr', 'Le jour'],
  ['en', 'Works in the US'],
  ['en', 'Portland, ME'],
  ['en', 'Boston, MA'],
  ['en', ''],
])('not in %s: %s', (language, text) => {
  expect(found(text, language)).toBeUndefined()
})

test('a language without a list has the words of all', () => {
  expect(found('Ich bin da', 'fi')).toBe('Ich')
})

test.each([
  ['da', 'Vores hus er mit', 'Vores'],
  ['nl', 'Wij wonen in Gent', 'Wij'],
  ['sv', 'Vi bor nu', 'Vi'],
  ['no', 'Vi bor her', 'Vi'],
])('in %s alone: %s', (language, text, word) => {
  expect(found(text, language)).toBe(word)
  expect(found(text)).toBeUndefined()
})

test('verbs tell who speaks in some languages, and pronouns in others', () => {
  expect(['en', 'de', 'no', 'da'].every(keepsFirstPerson)).toBe(true)
  expect(['es', 'pl', 'ja', 'ru', 'und'].some(keepsFirstPerson)).toBe(false)
})
