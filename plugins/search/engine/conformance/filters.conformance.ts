import { beforeAll, describe, expect, test } from 'bun:test'
import { plainArray } from 'mneme/plugin'
import type { AddedFilter, MemoryFilter, MetadataCondition } from '../../../memories/contract.ts'
import { Corpus, type EngineWorld } from './corpus.test-support.ts'

const NEAR = [1, 0]
const WAYS = [
  ['words', { mode: 'keyword' as const }],
  ['words and meaning', { vector: NEAR }],
  ['meaning', { vector: NEAR, query: 'zebra' }],
] as const

/** Every filter must hold in every mode. */
export function filtersConformance(world: () => EngineWorld): void {
  describe('filters', () => {
    let corpus: Corpus
    beforeAll(async () => {
      const now = Date.now()
      corpus = await Corpus.of(
        world(),
        {
          text: 'note a',
          vector: NEAR,
          fields: {
            userId: 'ada',
            agentId: 'x',
            sessionId: 's1',
            priority: 'HIGH',
            categories: ['work', 'tea, green'],
            metadata: {
              ...{ n: 5, kind: 'mail', tags: ['p', 'q'], deep: { 'odd key': true }, none: null },
              ...{ 'k8s.pod': 'web', 'v1.2.3': [7, 8], k8s: { pod: 'api' } },
            },
            createdAt: new Date('2026-01-01T00:00:00.000Z'),
          },
        },
        {
          text: 'note b',
          vector: NEAR,
          fields: {
            userId: 'bob',
            sessionId: 's1',
            priority: 'LOW',
            categories: ['home'],
            metadata: { n: '5', kind: 'chat', day: '2026-02-03', k8s: { pod: 'web' }, 'k8s.node': null },
            createdAt: new Date('2026-02-01T00:00:00.000Z'),
            expiresAt: new Date(now + 3_600_000),
          },
        },
        { text: 'note c', vector: NEAR, fields: { createdAt: new Date('2026-03-01T00:00:00.000Z') } },
        { text: 'note expired', vector: NEAR, fields: { expiresAt: new Date(now - 1000) } },
      )
    })

    const cases: [string, MemoryFilter, string[]][] = [
      ['nothing', {}, ['a', 'b', 'c']],
      ['userId', { userId: 'ada' }, ['a', 'c']],
      ['agentId', { agentId: 'x' }, ['a']],
      ['sessionId', { sessionId: 's1' }, ['a', 'b']],
      ['priorities', { priorities: ['HIGH', 'LOW'] }, ['a', 'b']],
      ['categories', { categories: ['tea, green', 'none'] }, ['a']],
      ['createdAfter', { createdAfter: new Date('2026-02-01T00:00:00.000Z') }, ['b', 'c']],
      ['createdBefore', { createdBefore: new Date('2026-02-01T00:00:00.000Z') }, ['a', 'b']],
      ['no ids', { added: [{ names: ['ids'], passing: { ids: [] } }] }, []],
      ['all together', { userId: 'ada', sessionId: 's1', priorities: ['LOW'] }, []],
    ]
    for (const [way, { ...question }] of WAYS) {
      test.each(cases)(`by ${way}: %s`, async (_, filter, expected) => {
        const query = 'query' in question ? question.query : 'note'
        expect(await corpus.found(query, { ...question, filter })).toEqual(expected.map(name => `note ${name}`))
      })

      test(`by ${way}: ids`, async () => {
        const query = 'query' in question ? question.query : 'note'
        const filter = { added: [listing(corpus.idsOf('note b', 'note expired'))] }
        expect(await corpus.found(query, { ...question, filter })).toEqual(['note b'])
      })

      test(`by ${way}: ids that a statement selects, few or many, with or without repeats`, async () => {
        const query = 'query' in question ? question.query : 'note'
        const some = corpus.idsOf('note b', 'note b', 'note expired')
        for (const unknownIds of [0, 600]) {
          const filter = { added: [selecting(some, unknownIds)] }
          expect(await corpus.found(query, { ...question, filter })).toEqual(['note b'])
        }
        const both = {
          added: [selecting(corpus.idsOf('note a', 'note b'), 600), listing(corpus.idsOf('note a', 'note c'))],
        }
        expect(await corpus.found(query, { ...question, filter: both })).toEqual(['note a'])
      })
    }

    const metadata: [string, MetadataCondition, string[]][] = [
      ['a number is not a text', { path: ['n'], op: 'eq', value: 5 }, ['a']],
      ['a text is not a number', { path: ['n'], op: 'eq', value: '5' }, ['b']],
      ['an array counts by its items', { path: ['tags'], op: 'eq', value: 'q' }, ['a']],
      ['keys lead into objects', { path: ['deep', 'odd key'], op: 'eq', value: true }, ['a']],
      ['null is a value', { path: ['none'], op: 'eq', value: null }, ['a']],
      ['ne holds where the key is missing', { path: ['kind'], op: 'ne', value: 'mail' }, ['b', 'c']],
      ['gt compares numbers', { path: ['n'], op: 'gt', value: 4.5 }, ['a']],
      ['gte includes the end', { path: ['n'], op: 'gte', value: 5 }, ['a']],
      ['lt excludes the end', { path: ['n'], op: 'lt', value: 5 }, []],
      ['lte compares texts', { path: ['day'], op: 'lte', value: '2026-02-03' }, ['b']],
      ['in takes any of several', { path: ['kind'], op: 'in', value: ['chat', 'mail', 3] }, ['a', 'b']],
      ['in takes any of many', { path: ['kind'], op: 'in', value: ['a', 'b', 'c', 'd', 'e', 'chat'] }, ['b']],
      ['in of many counts items of arrays', { path: ['tags'], op: 'in', value: [1, 2, 3, 4, 5, 'q'] }, ['a']],
      ['in of many tells types apart', { path: ['n'], op: 'in', value: [1, 2, 3, 4, '4', '5'] }, ['b']],
      ['in of many takes null', { path: ['none'], op: 'in', value: [1, 2, 3, 4, 5, null] }, ['a']],
      ['exists', { path: ['none'], op: 'exists', value: true }, ['a']],
      ['exists false', { path: ['kind'], op: 'exists', value: false }, ['c']],
      ['a dotted key is one key or leads into objects', { path: ['k8s', 'pod'], op: 'eq', value: 'web' }, ['a', 'b']],
      ['the one key comes first', { path: ['k8s', 'pod'], op: 'eq', value: 'api' }, []],
      ['the one key comes first in ne', { path: ['k8s', 'pod'], op: 'ne', value: 'api' }, ['a', 'b', 'c']],
      ['a dotted key in an in', { path: ['k8s', 'pod'], op: 'in', value: ['web', 'api'] }, ['a', 'b']],
      ['a dotted key in an in of many', { path: ['k8s', 'pod'], op: 'in', value: [1, 2, 3, 4, 'api', 'x'] }, []],
      ['in of many by either way', { path: ['k8s', 'pod'], op: 'in', value: [1, 2, 3, 4, 'web'] }, ['a', 'b']],
      ['items of an array under a dotted key', { path: ['v1', '2', '3'], op: 'gt', value: 7 }, ['a']],
      ['null under a dotted key', { path: ['k8s', 'node'], op: 'exists', value: true }, ['b']],
      ['a dotted key that is missing', { path: ['k8s', 'node'], op: 'exists', value: false }, ['a', 'c']],
      ['quotes in a key stay a key', { path: ['" ? (true) || $."n'], op: 'exists', value: true }, []],
    ]
    for (const [way, question] of WAYS) {
      test.each(metadata)(`by ${way}: %s`, async (_, condition, expected) => {
        const query = 'query' in question ? question.query : 'note'
        const found = await corpus.found(query, { ...question, filter: { metadata: [condition] } })
        expect(found).toEqual(expected.map(name => `note ${name}`))
      })
    }
  })
}

