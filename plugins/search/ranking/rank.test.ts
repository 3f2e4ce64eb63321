import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY_MS } from 'mneme/plugin'
import type { Candidate } from '../engine/engine.ts'
import { CORPUS, candidate, context, NOW } from './candidates.test-support.ts'
import { rank, recompute } from './rank.ts'
import { SIGNALS } from './signals.ts'

const order = (candidates: readonly Candidate[], fields = {}) =>
  rank(candidates, context(fields)).map(ranked => ranked.candidate.memoryId)

const anyCandidate: fc.Arbitrary<Candidate> = fc
  .record({
    memoryId: fc.uuid(),
    cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
    tea: fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 5 }),
    length: fc.integer({ min: 1, max: 5000 }),
    age: fc.integer({ min: -1000, max: 10_000_000 }),
    priority: fc.constantFrom('LOW' as const, 'MEDIUM' as const, 'HIGH' as const),
    place: fc.option(fc.integer({ min: 0, max: 5 })),
  })
  .map(({ memoryId, cosine, tea, length, age, priority, place }) =>
    candidate(memoryId, {
      cosine,
      positions: tea.length > 0 ? new Map([['tea', tea]]) : new Map(),
      length,
      statedAt: new Date(NOW.getTime() - age * 1000),
      priority,
      sessionId: place === null ? null : 's',
      sessionPosition: place,
    }),
  )
const candidates = fc.uniqueArray(anyCandidate, { selector: ({ memoryId }) => memoryId, maxLength: 30 })
const mode = fc.constantFrom('hybrid' as const, 'semantic' as const, 'keyword' as const)

const WEIGHTS = Object.fromEntries(SIGNALS.map(({ id, weight }) => [id, weight]))

