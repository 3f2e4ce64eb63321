import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DATES, type Frames, NAMES, NEGATIONS, NUMBERS } from './frames.test-support.ts'
import { contentOf, saysTheSame } from './judge.ts'

/** One hole filled in two ways. */
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
    fc.property(pairs(frames), changes, changes, ([one, other], first, second) => {
      const [a, b] = [first(one), second(other)]
      expect([a, b, saysTheSame(a, b), saysTheSame(b, a)]).toEqual([a, b, false, false])
    }),
    { numRuns: 400 },
  )
}

/** Ways to write a text differently that change nothing of what it says. */
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

describe('texts stay apart, in both directions, that differ in exactly one', () => {
  for (const [kind, all] of Object.entries({ number: NUMBERS, date: DATES, name: NAMES, negation: NEGATIONS })) {
    for (const [language, frames] of Object.entries(all)) test(`${kind} (${language})`, () => staysApart(frames))
  }
})

describe('texts say the same', () => {
  test('however they are written', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATEMENTS), changes, changes, (text, first, second) => {
        const [a, b] = [first(text), second(text)]
        expect([a, b, saysTheSame(a, b), saysTheSame(b, a)]).toEqual([a, b, true, true])
      }),
      { numRuns: 1000 },
    )
  })

  test('in small and in capital letters', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATEMENTS), fc.constantFrom(...CASES), changes, (text, cased, change) => {
        const other = cased(change(text))
        expect([text, other, saysTheSame(text, other)]).toEqual([text, other, true])
      }),
    )
  })
})

describe('any two texts', () => {
  const anyText = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.lorem())

  test('are judged alike from both sides, and a text with content says the same as itself', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(saysTheSame(a, b)).toBe(saysTheSame(b, a))
        expect(saysTheSame(a, a)).toBe(contentOf(a) !== undefined)
      }),
      { numRuns: 500 },
    )
  })

  test('that say the same hold the same digits in the same order', () => {
    const digits = (text: string) => text.normalize('NFKC').match(/\p{N}/gu)?.join('') ?? ''
    const words = fc.array(fc.constantFrom('a', 'the', '1', '-1', '1.5', '15', '10', '.', ',', '0', "'s", 'A', '('), {
      maxLength: 6,
    })
    const spaced = fc.tuple(words, fc.constantFrom('', ' ')).map(([list, gap]) => list.join(gap))
    fc.assert(
      fc.property(spaced, spaced, (a, b) => {
        if (saysTheSame(a, b)) expect(digits(a)).toBe(digits(b))
      }),
      { numRuns: 3000 },
    )
  })
})
