import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DATES, type Frames, NAMES, NEGATIONS, NUMBERS } from './frames.test-support.ts'
import { isNearDuplicate, normalizedContent } from './near-duplicate.ts'

/** Generates two sentences from one frame with different fillings. */
function pairs(frames: Frames): fc.Arbitrary<[string, string]> {
  return fc
    .tuple(
      fc.constantFrom(...frames.frames),
      fc.uniqueArray(fc.constantFrom(...frames.fillings), { minLength: 2, maxLength: 2 }),
    )
    .map(([frame, [one = '', other = '']]) => [frame.replace('_', one), frame.replace('_', other)])
}

function staysApart(frames: Frames): void {
  fc.assert(
    fc.property(pairs(frames), rewritings, rewritings, ([one, other], first, second) => {
      const [a, b] = [first(one), second(other)]
      expect([a, b, isNearDuplicate(a, b), isNearDuplicate(b, a)]).toEqual([a, b, false, false])
    }),
    { numRuns: 400 },
  )
}

/** Each change rewrites a text without changing its statement. */
const CHANGES: readonly ((text: string) => string)[] = [
  text => text,
  text => `${text.replace(/[.。]$/, '')}.`,
  text => `${text.replace(/[.。]$/, '')}!!`,
  text => `  ${text.replaceAll(' ', ' \t ')}\n`,
  text => `"${text.replace(/[.。]$/, '')}."`,
  text => `${text.replace(/[.。]$/, '')}, thanks`,
  text => `${text.replace(/[.。]$/, '')}. Merci !`,
  text => `Please note that ${text}`,
  text => text.replaceAll("'", '’'),
  text => text.normalize('NFD'),
]
const CASES: readonly ((text: string) => string)[] = [
  text => text,
  text => text.toLowerCase(),
  text => text.toUpperCase(),
]

const changes = fc
  .uniqueArray(fc.constantFrom(...CHANGES), { maxLength: 3 })
  .map(list => (text: string) => list.reduce((result, change) => change(result), text))

/** Words of emphasis count beside a negation, so these rewrite statements that two texts do not have in common. */
const STRESSES: readonly ((text: string) => string)[] = [
  text => text,
  text => text.replace(' ', ' really '),
  text => `Honestly, ${text}`,
  text => `${text.replace(/[.。]$/, '')}, truly`,
  text => `In the summer, ${text}`,
  text => `${text.replace(/[.。]$/, '')}, in the summer`,
]

const rewritings = fc.tuple(changes, fc.constantFrom(...STRESSES)).map(
  ([change, stress]) =>
    (text: string) =>
      change(stress(text)),
)

const STATEMENTS = [
  'Ada prefers dark mode in every editor',
  'my brother works at a bakery in Lyon',
  "I don't eat meat and I'm allergic to nuts",
  'Ich trinke morgens gerne grünen Tee',
  'Wir ziehen am Montag nach Köln um',
  "J'habite à Évry avec ma sœur",
  'Vivo en Córdoba y trabajo de noche',
  '私は毎朝コーヒーを飲みます',
  'أحب الشاي في الصباح',
  'She left Acme in 2019, but kept 3 shares',
]

describe('texts are not near-duplicates, in either direction, if they differ in exactly one', () => {
  for (const [kind, all] of Object.entries({ number: NUMBERS, date: DATES, name: NAMES, negation: NEGATIONS })) {
    for (const [language, frames] of Object.entries(all)) test(`${kind} (${language})`, () => staysApart(frames))
  }
})

describe('texts are near-duplicates', () => {
  test('in any spelling', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATEMENTS), changes, changes, (text, first, second) => {
        const [a, b] = [first(text), second(text)]
        expect([a, b, isNearDuplicate(a, b), isNearDuplicate(b, a)]).toEqual([a, b, true, true])
      }),
      { numRuns: 1000 },
    )
  })

  test('in lower and upper case', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATEMENTS), fc.constantFrom(...CASES), changes, (text, cased, change) => {
        const other = cased(change(text))
        expect([text, other, isNearDuplicate(text, other)]).toEqual([text, other, true])
      }),
    )
  })
})

test('texts are near-duplicates whatever marks of sentences stand behind their words', () => {
  const plain = [
    'my brother works at a bakery',
    'nora drinks her coffee black with milk',
    'ich trinke gerne grünen tee',
  ]
  const mark = fc.constantFrom('', '', ',', ';', ':', '.', '!', '?!', '…', '"')
  const marks = fc.array(mark, { minLength: 7, maxLength: 7 })
  fc.assert(
    fc.property(fc.constantFrom(...plain), marks, marks, (text, one, other) => {
      const marked = (by: readonly string[]) =>
        text
          .split(' ')
          .map((word, n) => word + by[n])
          .join(' ')
      const [a, b] = [marked(one), marked(other)]
      expect([a, b, isNearDuplicate(a, b)]).toEqual([a, b, true])
    }),
    { numRuns: 500 },
  )
})

describe('a plain statement', () => {
  const plain = fc.constantFrom('Ada prefers dark mode', 'my brother works at a bakery', 'we keep bees in Lyon')

  test('is a near-duplicate of itself with emphasis, and with its time at the beginning or the end', () => {
    const moved = fc.constantFrom(
      (text: string) => `In the summer, ${text}`,
      (text: string) => `${text} in the summer`,
      (text: string) => `${text}, in the summer.`,
      (text: string) => `In the summer, ${text.replace(' ', ' really ')}!`,
      (text: string) => `Truly, ${text} in the summer`,
    )
    fc.assert(
      fc.property(plain, moved, moved, changes, (text, first, second, change) => {
        const [a, b] = [first(text), change(second(text))]
        expect([a, b, isNearDuplicate(a, b), isNearDuplicate(b, a)]).toEqual([a, b, true, true])
      }),
    )
  })
})

describe('any two texts', () => {
  const anyText = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.lorem())

  test('are compared symmetrically, and a text with content is its own near-duplicate', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(isNearDuplicate(a, b)).toBe(isNearDuplicate(b, a))
        expect(isNearDuplicate(a, a)).toBe(normalizedContent(a) !== undefined)
      }),
      { numRuns: 500 },
    )
  })

  test('that are near-duplicates contain the same digits in the same order', () => {
    const digits = (text: string) => text.normalize('NFKC').match(/\p{N}/gu)?.join('') ?? ''
    const words = fc.array(fc.constantFrom('a', 'the', '1', '-1', '1.5', '15', '10', '.', ',', '0', "'s", 'A', '('), {
      maxLength: 6,
    })
    const spaced = fc.tuple(words, fc.constantFrom('', ' ')).map(([list, gap]) => list.join(gap))
    fc.assert(
      fc.property(spaced, spaced, (a, b) => {
        if (isNearDuplicate(a, b)) expect(digits(a)).toBe(digits(b))
      }),
      { numRuns: 3000 },
    )
  })
})