/** Documents may get another session and other metadata, and keep their words and vectors. */
export function amendmentConformance(world: () => EngineWorld): void {
  test('amended documents are found by their new session and metadata, in all modes as before', async () => {
    const before = { sessionId: 's1', metadata: { place: 1 } }
    const corpus = await Corpus.of(
      world(),
      { text: 'note a', vector: NEAR, fields: before },
      { text: 'note b', vector: NEAR, fields: before },
      { text: 'note c', vector: NEAR, fields: { sessionId: 's2' } },
    )
    const [memoryId = ''] = corpus.idsOf('note a')
    const amended = { memoryId, sessionId: 's2', metadata: { place: 7 }, saidAt: null, happenedAt: null }
    const unknown = { ...amended, memoryId: corpus.workspaceId }
    await corpus.write((tx, engine) => engine.amend(tx, corpus.workspaceId, [amended, unknown]))
    for (const [, question] of WAYS) {
      const query = 'query' in question ? question.query : 'note'
      const found = (filter: MemoryFilter) => corpus.found(query, { ...question, filter })
      expect(await found({ sessionId: 's2' })).toEqual(['note a', 'note c'])
      expect(await found({ sessionId: 's1' })).toEqual(['note b'])
      expect(await found({ metadata: [{ path: ['place'], op: 'eq', value: 7 }] })).toEqual(['note a'])
    }
    const query = corpus.query('note', { vector: NEAR })
    const { candidates } = await corpus.read(tx => world().engine.features(tx, query, [memoryId]))
    expect(candidates[0]).toMatchObject({ sessionId: 's2', sessionPosition: 1 })
  })
}

/** Builds a filter of another plugin that lists the passing memories. */
function listing(ids: readonly string[]): AddedFilter {
  return { names: ['listed'], passing: { ids } }
}

/** Builds a filter with a statement that selects these memories and some ids that do not exist. */
function selecting(ids: readonly string[], unknownIds: number): AddedFilter {
  return {
    names: ['selected'],
    passing: {
      select: tx => tx`
        select unnest(${plainArray(ids)}::uuid[])
        union all
        select gen_random_uuid() from generate_series(1, ${unknownIds}::int)`,
    },
  }
}
