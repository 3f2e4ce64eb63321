import { expect, test } from 'bun:test'
import { askedIn, asks, beginsWithQuestionVerb, isQuestion, questionWords } from './questions.ts'

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
  'what colour is it',
  'since when is it open',
  'weshalb ist Ben weg',
  'où est Ana',
  'Do you live here?',
])('asks without a sign, as chats do: %s', text => {
  expect(asks(text)).toBe(true)
})

test.each([
  'What is important to me is my family.',
  'Which is why I moved to Porto.',
  'Where I live, it rains',
  'what I do is nobody else’s business',
  'Had I known that',
  'Que bueno',
  'Wo ich wohne, regnet es',
  'I live here',
])('states something, whatever it begins with: %s', text => {
  expect(asks(text)).toBe(false)
})

test.each([
  ['until when is it open', 'when'],
  ['on which days is it open', 'when'],
  ['how many are there', 'quantity'],
  ['Wie lange dauert es', 'duration'],
  ['mit wem', 'who'],
  ['in which towns', 'where'],
  ['cuántas', 'quantity'],
  ['昨日は誰が来た', 'who'],
  ['warum', 'why'],
  ['wieso', 'why'],
] as const)('%s asks for %s', (query, asked) => {
  expect([...askedIn(query)]).toContain(asked)
})

test.each(['the time when it rained', 'whenever', 'green tea', 'a whoop', ''])('%s asks for nothing', query => {
  expect([...askedIn(query)]).toEqual([])
})

test('a verb begins a question, and a word that begins like one does not', () => {
  expect(beginsWithQuestionVerb('Does she sing')).toBe(true)
  expect(beginsWithQuestionVerb('doesx')).toBe(false)
  expect(beginsWithQuestionVerb('she does')).toBe(false)
})

test('question words are those of the languages asked for', () => {
  expect(questionWords(['de'], ['who'])).toContain('wem')
  expect(questionWords(['de'], ['who'])).not.toContain('who')
  expect(questionWords(['fr'], ['where'])).toContain('quel pays')
  expect(questionWords(['xx'])).toEqual([])
})
