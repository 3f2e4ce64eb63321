import { expect, test } from 'bun:test'
import { standingOf } from './standing.ts'

test.each([
  ['instruction', 'Always answer in French.'],
  ['instruction', 'Never suggest pork.'],
  ['instruction', 'When you recommend books, leave out horror.'],
  ['instruction', 'I want you to correct my grammar.'],
  ['instruction', 'We talked about the trip. Please keep your answers short from now on.'],
  ['instruction', 'Empfiehl mir nie Filme mit Gewalt.'],
  ['instruction', 'Ne me recommande jamais de viande.'],
  ['instruction', 'Respóndeme siempre en español.'],
  ['constraint', 'I have a severe shellfish allergy.'],
  ['constraint', 'Ich esse kein Fleisch.'],
  ['constraint', 'No puedo comer gluten.'],
  ['identity', 'My first name is Maria and my last name is Lopez.'],
  ['identity', 'Nenn mich Toni.'],
  ['identity', "Je m'appelle Pierre."],
])('%s: %s', (kind, text) => {
  expect<string | undefined>(standingOf(text)).toBe(kind)
})

test.each([
  ['for once', 'Remind me to buy milk tomorrow.'],
  ['for once', 'Call me back when you can.'],
  ['a bare request', 'Create a new file and rename the function.'],
  ['of another', 'My son is allergic to cats.'],
  ['of another', 'My friend told me to call him Jim.'],
  ['of another', 'She always speaks French with her children.'],
  ['no more', 'I used to be a vegetarian.'],
  ['no more', 'I was allergic to eggs when I was little.'],
  ['a habit', 'I always get up at six.'],
  ['a question', 'What is my name?'],
  ['a taste', 'I like jazz and old films.'],
  ['a story', `${'It was a long day at the mill. '.repeat(15)}Always answer in French.`],
])('none, as it is %s: %s', (_, text) => {
  expect(standingOf(text)).toBeUndefined()
})
