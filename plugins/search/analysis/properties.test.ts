import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { normalizeText } from 'mneme/plugin'
import { analyze, termCounts } from './analyze.ts'
import { type MatchingDatabase, openMatchingDatabase, PREFIX } from './matching.test-support.ts'
import { parseQuery, queryTerms } from './parse-query.ts'
import { toAnyTsquery, toKeywordTsquery, toTsvector } from './tsvector.ts'

// The embedded database takes seconds to start on a busy machine.
setDefaultTimeout(30_000)

let database: MatchingDatabase
beforeAll(async () => {
  database = await openMatchingDatabase()
})
afterAll(() => database.close())

const RUNS = { numRuns: 300 }

/** Generates any UTF-16, including lone surrogates, NUL and controls. */
const anyUtf16 = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map(units => String.fromCharCode(...units))
const syntax = fc
  .array(
    fc.constantFrom(
      '"',
      "'",
      '\\',
      '-',
      ' ',
      'OR',
      '(',
      ')',
      ':',
      '*',
      '&',
      '|',
      '!',
      '<->',
      '‡1',
      '“',
      '”',
      '「',
      '」',
      'word',
      'Ab1',
      'é',
      '日本',
      '\u0000',
      '\ud800',
      '🍕',
      'กิน',
      '.',
      '#',
      '++',
      ',',
      '1,000',
      "n't",
      '\u0301',
    ),
    { maxLength: 25 },
  )
  .map(parts => parts.join(''))
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), anyUtf16, syntax)

/** Generates a piece without white space that is neither an operator nor a quotation. */
const chunk = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.stringMatching(/^[a-zA-Z]{1,9}$/),
    fc.stringMatching(/^[#@.$]?[a-zA-Z]{1,5}([._/:@+-]{1,2}[a-zA-Z0-9]{1,5}){1,3}[+#%]?$/),
    fc.stringMatching(/^v?[0-9]{1,3}([.,][0-9]{1,3}){1,3}[a-z]?$/),
    fc.stringMatching(/^[a-z]{1,4}([A-Z][a-z]{0,4}|[0-9]{1,3}){1,4}$/),
    fc.constantFrom(
      '東京で',
      '食べ物',
      '학교에서',
      'กินข้าว',
      'книги',
      'מילה',
      'किताबें',
      "don't",
      "Anna's",
      'iPhoneの',
      '5月',
    ),
  )
  .map(text => normalizeText(text))
  .filter(text => text.length > 0 && !/[\s\p{C}"“”„«»「」『』]/u.test(text) && !/^[\p{Ps}\p{Pe}]*-/u.test(text))
  .filter(text => text !== 'OR' && text !== 'AND')
const searchable = chunk.filter(text => parseQuery(text).clauses.length > 0)
const surroundings = fc.array(chunk, { maxLength: 6 })

const finds = async (query: string, text: string) => (await database.findAll([query], text))[0]

describe('any text and any query', () => {
  test('render to literals that Postgres accepts', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (text, search) => {
        const vector = toTsvector(analyze(text), PREFIX)
        const query = parseQuery(search)
        const terms = queryTerms(query).terms.map(({ term }) => term)
        const rendered = [toKeywordTsquery(query, PREFIX), toAnyTsquery(terms, PREFIX)]
        expect(await database.evaluate(vector, rendered)).toHaveLength(rendered.length)
      }),
      { numRuns: 600 },
    )
  })

  test('have positions from 1 to the length of the text, and surfaces in lower case', () => {
    fc.assert(
      fc.property(anyText, text => {
        const { tokens, length } = analyze(text)
        for (const { position, stem, surface, role } of tokens) {
          expect(position).toBeWithin(1, length + 1)
          expect(stem).not.toBe('')
          if (role !== 'alias' && role !== 'part') expect(surface).not.toBe('')
          expect(surface).toBe(surface.toLowerCase())
        }
      }),
      { numRuns: 3_000 },
    )
  })

  test('are stemmed the same way: a text contains every term of itself as a query', () => {
    fc.assert(
      fc.property(searchable, word => {
        const counts = termCounts(analyze(word))
        for (const { term } of queryTerms(parseQuery(word)).terms) expect(counts.has(term)).toBe(true)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('keyword mode', () => {
  test('finds a text by any of its words', async () => {
    await fc.assert(
      fc.asyncProperty(surroundings, searchable, surroundings, async (before, word, after) => {
        expect(await finds(word, [...before, word, ...after].join(' '))).toBe(true)
      }),
      RUNS,
    )
  })

  test('finds a text by any of its words in quotes', async () => {
    await fc.assert(
      fc.asyncProperty(surroundings, searchable, surroundings, async (before, word, after) => {
        expect(await finds(`"${word}"`, [...before, word, ...after].join(' '))).toBe(true)
      }),
      RUNS,
    )
  })

  test('finds a text by a phrase of consecutive words', async () => {
    await fc.assert(
      fc.asyncProperty(
        surroundings,
        fc.array(searchable, { minLength: 2, maxLength: 5 }),
        surroundings,
        async (before, words, after) => {
          const phrase = words.join(' ')
          expect(await finds(`"${phrase}"`, [...before, phrase, ...after].join('\n'))).toBe(true)
        },
      ),
      RUNS,
    )
  })

  test('finds a run without spaces by any part of it', async () => {
    const script = fc.constantFrom(
      '東京都北海道日本語学校',
      'ひらがなカタカナー',
      '가나다라마바사학교',
      'กขคงะาำิี่้์',
      'ກຂຄງະາ',
      'កខគឃាិ',
      'ကခဂဃာိ',
      '𠮷𠀋中文',
    )
    const run = script.chain(letters =>
      fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 30 }).map(all => all.join('').normalize('NFKC')),
    )
    await fc.assert(
      fc.asyncProperty(run, fc.nat(), fc.nat(), async (text, a, b) => {
        const characters = Array.from(text)
        const from = a % characters.length
        const part = characters.slice(from, from + 1 + (b % (characters.length - from))).join('')
        fc.pre(!/^\p{M}+$/u.test(part))
        expect(await finds(part, `x ${text} y`)).toBe(true)
      }),
      RUNS,
    )
  })

  test('hides a text by any of its words excluded', async () => {
    await fc.assert(
      fc.asyncProperty(surroundings, searchable, surroundings, async (before, word, after) => {
        expect(await finds(`-${word}`, [...before, word, ...after].join(' '))).toBe(false)
        expect(await finds(`-"${word}"`, [...before, word, ...after].join(' '))).toBe(false)
      }),
      RUNS,
    )
  })
})
