import { describe, expect, test } from 'bun:test'
import type { Candidate, CandidateSet, EngineQuery, SearchEngine } from './engine.ts'
import { inverseDocumentFrequency, stemsOf, withVariants } from './terms.ts'

const candidate = (positions: Record<string, number[]>): Candidate => ({
  ...({} satisfies Partial<Candidate> as Candidate),
  memoryId: 'm',
  positions: new Map(Object.entries(positions)),
})

function engineOf(set: CandidateSet) {
  const asked: (readonly string[])[] = []
  const inner = {
    candidates: async (_: unknown, query: EngineQuery) => {
      asked.push(query.terms)
      return set
    },
    tail: async () => [...set.candidates],
  } satisfies Partial<SearchEngine> as unknown as SearchEngine
  return { engine: withVariants(inner), asked }
}

const set: CandidateSet = {
  candidates: [candidate({ haus: [2, 7], hauser: [4, 7], tee: [1] })],
  total: 1,
  corpus: {
    documents: 5,
    averageLength: 3,
    hasPassages: false,
    documentFrequency: new Map([
      ['haus', 3],
      ['hauser', 4],
      ['tee', 1],
    ]),
  },
}
const query = (variants?: Map<string, string[]>) =>
  ({
    terms: ['hauser', 'tee'],
    ...(variants ? { variants } : {}),
  }) satisfies Partial<EngineQuery> as unknown as EngineQuery
const tx = undefined as never

describe('a term with variants', () => {
  test('is searched by all stems and reported as one, with each position once', async () => {
    const { engine, asked } = engineOf(set)
    const variants = new Map([['hauser', ['haus']]])
    const { candidates, corpus } = await engine.candidates(tx, query(variants))
    expect(asked).toEqual([['hauser', 'haus', 'tee']])
    expect(candidates[0]?.positions.get('hauser')).toEqual([2, 4, 7])
    expect(candidates[0]?.positions.get('tee')).toEqual([1])
    expect(corpus.documentFrequency.get('hauser')).toBe(5)
    expect((await engine.tail(tx, query(variants), []))[0]?.positions.get('hauser')).toEqual([2, 4, 7])
  })

  test('weighs less as a correction', async () => {
    const { engine, asked } = engineOf(set)
    const corrections = new Map([['hauser', ['haus']]])
    const { candidates, corpus } = await engine.candidates(tx, { ...query(), corrections })
    expect(asked).toEqual([['hauser', 'haus', 'tee']])
    expect(candidates[0]?.positions.get('hauser')).toEqual([2, 4, 7])
    const single = await engineOf({ ...set, corpus: { ...set.corpus, documents: 100 } }).engine.candidates(tx, {
      ...query(),
      corrections: new Map([['missing', ['tee']]]),
    })
    const weight = (term: string) =>
      inverseDocumentFrequency(single.corpus.documentFrequency.get(term) ?? 0, single.corpus.documents)
    expect(weight('missing') / weight('tee')).toBeCloseTo(0.7, 5)
    expect(corpus.documentFrequency.get('hauser')).toBeLessThanOrEqual(5)
  })

  test('tells the stems by which a memory contains it', async () => {
    const asked = query(new Map([['hauser', ['haus', 'house']]]))
    const { candidates } = await engineOf(set).engine.candidates(tx, asked)
    expect(candidates.map(({ positions }) => stemsOf('hauser', positions, asked))).toEqual([['hauser', 'haus']])
    const misspelt = { ...query(), corrections: new Map([['tea', ['tee']]]) }
    const { candidates: corrected } = await engineOf(set).engine.candidates(tx, misspelt)
    expect(corrected.map(({ positions }) => stemsOf('tea', positions, misspelt))).toEqual([['tee']])
    expect(corrected.map(({ positions }) => stemsOf('tee', positions, misspelt))).toEqual([['tee']])
  })

  test('changes nothing without variants', async () => {
    const { engine, asked } = engineOf(set)
    expect(await engine.candidates(tx, query())).toBe(set)
    expect(asked).toEqual([['hauser', 'tee']])
  })
})
