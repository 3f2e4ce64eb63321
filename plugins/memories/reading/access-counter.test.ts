import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { fail } from '../../../core/errors.ts'
import { memoryWorld } from '../world.test-support.ts'
import { AccessCounter } from './access-counter.ts'

describe('AccessCounter', () => {
  test('sums reads of many workspaces and skips deleted memories', async () => {
    const [one, two] = [await memoryWorld(), await memoryWorld()]
    const [a, b] = [await one.create({ text: 'a' }), await two.create({ text: 'b' })]
    const { accesses } = one.scope
    accesses.count(one.tenant.workspaceId, [a.id, a.id, randomUUID()])
    accesses.count(two.tenant.workspaceId, [b.id])
    // A count for a memory of another workspace must be ignored.
    accesses.count(one.tenant.workspaceId, [b.id])
    await accesses.flush()
    await accesses.flush()
    expect((await one.shown(a.id)).access_count).toBe(2)
    expect((await two.shown(b.id)).access_count).toBe(1)
  })

  test('keeps unwritten counts for the next flush while the database is away', async () => {
    const { scope, tenant, create, shown } = await memoryWorld()
    const memory = await create({ text: 'a' })
    let away = true
    const lost = Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' })
    const counter = new AccessCounter({
      workspace: (id, work) =>
        away ? Promise.reject(fail('SERVICE_UNAVAILABLE', { cause: lost })) : scope.database.workspace(id, work),
    })
    counter.count(tenant.workspaceId, [memory.id])
    await expect(counter.flush()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    away = false
    counter.count(tenant.workspaceId, [memory.id])
    await counter.flush()
    expect((await shown(memory.id)).access_count).toBe(2)
  })

  test('drops the counts that the database refuses, and writes those of other workspaces', async () => {
    const [one, two] = [await memoryWorld(), await memoryWorld()]
    const [a, b] = [await one.create({ text: 'a' }), await two.create({ text: 'b' })]
    const refused = new Set([one.tenant.workspaceId])
    const counter = new AccessCounter({
      workspace: (id, work) =>
        refused.has(id) ? Promise.reject(new Error('a bad row')) : one.scope.database.workspace(id, work),
    })
    counter.count(one.tenant.workspaceId, [a.id])
    counter.count(two.tenant.workspaceId, [b.id])
    await expect(counter.flush()).rejects.toThrow('could not be counted')
    expect((await two.shown(b.id)).access_count).toBe(1)
    refused.clear()
    await counter.flush()
    expect((await one.shown(a.id)).access_count).toBe(0)
  })

  test('concurrent flushes over the same memories do not deadlock', async () => {
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