describe('rank', () => {
  test('the parts of every result reproduce its score exactly', () => {
    fc.assert(
      fc.property(candidates, mode, (given, mode) => {
        const asked = context({ mode })
        for (const { score, parts } of rank(given, asked)) expect(recompute(parts, asked.balance)).toBe(score)
      }),
    )
  })

  test('evidence against all results still orders them, above 0', () => {
    const worse = candidate('worse', { cosine: -0.4, statedAt: NOW })
    const better = candidate('better', { cosine: -0.1, statedAt: new Date(NOW.getTime() - 1000 * DAY_MS) })
    const ranked = rank([worse, better], context())
    expect(ranked.map(({ candidate }) => candidate.memoryId)).toEqual(['better', 'worse'])
    expect(ranked.at(-1)?.score).toBeGreaterThan(0.001)
  })

  test('scores lie above 0 and below 1 and descend; the order does not depend on the input order', () => {
    fc.assert(
      fc.property(candidates, mode, (given, mode) => {
        const ranked = rank(given, context({ mode }))
        expect(ranked).toHaveLength(given.length)
        for (const [index, { score }] of ranked.entries()) {
          expect(score).toBeGreaterThan(0)
          expect(score).toBeLessThan(1)
          expect(score).toBeLessThanOrEqual(ranked[index - 1]?.score ?? 1)
        }
        expect(order([...given].reverse(), { mode })).toEqual(ranked.map(({ candidate }) => candidate.memoryId))
      }),
    )
  })

  test('weights to try replace those of the product, but for keyword mode', () => {
    const [near, told] = [candidate('near', { cosine: 0.6 }), candidate('told', { cosine: 0.5, positions: new Map([['tea', [1]]]) })] // biome-ignore format: a row
    const byMeaning = { ...WEIGHTS, words: 0, coverage: 0 }
    expect(order([near, told])).toEqual(['told', 'near'])
    expect(order([near, told], { tried: byMeaning })).toEqual(['near', 'told'])
    const found = (tried: typeof WEIGHTS) => rank([told], context({ mode: 'keyword', tried }))
    expect(found(byMeaning)).toEqual(found(WEIGHTS))
  })

  test('a ceiling bounds the scores and leaves the order as it is without one', () => {
    const ranked = rank(
      Object.entries({ d: 0.3, a: 0.9, c: 0.5, b: 0.7 }).map(([id, cosine]) => candidate(id, { cosine })),
      context({ ceiling: 0.1 }),
    )
    expect(ranked.map(({ candidate }) => candidate.memoryId)).toEqual(['a', 'b', 'c', 'd'])
    expect(ranked[0]?.score).toBe(0.1)
  })

  test('words and meaning together rank above either alone', () => {
    const both = candidate('both', { cosine: 0.5, positions: new Map([['tea', [1]]]) })
    const words = candidate('words', { cosine: 0.2, positions: new Map([['tea', [1]]]) })
    const meaning = candidate('meaning', { cosine: 0.5 })
    expect(order([meaning, words, both])[0]).toBe('both')
    expect(order([meaning, words, both], { mode: 'semantic' }).at(-1)).toBe('words')
  })

  test('a rare word counts for more than a common one', () => {
    const rare = candidate('rare', { positions: new Map([['tea', [1]]]) })
    const common = candidate('common', { positions: new Map([['drink', [1, 2]]]) })
    expect(order([common, rare])).toEqual(['rare', 'common'])
  })

  test('equal results are ordered by priority, then by age', () => {
    const same = { cosine: 0.5 }
    const low = candidate('low', { ...same, priority: 'LOW' })
    const medium = candidate('medium', same)
    const high = candidate('high', { ...same, priority: 'HIGH' })
    const newer = candidate('newer', { ...same, statedAt: NOW })
    expect(order([low, medium, high, newer])).toEqual(['high', 'newer', 'medium', 'low'])
  })

  test('neither age nor priority raises an unrelated memory above a relevant one', () => {
    const answer = candidate('answer', { cosine: 0.6, priority: 'LOW', statedAt: new Date('2020-01-01') })
    const aside = candidate('aside', { cosine: 0.4, priority: 'HIGH', statedAt: NOW })
    expect(order([aside, answer])).toEqual(['answer', 'aside'])
  })

  test('session neighbours of a relevant memory rank above other memories', () => {
    const turn = (id: string, cosine: number, sessionPosition: number, sessionId = 's') =>
      candidate(id, { cosine, sessionId, sessionPosition })
    const beside = turn('beside', 0.3, 4)
    const elsewhere = turn('elsewhere', 0.3, 4, 'other')
    expect(order([elsewhere, beside, turn('answer', 0.7, 3)])).toEqual(['answer', 'beside', 'elsewhere'])
  })

  test('a long text takes less support from its session than a short one', () => {
    const support = (length: number) => {
      const given = [
        candidate('near', { cosine: 0.7, sessionId: 's', sessionPosition: 0 }),
        candidate('this', { cosine: 0.3, sessionId: 's', sessionPosition: 1, length }),
      ]
      const parts = rank(given, context()).find(({ candidate }) => candidate.memoryId === 'this')?.parts
      return [parts?.neighbours[0]?.weight ?? 0, parts?.session?.weight ?? 0]
    }
    const [page, message] = [support(800), support(10)]
    for (const [at, weight] of page.entries()) {
      expect(weight).toBeGreaterThan(0)
      expect(weight).toBeLessThan((message[at] ?? 0) / 4)
    }
  })

  test('many words in common by chance do not outweigh meaning, however long query and text are', () => {
    const terms = Array.from({ length: 40 }, (_, n) => `word${n}`)
    const corpus = { ...CORPUS, documentFrequency: new Map(terms.map(term => [term, 300])) }
    const holding = (count: number) => new Map(terms.slice(0, count).map((term, n) => [term, [n + 1]]))
    const answer = candidate('answer', { cosine: 0.7, positions: holding(10), length: 60 })
    const others = Array.from({ length: 60 }, (_, n) =>
      candidate(`other${n}`, { cosine: 0.3, positions: holding(12 + (n % 9)), length: 900 }),
    )
    const clauses = terms.map(term => [[term]])
    expect(order([...others, answer], { terms, clauses, corpus })[0]).toBe('answer')
  })

  test('only a first result with every term is raised to a highly relevant score', () => {
    const all = candidate('all', {
      positions: new Map([
        ['tea', [1]],
        ['drink', [2]],
      ]),
      length: 900,
    })
    const corpus = {
      ...CORPUS,
      documents: 3,
      documentFrequency: new Map([
        ['tea', 3],
        ['drink', 3],
      ]),
    }
    const [first] = rank([all], context({ corpus }))
    expect(first?.score).toBe(0.66)
    expect(first?.parts.lifted).toBe(true)
    const [partial] = rank(
      [candidate('part', { positions: new Map([['drink', [2]]]), length: 900 })],
      context({ corpus }),
    )
    expect(partial?.score).toBeLessThan(0.66)
  })

  test('expansion words count, but less than query words', () => {
    const own = candidate('own', { positions: new Map([['tea', [1]]]) })
    const added = candidate('added', { positions: new Map([['mug', [1]]]) })
    const nothing = candidate('nothing')
    const corpus = { ...CORPUS, documentFrequency: new Map([...CORPUS.documentFrequency, ['mug', 3]]) }
    expect(order([nothing, added, own], { related: ['mug'], corpus })).toEqual(['own', 'added', 'nothing'])
  })
})
