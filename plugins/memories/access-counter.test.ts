import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { AccessCounter } from './access-counter.ts'
import { memoryWorld } from './world.test-support.ts'

describe('AccessCounter', () => {
  test('adds up reads of many workspaces and skips what is gone', async () => {
    const [one, two] = [await memoryWorld(), await memoryWorld()]
    const [a, b] = [await one.create({ text: 'a' }), await two.create({ text: 'b' })]
    const { accesses } = one.scope
    accesses.count(one.tenant.workspaceId, [a.id, a.id, randomUUID()])
    accesses.count(two.tenant.workspaceId, [b.id])
    // Another workspace's memory is not this workspace's to count.
    accesses.count(one.tenant.workspaceId, [b.id])
    await accesses.flush()
    await accesses.flush()
    expect((await one.shown(a.id)).access_count).toBe(2)
    expect((await two.shown(b.id)).access_count).toBe(1)
  })

  test('keeps what it could not write for the next flush', async () => {
    const { scope, tenant, create, shown } = await memoryWorld()
    const memory = await create({ text: 'a' })
    let away = true
    const counter = new AccessCounter({
      workspace: (id, work) => (away ? Promise.reject(new Error('away')) : scope.database.workspace(id, work)),
    })
    counter.count(tenant.workspaceId, [memory.id])
    await expect(counter.flush()).rejects.toThrow('away')
    away = false
    counter.count(tenant.workspaceId, [memory.id])
    await counter.flush()
    expect((await shown(memory.id)).access_count).toBe(2)
  })

  test('concurrent flushes over the same memories do not wait for one another in a circle', async () => {
    const { scope, tenant, create, shown } = await memoryWorld()
    const memories = await Promise.all(Array.from({ length: 30 }, (_, n) => create({ text: `m${n}` })))
    const ids = memories.map(memory => memory.id)
    const counters = [1, 2].map(() => new AccessCounter(scope.database))
    for (let round = 0; round < 10; round++) {
      counters[0]?.count(tenant.workspaceId, ids)
      counters[1]?.count(tenant.workspaceId, ids.toReversed())
      await Promise.all(counters.map(counter => counter.flush()))
    }
    expect((await shown(ids[0] ?? '')).access_count).toBe(20)
  })
})
