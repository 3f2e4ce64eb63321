import { expect, test } from 'bun:test'
import { firstPersonIn } from './first-person.ts'

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
])('in %s: %s', (language, text, word) => {
  expect(found(text, language)).toBe(word)
  expect(found(text)).toBe(word)
})

test.each([
  ['en', 'Ada’s field is in Miami'],
  ['en', 'iPhone'],
  ['de', 'I am here'],
  ['fr', 'Le jour'],
  ['en', ''],
])('not in %s: %s', (language, text) => {
  expect(found(text, language)).toBeUndefined()
})

test('a language without a list has the words of all', () => {
  expect(found('Ich bin da', 'fi')).toBe('Ich')
})
