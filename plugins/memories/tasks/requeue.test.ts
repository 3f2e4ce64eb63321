import { describe, expect, test } from 'bun:test'
import type { NewJob } from 'mneme/plugin'
import { memoryWorld } from '../world.test-support.ts'
import { requeueTask } from './requeue.ts'

async function requeue(scope: unknown): Promise<void> {
  await requeueTask.run({
    payload: {},
    scope,
    attempt: 1,
    maxAttempts: 5,
    signal: new AbortController().signal,
  } as never)
}

describe('memories:requeue', () => {
  test('queues stalled memories again, once, at the place of their waiting time', async () => {
    const { scope, tenant, create, enqueued } = await memoryWorld({ idle: true })
    const [pending, processing] = [await create({ text: 'pending' }), await create({ text: 'processing' })]
    for (const text of ['recent', 'completed', 'failed', 'absorbed']) await create({ text })
    const quiet = new Date(Date.now() - 121_000)
    await tenant.transaction(async tx => {
      await tx`update memories.memory set progress_at = ${quiet} where text <> 'recent'`
      await tx`update memories.memory set status = upper(text) where text in ('processing', 'completed', 'failed')`
      await tx`update memories.memory set live = false where text = 'absorbed'`
    })
    enqueued.length = 0
    await requeue(scope)
    await requeue(scope)
    const own = enqueued.filter(job => job.payload.workspace_id === tenant.workspaceId)
    expect(own.map(job => job.payload.memory_id).sort()).toEqual([pending.id, processing.id].sort())
    for (const job of own) {
      expect(job).toMatchObject({
        task: 'memories:process',
        key: `memories:process:${job.payload.memory_id}`,
        payload: { revision: 1 },
        runAt: quiet,
      })
    }
  })

  test('queues a memory at once whose progress was noted by a clock that was ahead', async () => {
    const { scope, tenant, create, enqueued } = await memoryWorld({ idle: true })
    const { id } = await create({ text: 'ahead' })
    await tenant.transaction(tx => tx`update memories.memory set progress_at = now() + interval '1 day'`)
    enqueued.length = 0
    await requeue(scope)
    const own = enqueued.filter(job => job.payload.memory_id === id)
    expect(own.map(({ runAt }) => (runAt?.getTime() ?? Number.NaN) < Date.now() + 60_000)).toEqual([true])
  })

  test('leaves out a memory that it fails on, for all others of all workspaces', async () => {
    const worlds = [await memoryWorld({ idle: true }), await memoryWorld({ idle: true })]
    const stalled = []
    for (const { create, tenant } of worlds) {
      for (const text of ['one', 'two', 'three']) stalled.push(await create({ text }))
      await tenant.transaction(tx => tx`update memories.memory set progress_at = now() - interval '3 minutes'`)
    }
    const bad = stalled[1]?.id
    const queued: unknown[] = []
    const jobs = {
      enqueue: async (_: unknown, some: readonly NewJob[]) => {
        if (some.some(({ payload }) => payload.memory_id === bad)) throw new Error('it cannot be queued')
        queued.push(...some.map(({ payload }) => payload.memory_id))
      },
    }
    const scope = { ...worlds[0]?.scope, jobs }
    await requeue(scope)
    const good = stalled.map(({ id }) => id).filter(id => id !== bad)
    expect(queued.filter(id => good.includes(String(id))).toSorted()).toEqual(good.toSorted())
    queued.length = 0
    await requeue(scope)
    expect(queued).toEqual([])
  })
})
