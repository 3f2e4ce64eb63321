import { beforeAll, describe, expect, test } from 'bun:test'
import { v7 } from 'uuid'
import { NATIVE_URL } from '../../../../test/support/database.ts'
import type { Candidate, EngineQuery } from '../engine.ts'
import { openPostgresEngine, type PostgresEngine } from './index.ts'
import { fillIndexed, MEMORIES, SOON } from './indexed.test-support.ts'

// The embedded database has no HNSW indexes.
if (NATIVE_URL !== undefined)
  describe('an HNSW index', () => {
    const workspaceId = v7()
    let world: Awaited<ReturnType<typeof fillIndexed>>
    beforeAll(async () => {
      world = await fillIndexed(workspaceId)
      await world.indexed.upkeep()
      await world.indexed.indexesBuilt()
    })

    test('is built, and the planner uses it', async () => {
      expect(await world.explain()).toContain(`embedding_near_${world.model}`)
    })

    test('is built once', async () => {
      await world.indexed.upkeep()
      await world.indexed.indexesBuilt()
      const again = await openPostgresEngine(world.database, { paysFrom: SOON })
      await again.upkeep()
      expect(await world.explain()).toContain(`embedding_near_${world.model}`)
    })

    const filters: [string, EngineQuery['filter']][] = [
      ['nothing', {}],
      ['a user with half of them', { userId: 'half' }],
      ['a user with one in a hundred', { userId: 'few' }],
      ['a category with a tenth', { categories: ['tenth'] }],
      ['a category that is rare', { categories: ['rare'] }],
      ['a time of a third', { createdAfter: new Date('2026-01-21T00:00:00.000Z') }],
      ['metadata', { metadata: [{ path: ['even'], op: 'eq', value: true }] }],
      ['a category of none', { categories: ['none'] }],
    ]
    test.each(filters)(
      'behind %s proposes the nearest 20 of an exact scan, as many, with the same total',
      async (_, filter) => {
        let found = 0
        let wanted = 0
        for (let n = 0; n < 10; n++) {
          const query = world.query(`question ${n}`, n, filter)
          const [exact, indexed] = await Promise.all([world.ask(world.exact, query), world.ask(world.indexed, query)])
          const nearest = (candidates: readonly Candidate[]) =>
            [...candidates].sort((a, b) => (b.cosine ?? -1) - (a.cosine ?? -1)).map(({ memoryId }) => memoryId)
          const proposed = new Set(nearest(indexed.candidates))
          const best = nearest(exact.candidates).slice(0, 20)
          wanted += best.length
          found += best.filter(id => proposed.has(id)).length
          expect(indexed.candidates.length).toBe(exact.candidates.length)
          expect(indexed.total).toBe(exact.total)
        }
        expect(found).toBeGreaterThanOrEqual(0.98 * wanted)
      },
    )

    test.each([
      ['all memories', {}],
      ['a user', { userId: 'half' }],
      ['a category', { categories: ['tenth'] }],
    ] as [string, EngineQuery['filter']][])('over passages finds the nearest of %s', async (_, filter) => {
      const [index] = await world.database.system(
        tx => tx`select from pg_class where pg_class.relname = ${`passage_near_${world.model}`}`,
      )
      expect(index).toBeDefined()
      const nearest = async (engine: PostgresEngine, query: EngineQuery) => {
        const found = await world.database.workspace(workspaceId, tx => engine.nearestPassages(tx, query))
        return [...found].sort(([, a], [, b]) => b.cosine - a.cosine).map(([id]) => id)
      }
      let found = 0
      let wanted = 0
      for (let n = 0; n < 10; n++) {
        const query = world.query('zebra', n, filter)
        const [exact, indexed] = await Promise.all([nearest(world.exact, query), nearest(world.indexed, query)])
        expect(indexed.length).toBe(exact.length)
        const best = exact.slice(0, 20)
        wanted += best.length
        found += best.filter(id => indexed.includes(id)).length
      }
      expect(found).toBeGreaterThanOrEqual(0.98 * wanted)
    })

    test('over passages pays by the number of passages', async () => {
      await world.database.maintain('analyze search.passage')
      const asked: number[] = []
      const paysFrom = (rows: number) => {
        asked.push(rows)
        return 1_000_000
      }
      const engine = await openPostgresEngine(world.database, { paysFrom })
      await engine.upkeep()
      expect(Math.max(...asked)).toBeGreaterThanOrEqual(2 * MEMORIES)
    })

    test('the total is exact when few are near', async () => {
      for (const floor of [0.6, 0.9, 0.97, 0.995]) {
        const query = world.query('zebra', 3, {}, floor)
        const [exact, indexed] = await Promise.all([world.ask(world.exact, query), world.ask(world.indexed, query)])
        expect(indexed.total).toBe(exact.total)
        expect(indexed.candidates.length).toBe(exact.candidates.length)
      }
    })

    test('head and tail together are every match once', async () => {
      const query = world.query('zebra', 5, { userId: 'half' }, 0.7)
      const { candidates, total } = await world.ask(world.indexed, query)
      const head = candidates.map(({ memoryId }) => memoryId)
      const tail = await world.database.workspace(workspaceId, tx => world.indexed.tail(tx, query, head))
      const all = new Set([...head, ...tail.map(({ memoryId }) => memoryId)])
      expect(all.size).toBe(total)
      expect(head.length + tail.length).toBe(total)
    })

    test('a deleted memory is not retrieved, a new one is', async () => {
      const query = world.query('zebra', 7, {})
      const [nearest] = (await world.ask(world.indexed, query)).candidates
      await world.database.workspace(workspaceId, tx =>
        world.indexed.remove(tx, workspaceId, [nearest?.memoryId ?? '']),
      )
      const [id = ''] = await world.add(query.vector?.values ?? new Float32Array())
      const ids = (await world.ask(world.indexed, query)).candidates.map(({ memoryId }) => memoryId)
      expect(ids).not.toContain(nearest?.memoryId)
      expect(ids).toContain(id)
    })
  })
