import { describe, expect, test } from 'bun:test'
import { extend, type Tx } from 'mneme/plugin'
import { service } from '../../../test/support/service.ts'
import { type MemoryRecord, memoryWriteHooks } from '../contract.ts'
import { clearMemories } from '../removing/remove.ts'
import { memoryWorld } from '../world.test-support.ts'
import { announceDeleted, announceExpired, announceUpdated } from './announce.ts'

function notingHook() {
  const calls: [string, unknown][] = []
  const texts = (memories: readonly MemoryRecord[]) => memories.map(memory => memory.text)
  const hook = {
    id: 'noting',
    created: async (_: Tx, memories: readonly MemoryRecord[]) => void calls.push(['created', texts(memories)]),
    updated: async (_: Tx, memories: readonly MemoryRecord[]) => void calls.push(['updated', texts(memories)]),
    removed: async (_: Tx, __: string, ids: readonly string[]) => void calls.push(['removed', [...ids].sort()]),
  }
  return { calls, extensions: [extend(memoryWriteHooks, hook)] }
}

describe('the effects of a write', () => {
  test('a creation runs hooks, publishes an event without the text, and queues one job keyed by the memory', async () => {
    const { calls, extensions } = notingHook()
    const { create, published, enqueued, tenant } = await memoryWorld({ extensions })
    const { id } = await create({ text: 'a secret', userId: 'ada' })
    expect(calls).toEqual([['created', ['a secret']]])
    expect(published).toEqual([
      {
        kind: 'memory.created',
        workspaceId: tenant.workspaceId,
        subjectId: id,
        userId: 'ada',
        data: { id, user_id: 'ada', status: 'PENDING', revision: 1 },
      },
    ])
    expect(enqueued).toEqual([
      {
        priority: 0,
        task: 'memories:process',
        key: `memories:process:${id}`,
        payload: { workspace_id: tenant.workspaceId, memory_id: id, revision: 1, characters: expect.any(Number) },
      },
    ])
  })

  test('a hook that fails rolls the creation back', async () => {
    const failing = extend(memoryWriteHooks, {
      id: 'failing',
      created: async (tx: Tx) => void (await tx`select 1 / 0`),
      updated: async () => undefined,
      removed: async () => undefined,
    })
    const { create, client } = await memoryWorld({ extensions: [failing] })
    await expect(create({ text: 'a' })).rejects.toThrow('division by zero')
    expect((await client.get('/v1/memories')).body.total).toBe(0)
  })

  test('a batch reports only stored memories', async () => {
    const { calls, extensions } = notingHook()
    const { create, createAll, kinds, enqueued } = await memoryWorld({ extensions })
    await create({ text: 'known' })
    await createAll(['known', 'a', 'b'])
    expect(calls).toEqual([
      ['created', ['known']],
      ['created', ['a', 'b']],
    ])
    expect(kinds()).toEqual(Array(3).fill('memory.created'))
    expect(enqueued.map(({ task }) => task)).toEqual(['memories:process', 'memories:process-batch'])
    expect(enqueued[1]?.payload.memories).toHaveLength(2)
  })

  test('a deletion passes every deleted id to hooks, and publishes one event for many', async () => {
    const { calls, extensions } = notingHook()
    const { create, scope, tenant, published } = await memoryWorld({ extensions })
    const ids = [(await create({ text: 'a', userId: 'u' })).id, (await create({ text: 'b', userId: 'u' })).id].sort()
    await tenant.transaction(tx =>
      clearMemories(tx, scope, tenant.workspaceId, { userId: 'u', agentId: undefined, sessionId: undefined }),
    )
    expect(calls.at(-1)).toEqual(['removed', ids])
    const [event] = published.filter(({ kind }) => kind === 'memory.deleted')
    expect(event).toMatchObject({ subjectId: null, userId: 'u', data: { id: null, user_id: 'u', count: 2 } })
    expect(event?.data.ids).toBeArrayOfSize(2)
    expect(event?.data.ids).toEqual(expect.arrayContaining(ids))
  })

  test('hooks of changes and removals run one after another, so that two transactions never deadlock', async () => {
    const steps: string[] = []
    // Each hook needs several statements to take all its locks.
    const slow = (id: string) => {
      const lock = async (tx: Tx) => {
        for (const step of ['begins', 'goes on', 'ends']) {
          await tx`select 1`
          steps.push(`${id} ${step}`)
        }
      }
      return extend(memoryWriteHooks, { id, created: async () => undefined, updated: lock, removed: lock })
    }
    const { create, scope, tenant } = await memoryWorld({ extensions: [slow('first'), slow('second')] })
    const memory = await create({ text: 'a' })
    const callInOrder = ['first', 'second'].flatMap(name =>
      ['begins', 'goes on', 'ends'].map(step => `${name} ${step}`),
    )
    await tenant.transaction(tx => announceUpdated(tx, scope, memory, [], new Map()))
    await tenant.transaction(tx => announceDeleted(tx, scope, tenant.workspaceId, [memory]))
    await tenant.transaction(tx => announceExpired(tx, scope, tenant.workspaceId, [memory]))
    expect(steps).toEqual([...callInOrder, ...callInOrder, ...callInOrder])
  })

  test('a deletion of thousands publishes events of at most 500 ids, most of them about one user', async () => {
    const { scope, tenant, published } = await memoryWorld()
    const removed = Array.from({ length: 1200 }, (_, n) => ({ id: crypto.randomUUID(), userId: `u${n % 2}` }))
    await tenant.transaction(tx => announceDeleted(tx, scope, tenant.workspaceId, removed))
    expect(published.map(event => [event.userId, event.data.count])).toEqual([
      ['u0', 500],
      [null, 500],
      ['u1', 200],
    ])
  })

  test('an update names changed fields, and publishes nothing without any', async () => {
    const { create, client } = await memoryWorld()
    const { id } = await create({ text: 'a' })
    const [same, other] = [{ memory: 'a' }, { memory: 'b', priority: 'HIGH', categories: [], metadata: { k: 1 } }]
    await client.put(`/v1/memories/${id}`, same)
    await client.put(`/v1/memories/${id}`, other)
    const events = await updatedEvents(id)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      id,
      user_id: 'default',
      status: 'PENDING',
      priority: 'HIGH',
      revision: 3,
      changed: ['memory', 'priority', 'metadata'],
    })
    expect(JSON.stringify(events)).not.toContain('"b"')
  })
})

async function updatedEvents(id: string): Promise<Record<string, unknown>[]> {
  const { database } = await service()
  const rows = await database.system(
    tx => tx<{ data: Record<string, unknown> }[]>`
      select data from core.event where kind = 'memory.updated' and subject_id = ${id}`,
  )
  return rows.map(row => row.data)
}
