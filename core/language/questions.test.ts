import { expect, test } from 'bun:test'
import { isQuestion } from './questions.ts'

test.each([
  'Do you live here?',
  '¿Dónde vives',
  '東京に住んでいますか？',
  '東京に住んでいますか。',
  '你住在北京吗？',
  'هل تسكن في دبي؟',
  'Really?"',
  '「本当？」',
])('asks: %s', text => {
  expect(isQuestion(text)).toBe(true)
})

test.each([
  'I live here.',
  'What I love most is jazz.',
  'Was für ein Tag!',
  'When Anna is away, Ben runs the shop.',
  'What is important to me is my family',
  'Which is why I moved to Porto.',
  'Comment threads on Reddit annoy me.',
  '東京に住んでいます。',
  '我住在北京。',
  'أسكن في دبي.',
])('does not ask: %s', text => {
  expect(isQuestion(text)).toBe(false)
})
