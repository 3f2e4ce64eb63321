import { expect, test } from 'bun:test'
import { isQuestion } from './questions.ts'

test.each([
  'Do you live here?',
  'Do you live here',
  'What is your name',
  'Wie geht das',
  '¿Dónde vives',
  'Est-ce que tu viens',
  '東京に住んでいますか？',
  '東京に住んでいますか。',
  '你住在北京吗？',
  'هل تسكن في دبي؟',
  'Really?"',
])('asks: %s', text => {
  expect(isQuestion(text)).toBe(true)
})

test.each([
  'I live here.',
  'What I love most is jazz.',
  'Was für ein Tag!',
  '東京に住んでいます。',
  '我住在北京。',
  'أسكن في دبي.',
])('does not ask: %s', text => {
  expect(isQuestion(text)).toBe(false)
})
