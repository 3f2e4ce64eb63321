import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Balance } from '../ranking/signal.ts'
import { fitBalance, type JudgedQuery, PRIORITY_MAX, QUERIES_MIN, RECENCY_MAX } from './fit.ts'

const DEFAULT: Balance = { recency: 0.08, priority: 0.12 }

interface Shown {
  readonly evidence: number
  /** The recency lies between 0 and 1. */
  readonly recency: number
  /** The priority is −1, 0 or 1. */
  readonly priority: number
}

/** Builds a result that is fixed except for the balance, scored like the ranker does. */
const shown = (memoryId: string, judgement: -1 | 0 | 1, { evidence, recency, priority }: Shown) => ({
  memoryId,
  judgement,
  score: (balance: Balance) => {
    const strength = evidence * (1 + balance.recency * recency + balance.priority * priority)
    return strength / (strength + 0.4)
  },
})

/** Simulates queries with ten results of similar evidence; the user likes those with the highest `prefers` and dislikes none. */
function simulated(count: number, seed: number, prefers: (one: Shown, random: () => number) => number): JudgedQuery[] {
  const random = generator(seed)
  return Array.from({ length: count }, (_, n) => {
    const results = Array.from({ length: 10 }, () => ({
      evidence: 0.4 + 0.2 * random(),
      recency: random(),
      priority: Math.floor(random() * 3) - 1,
    }))
    const values = results.map(result => prefers(result, random))
    const liked = values.indexOf(Math.max(...values))
    return {
      queryHash: `query ${String(n).padStart(4, '0')}`,
      results: results.map((result, at) => shown(`${n}/${at}`, at === liked ? 1 : 0, result)),
    }
  })
}

/** Mulberry32, a small generator with the same sequence on every platform. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe('fitBalance', () => {
  test('moves towards recency when newer memories are liked, and orders unseen queries better', () => {
    const queries = simulated(60, 1, ({ evidence, recency }) => evidence * (1 + 0.6 * recency))
    const fit = fitBalance(queries, DEFAULT, DEFAULT)
    expect(fit?.better).toBe(true)
    expect(fit?.balance.recency).toBeGreaterThan(0.25)
    expect(fit?.effect.after).toBeGreaterThan((fit?.effect.before ?? 1) + 0.03)
    const unseen = simulated(200, 2, ({ evidence, recency }) => evidence * (1 + 0.6 * recency))
    expect(agreement(unseen, fit?.balance ?? DEFAULT)).toBeGreaterThan(agreement(unseen, DEFAULT) + 0.03)
  })

  test('moves towards priority when important memories are liked', () => {
    const fit = fitBalance(
      simulated(60, 3, ({ evidence, priority }) => evidence * (1 + 0.4 * priority)),
      DEFAULT,
      DEFAULT,
    )
    expect([fit?.better, (fit?.balance.priority ?? 0) > 0.2]).toEqual([true, true])
  })

  test('gives age no weight when old memories are liked', () => {
    const fit = fitBalance(
      simulated(80, 4, ({ evidence, recency }) => evidence * (1 - 0.3 * recency)),
      { recency: 0.36, priority: 0 },
      DEFAULT,
    )
    expect([fit?.better, (fit?.balance.recency ?? 1) < 0.08]).toEqual([true, true])
  })

  test('ranks disliked results below the others', () => {
    const liked = simulated(60, 5, ({ recency }) => -recency)
    const disliked = liked.map(({ queryHash, results }) => ({
      queryHash,
      results: results.map(result => ({ ...result, judgement: result.judgement === 1 ? (-1 as const) : (0 as const) })),
    }))
    const fit = fitBalance(disliked, DEFAULT, DEFAULT)
    expect([fit?.better, (fit?.balance.recency ?? 0) > 0.15]).toEqual([true, true])
  })

  test('keeps the balance when signals are noise or agree with it', () => {
    const kept = Array.from({ length: 60 }, (_, seed) =>
      fitBalance(
        simulated(50, 100 + seed, (_shown, random) => random()),
        DEFAULT,
        DEFAULT,
      ),
    ).filter(fit => fit?.better)
    expect(kept.length).toBeLessThanOrEqual(2)
    const content = simulated(
      60,
      6,
      ({ evidence, recency, priority }) => evidence * (1 + 0.08 * recency + 0.12 * priority),
    )
    expect(fitBalance(content, DEFAULT, DEFAULT)?.better).toBe(false)
  })

  test('learns nothing from a memory that is liked for every query', () => {
    const queries = simulated(60, 1, ({ evidence, recency }) => evidence * (1 + 0.6 * recency)).map(query => ({
      ...query,
      results: query.results.map(result => (result.judgement === 1 ? { ...result, memoryId: 'favourite' } : result)),
    }))
    expect(fitBalance(queries, DEFAULT, DEFAULT)).toMatchObject({ better: false, effect: { queries: 60 } })
  })

  test('requires a number of queries, each with results to compare', () => {
    const queries = simulated(QUERIES_MIN - 1, 7, ({ recency }) => recency)
    const judgedAlone = { queryHash: 'alone', results: [shown('a', 1, { evidence: 1, recency: 1, priority: 0 })] }
    const unjudged = { queryHash: 'none', results: [shown('b', 0, { evidence: 1, recency: 1, priority: 0 })] }
    expect(fitBalance([...queries, judgedAlone, unjudged], DEFAULT, DEFAULT)).toBeUndefined()
    expect(fitBalance([], DEFAULT, DEFAULT)).toBeUndefined()
  })

  test('stays within its bounds and ignores the input order, for any signals', () => {
    const result = fc.record({
      evidence: fc.double({ min: 0, max: 5, noNaN: true }),
      recency: fc.double({ min: 0, max: 1, noNaN: true }),
      priority: fc.constantFrom(-1, 0, 1),
      judgement: fc.constantFrom(-1 as const, 0 as const, 1 as const),
      memory: fc.integer({ min: 0, max: 30 }),
    })
    const query = fc.array(result, { maxLength: 8 })
    fc.assert(
      fc.property(fc.array(query, { minLength: 10, maxLength: 25 }), drawn => {
        const queries = drawn.map((results, n) => ({
          queryHash: `${n}`,
          results: results.map(({ memory, judgement, ...parts }) => shown(`m${memory}`, judgement, parts)),
        }))
        const fit = fitBalance(queries, DEFAULT, DEFAULT)
        if (!fit) return
        expect(fit.balance.recency).toBeWithin(0, RECENCY_MAX + 1e-9)
        expect(fit.balance.priority).toBeWithin(0, PRIORITY_MAX + 1e-9)
        expect(fit.effect.before).toBeWithin(0, 1 + 1e-9)
        expect(fit.effect.after).toBeWithin(0, 1 + 1e-9)
        expect(fitBalance(queries.toReversed(), DEFAULT, DEFAULT)).toEqual(fit)
      }),
      { numRuns: 40 },
    )
  })
})

/** Measures the share of queries whose liked result comes first. */
function agreement(queries: readonly JudgedQuery[], balance: Balance): number {
  const right = queries.filter(({ results }) => {
    const scores = results.map(result => result.score(balance))
    return results[scores.indexOf(Math.max(...scores))]?.judgement === 1
  })
  return right.length / queries.length
}
