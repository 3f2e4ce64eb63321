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
  ['我不喜欢咖啡', ['我不喜欢咖啡。']],
  ['أعيش في القاهرة وأحب القهوة', ['أعيش في القاهرة', 'وأحب القهوة']],
  ['She no longer drinks coffee.', ['I gave up drinking coffee.']],
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
  ['a dropped not, typed in haste', 'She likes coffee.', ['i dont like coffee']],
  ['a dropped not in Japanese', '私は肉が好き', ['私は肉が好きではない。']],
  ['a dropped not in Chinese', '喜欢咖啡', ['我不喜欢咖啡。']],
  ['a dropped not in Arabic', 'أحب القهوة', ['لا أحب القهوة.']],
  ['a dropped not in Russian', 'Она любит кофе.', ['Я не люблю кофе.']],
  ['an end that is dropped', 'She likes coffee.', ['I gave up coffee.']],
  ['a name without capitals', '彼女は大阪に住んでいます。', ['彼女は東京に住んでいます。']],
])('is not said: %s', (_, sentence, texts) => {
  expect(grounded(sentence, ...texts)).toBe(false)
})
