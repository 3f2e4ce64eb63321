import { expect, test } from 'bun:test'
import { isGrounded } from './check-sentence.ts'

const grounded = (sentence: string, ...texts: string[]) =>
  isGrounded(sentence, { texts, names: ['Ada Lovelace', 'ada'] })

test.each([
  ['Ada works at Acme as an engineer.', ['I work at Acme.', 'My job is engineer.']],
  ['She moved to Lisbon in 2021.', ['I moved to Lisbon in 2021.']],
  ["Ada Lovelace's team uses TypeScript and Bun.", ['Our team uses TypeScript.', 'The team uses Bun.']],
  ['She does not like coffee.', ["I don't like coffee."]],
  ['Sie wohnt in Berlin und arbeitet bei Siemens.', ['Ich wohne in Berlin.', 'Ich arbeite bei Siemens.']],
  ['Elle habite à Lyon avec Zoé.', ["J'habite à Lyon avec Zoé."]],
  ['彼女は東京', ['彼女は東京に住んでいます。']],
])('is said: %s', (sentence, texts) => {
  expect(grounded(sentence, ...texts)).toBe(true)
})

test.each([
  ['another name', 'Ada works at Globex.', ['I work at Acme.']],
  ['a name in front', 'Bob works at Acme.', ['I work at Acme.']],
  ['another number', 'She moved to Lisbon in 2022.', ['I moved to Lisbon in 2021.']],
  ['a number out of nowhere', 'She has 2 cats.', ['I have cats.']],
  ['a dropped not', 'She likes coffee.', ["I don't like coffee."]],
  ['an added not', 'She never likes coffee.', ['I like coffee.']],
  ['something else', 'She secretly despises everybody around here.', ['I like coffee.']],
  ['a name without capitals', '彼女は大阪に住んでいます。', ['彼女は東京に住んでいます。']],
])('is not said: %s', (_, sentence, texts) => {
  expect(grounded(sentence, ...texts)).toBe(false)
})
