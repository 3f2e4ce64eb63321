import { beforeEach, describe, expect, test } from 'bun:test'
import { inspect } from 'node:util'
import { type Reranker, RerankerUnavailableError } from './reranker.ts'

/** The conformance suite tells the server behind the reranker to behave so. */
export interface RerankProvider {
  /** Scores texts by the words that they share with the query. */
  judge(): void
  /** Fails in a way that may pass. */
  fail(): void
  /** Takes requests and never responds. */
  hang(): void
  /** Counts requests since the last instruction. */
  requests(): number
}

const QUERY = 'where does Ada live'
const TEXTS = ['Ben likes tea', 'Ada does live in Lisbon', 'Ada likes tea', 'nothing of it']

/** Tests that every reranker must pass. `create` makes a fresh one. */
export function rerankerConformance(name: string, provider: RerankProvider, create: () => Reranker): void {
  describe(`${name} as a reranker`, () => {
    let reranker: Reranker
    beforeEach(() => {
      provider.judge()
      reranker = create()
    })

    test('scores texts in their order, the better answer higher, and counts tokens', async () => {
      expect(reranker.available()).toBe(true)
      const { scores, tokens } = await reranker.score(QUERY, TEXTS)
      expect(scores).toHaveLength(TEXTS.length)
      expect(scores.indexOf(Math.max(...scores))).toBe(1)
      expect(scores[2]).toBeGreaterThan(scores[0] ?? 0)
      expect(tokens).toBeGreaterThan(0)
    })

    test('takes any number of any texts', async () => {
      expect(await reranker.score(QUERY, [])).toEqual({ scores: [], tokens: 0 })
      expect(provider.requests()).toBe(0)
      const strange = ['', '  ', '\0', '\ud800', 'x'.repeat(100_000), '東京']
      const many = [...strange, ...Array.from({ length: 100 }, (_, n) => `text ${n}`), TEXTS[1] ?? '']
      const { scores } = await reranker.score(QUERY, many)
      expect(scores).toHaveLength(107)
      expect(scores.indexOf(Math.max(...scores))).toBe(106)
      expect(scores.every(score => Number.isFinite(score))).toBe(true)
    })

    test('ends a call that takes longer than its caller waits', async () => {
      // There is never a response: a call that went on waiting would not end.
      provider.hang()
      expect(await rejection(reranker.score(QUERY, TEXTS, { timeoutMs: 30 }))).toBeInstanceOf(RerankerUnavailableError)
    })

    test('is left alone once it has failed several times, and no error holds a text', async () => {
      provider.fail()
      const errors: unknown[] = []
      for (let i = 0; i < 8; i++) errors.push(await rejection(reranker.score(QUERY, TEXTS)))
      for (const error of errors) {
        expect(error).toBeInstanceOf(RerankerUnavailableError)
        expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('Ada')
      }
      expect(reranker.available()).toBe(false)
      expect(provider.requests()).toBeLessThan(8)
    })
  })
}

export function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    error => error,
  )
}
