import { expect, test } from 'bun:test'
import { asks, isQuestion } from './questions.ts'

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

test.each([
  'Is there a bakery nearby',
  'what is the capital of Portugal',
  'how do I reset it',
  'Kannst du mir sagen, wo Ben wohnt',
  'wo ist der Bahnhof',
  'dónde vives',
  'Peux-tu venir',
  'où est Ana',
  'Do you live here?',
])('asks without a sign, as chats do: %s', text => {
  expect(asks(text)).toBe(true)
})

test.each([
  'What is important to me is my family.',
  'Which is why I moved to Porto.',
  'Where I live, it rains',
  'I live here',
])('states something, whatever it begins with: %s', text => {
  expect(asks(text)).toBe(false)
})
