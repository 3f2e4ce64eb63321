import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ADVERBS, BASE_VERBS, PAST_VERBS, UNCHANGED_VERBS } from './lexicons/grammar.ts'
import { thirdPersonOf, toldOfUser } from './third-person.ts'

describe('what users say of themselves is told of them', () => {
  test.each([
    ['I moved to Berlin in March 2024.', 'The user moved to Berlin in March 2024.'],
    ["I'm allergic to peanuts.", 'The user is allergic to peanuts.'],
    ["I don't eat meat, but I love sushi.", "The user doesn't eat meat, but the user loves sushi."],
    ["I've been learning German for six months.", 'The user has been learning German for six months.'],
    ["I'd rather take the train than fly.", 'The user would rather take the train than fly.'],
    ['I usually go for a walk after dinner.', 'The user usually goes for a walk after dinner.'],
    ["I won't travel in August.", "The user won't travel in August."],
    ['I am 34 years old.', 'The user is 34 years old.'],
    ['I do not eat pork or drink wine.', 'The user does not eat pork or drink wine.'],
    ['I no longer live in Rome.', 'The user no longer lives in Rome.'],
    ['My cat Tom died.', "The user's cat Tom died."],
    ['I broke my wrist in 2019.', 'The user broke their wrist in 2019.'],
    ['My ex-husband Pablo lives in Valencia.', "The user's ex-husband Pablo lives in Valencia."],
    ['My name is Ana and I live in Rome.', "The user's name is Ana and the user lives in Rome."],
    // "Their" would be Ana's and Tom's.
    ['I met Ana and Tom at my house.', "The user met Ana and Tom at the user's house."],
    ['I hate it when my colleagues call me.', 'The user hates it when their colleagues call the user.'],
  ])('%s', (said, told) => {
    expect(toldOfUser(said)).toBe(told)
  })
})

describe('what is not certain stays word for word', () => {
  test.each([
    // Somebody else's words, talk with the reader, several people.
    'I said "I love Mondays".',
    'I want you to answer in German.',
    'We have two kids.',
    'I told them that they should come.',
    'Aiko and I met in college.',
    'My wife and I live in Rome.',
    // Names and numerals.
    'My Fair Lady is the best musical.',
    'I Love Lucy is an old show.',
    'I know that World War I started in 1914.',
    'I live at 12 My Street.',
    // Verbs whose time or form is not certain.
    'I read before bed.',
    'I put salt into coffee.',
    "I'd been to Rome before.",
    'I live in Rome and work in Milan.',
    'I can cook and love baking.',
    'I get up at 6, run 5 km and shower.',
    'I work in a mine.',
    // Several sentences, and other languages.
    'I moved. It was hard.',
    'My mieszkamy w Warszawie.',
    'My tea.',
    'I ragazzi sono qui.',
    'Ada likes tea.',
    'i like tea',
  ])('%s', said => {
    expect(toldOfUser(said)).toBe(said)
  })
})

const NAMES = [
  'Ana',
  'Initech',
  'São Paulo',
  'Q3',
  '4471',
  '2,400 euros',
  '10 am',
  'C++',
  'v4.1.12',
  'src/queue.ts',
  'a@b.org',
]
const SMALL = [
  'not',
  'never',
  "isn't",
  'without',
  'because',
  'who',
  'and',
  'but',
  'or',
  'to',
  'in',
  'with',
  'if',
  'no',
  'than',
]
const NOUNS = [
  'tea',
  'cats',
  'type',
  'my',
  'me',
  'myself',
  'I',
  "I'm",
  "I've",
  "I'll",
  "I don't",
  'colleagues',
  'a',
  'mine',
  'may',
]
const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NOUNS, ...NAMES, ...SMALL) },
  fc.constantFrom(...BASE_VERBS, ...PAST_VERBS, ...UNCHANGED_VERBS, ...ADVERBS),
)
const head = fc.constantFrom(
  'I',
  "I'm",
  "I've",
  "I'd",
  "I'll",
  'I am',
  "I don't",
  'I have',
  'My dog is',
  'My tea',
  'I, who',
)

test('no word, name, number or negation is lost, added or moved', () => {
  let told = 0
  fc.assert(
    fc.property(head, fc.array(word, { minLength: 1, maxLength: 9 }), (first, rest) => {
      const said = `${[first, ...rest].join(' ')}.`
      const other = toldOfUser(said)
      if (other === said) return
      told++
      const [before, after] = [plain(said), plain(other)]
      expect([said, other, after.length]).toEqual([said, other, before.length])
      for (const [n, word] of before.entries())
        expect([said, other, formsOf(word)]).toEqual([said, other, expect.arrayContaining([after[n]])])
    }),
    { numRuns: 20_000, seed: 7 },
  )
  expect(told).toBeGreaterThan(500)
})

/** Words without whom they are about. */
function plain(text: string): string[] {
  return text
    .replace(/\bI'm\b/g, 'am')
    .replace(/\bI've\b/g, 'have')
    .replace(/\bI'll\b/g, 'will')
    .replace(/\bI'd\b/g, 'would')
    .replace(/\b[Tt]he user(?:'s)?(?![\w'])|(?<![\w'@./])(?:I|[Mm]y|me|myself|their|them|themselves)(?![\w'@/])/g, '')
    .split(' ')
    .filter(Boolean)
}

const IRREGULAR: Readonly<Record<string, string>> = { am: 'is', have: 'has', do: 'does', "don't": "doesn't" }

function formsOf(word: string): string[] {
  const [, letters = '', end = ''] = /^(.*?)([.]?)$/.exec(word) ?? []
  return [letters, IRREGULAR[letters] ?? letters, thirdPersonOf(letters)].map(form => form + end)
}
