import { expect, test } from 'bun:test'
import { languageDetector } from 'mneme/plugin'
import { memoryOf } from '../extractor.conformance.ts'
import { inflected } from './names.ts'
import { readAnswer } from './read-answer.ts'

const detector = await languageDetector()
const answerOf = (name: string) => ({
  n: 0,
  user_name: null,
  entities: [{ name, type: 'ORGANIZATION', aliases: [], confidence: 0.9 }],
  relations: [],
  endings: [],
  statements: [],
})

test.each([
  ['Anna', 'Annas Firma zieht um.', 'Annas'],
  ['Deutsche Bahn', 'Ich arbeite bei der Deutschen Bahn.', 'Deutschen Bahn'],
  ['Rotes Kreuz', 'Sie hilft beim Roten Kreuz.', 'Roten Kreuz'],
  ['Jens Berg', 'Das ist Jens Bergs Hund.', 'Jens Bergs'],
])('%s is found in "%s"', (name, text, form) => {
  const span = inflected(text, name)
  expect(text.slice(span?.start, span?.end)).toBe(form)
})

test.each([
  ['Jan', 'Jana ist krank.'],
  ['Ann', 'Anne ist krank.'],
  ['Ann', 'The Annual report.'],
  ['Neue Post', 'Die neuen Boten der Alten Post.'],
  ['Deutsche Bahn', 'Die deutschen Bahnen.'],
])('%s is not found in "%s"', (name, text) => {
  expect(inflected(text, name)).toBeUndefined()
})

test('an inflected name keeps its own form, with that of the text as an alias', () => {
  const memory = memoryOf('Ich arbeite bei der Deutschen Bahn.')
  const [entity] = readAnswer(memory, answerOf('Deutsche Bahn'), { extractedBy: 'model', detector }).entities
  expect(entity).toMatchObject({ name: 'Deutsche Bahn', aliases: ['Deutschen Bahn'], span: { start: 20, end: 34 } })
})
