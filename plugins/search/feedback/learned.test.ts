import { beforeAll, describe, expect, test } from 'bun:test'
import type { Database } from 'mneme/plugin'
import { v7 } from 'uuid'
import { service } from '../../../test/support/service.ts'
import type { FeedbackSignal } from '../../memories/contract.ts'
import { storedVectorType, type VectorType } from '../engine/postgres/embeddings.ts'
import { resetBalance } from '../learning/balance-store.ts'
import { DEFAULT_BALANCE } from '../ranking/signals.ts'
import { deleteSignals, Learned, type LearnedForQuery, marksOf, recordSignal } from './feedback.ts'

let database: Database
let type: VectorType

beforeAll(async () => {
  ;({ database } = await service())
  type = await storedVectorType(database)
})

const MODEL = 32_000
/** Builds a vector with the given cosine to the first axis. */
const vector = (cosine: number) => ({
  model: MODEL,
  values: Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2)),
})

function world(learned = new Learned(type), workspaceId = v7()) {
  const write = <T>(work: Parameters<Database['workspace']>[1]) => database.workspace(workspaceId, work) as Promise<T>
  return {
    workspaceId,
    write,
    async give(memoryId: string, queryHash: string | null, options: { cosine?: number; query?: string } = {}) {
      const signal: FeedbackSignal = { workspaceId, memoryId, queryHash, signal: 'POSITIVE' }
      const { cosine, query = '' } = options
      const known =
        cosine === undefined ? undefined : { model: MODEL, vector: vector(cosine).values, marks: marksOf(query) }
      await database.workspace(workspaceId, async tx => {
        learned.changed(workspaceId)
        await recordSignal(tx, type, signal, known, new Date())
      })
    },
    ask: (queryHash: string, cosine?: number, query = '') =>
      database.workspace(workspaceId, tx =>
        learned.load(tx, {
          workspaceId,
          query,
          queryHash,
          ...(cosine === undefined ? {} : { vector: vector(cosine) }),
        }),
      ),
    general: (ids: readonly string[]) =>
      database.workspace(workspaceId, async tx =>
        learned.forMemories(tx, workspaceId, await learned.load(tx, { workspaceId, query: '', queryHash: 'x' }), ids),
      ),
    count: (table: string) =>
      database.workspace(workspaceId, async tx => {
        const [row] = await tx<{ count: number }[]>`
          select count(*) as count from ${tx.unsafe(table)} where workspace_id = ${workspaceId}`
        return row?.count
      }),
  }
}

describe('Learned', () => {
  test('knows a query by a vector of 4,096 dimensions', async () => {
    const { workspaceId, write } = world()
    const values = Float32Array.from({ length: 4096 }, (_, n) => Math.sin(n) / Math.sqrt(2048))
    const [memoryId, model] = [v7(), MODEL]
    await write(tx =>
      recordSignal(
        tx,
        type,
        { workspaceId, memoryId, queryHash: 'q1', signal: 'POSITIVE' },
        { model, vector: values, marks: marksOf('') },
        new Date(),
      ),
    )
    const learned = await write<LearnedForQuery>(tx =>
      new Learned(type).load(tx, { workspaceId, query: '', queryHash: 'q2', vector: { model, values } }),
    )
    expect([...learned.signals.keys()]).toEqual([memoryId])
  })

  test('applies a signal from the next search on, to that query and to similar ones by similarity', async () => {
    const { give, ask } = world()
    const [asked, other] = [v7(), v7()]
    expect((await ask('q1', 1)).signals.size).toBe(0)
    await give(asked, 'q1', { cosine: 1 })
    await give(other, 'q2', { cosine: 0.1 })
    expect([...(await ask('q1', 1)).signals]).toEqual([[asked, 0.5]])
    const similar = (await ask('q3', 0.9)).signals
    expect([...similar.keys()]).toEqual([asked])
    expect(similar.get(asked)).toBeWithin(0.3, 0.5)
    expect((await ask('q4', 0.7)).signals.size).toBe(0)
    expect((await ask('q1')).signals.get(asked)).toBe(0.5)
    expect((await ask('q3')).signals.size).toBe(0)
  })

  test('never treats queries with different numbers as similar', async () => {
    const { give, ask } = world()
    const memory = v7()
    await give(memory, 'q1', { cosine: 1, query: 'ticket 4711' })
    expect((await ask('q2', 0.95, 'ticket 4712')).signals.size).toBe(0)
    expect((await ask('q3', 0.95, 'the ticket 4711')).signals.size).toBe(1)
  })

  test('applies signals without a query to the given memories, with a low weight', async () => {
    const { give, ask, general } = world()
    const [memory, other] = [v7(), v7()]
    expect((await general([memory])).size).toBe(0)
    await give(memory, null)
    await give(memory, null)
    await give(other, null)
    expect(await ask('x', 1)).toMatchObject({ hasGeneral: true, signals: new Map() })
    const signals = await general([memory])
    expect([...signals.keys()]).toEqual([memory])
    expect(signals.get(memory)).toBeWithin(0.01, 0.2)
  })

  test('sends no statement for a workspace without learned feedback', async () => {
    const { ask, workspaceId } = world()
    const learned = new Learned(type)
    await ask('x')
    const query = { workspaceId, query: '', queryHash: 'x' }
    await database.workspace(workspaceId, tx => learned.load(tx, query))
    const dead = undefined as never
    expect(await learned.load(dead, query)).toEqual({
      balance: DEFAULT_BALANCE,
      hasSignals: false,
      hasGeneral: false,
      signals: new Map(),
    } as never)
  })

  test('caches nothing read while a signal was being written', async () => {
    const learned = new Learned(type)
    const { workspaceId, ask, give } = world(learned)
    await database.workspace(workspaceId, async () => {
      // A listener calls this before its transaction commits, so a search in between sees nothing yet.
      learned.changed(workspaceId)
    })
    expect((await ask('q', 1)).signals.size).toBe(0)
    const [memory, elsewhere] = [v7(), world(new Learned(type), workspaceId)]
    await elsewhere.give(memory, 'q', { cosine: 1 })
    expect((await ask('q', 1)).signals.size).toBe(1)
    await give(memory, 'q')
    expect((await ask('q', 1)).signals.get(memory)).toBeCloseTo(2 / 3)
  })

  test('reveals nothing to another workspace', async () => {
    const [mine, theirs] = [world(), world()]
    await mine.give(v7(), 'q', { cosine: 1 })
    await mine.give(v7(), null)
    expect(await theirs.ask('q', 1)).toMatchObject({ hasGeneral: false, signals: new Map() })
  })

  test('reads a balance, and its reset, at once', async () => {
    const learned = new Learned(type)
    const { workspaceId, ask, write } = world(learned)
    expect((await ask('q')).balance).toEqual(DEFAULT_BALANCE)
    learned.changed(workspaceId)
    await write(
      tx => tx`insert into search.balance (workspace_id, recency, priority) values (${workspaceId}, 0.36, 0.03)`,
    )
    expect((await ask('q')).balance).toEqual({ recency: 0.36, priority: 0.03 })
    learned.changed(workspaceId)
    await write(tx => resetBalance(tx, workspaceId, new Date()))
    expect((await ask('q')).balance).toEqual(DEFAULT_BALANCE)
  })
})

describe('deleteSignals', () => {
  test('deletes signals and queries with the memory, and keeps queries that other memories share', async () => {
    const { workspaceId, give, ask, write, count } = world()
    const [gone, stays] = [v7(), v7()]
    await give(gone, 'shared', { cosine: 1 })
    await give(stays, 'shared', { cosine: 1 })
    await give(gone, 'own', { cosine: 0.2 })
    await give(gone, null)
    await write(tx => deleteSignals(tx, workspaceId, [gone]))
    expect([...(await ask('shared', 1)).signals.keys()]).toEqual([stays])
    expect(await count('search.feedback')).toBe(1)
    expect(await count('search.feedback_query')).toBe(1)
  })
})
