import { describe, expect, test } from 'bun:test'
import { memoryWorld } from '../world.test-support.ts'
import { clearMemories, removeMemories } from './remove.ts'

async function absorb(world: Awaited<ReturnType<typeof memoryWorld>>, survivor: string, absorbed: string) {
  await world.tenant.transaction(
    tx => tx`update memories.memory set live = false, consolidated_into = ${survivor} where id = ${absorbed}`,
  )
}

describe('removal', () => {
  test('takes along what its survivor absorbs at that moment', async () => {
    const { tenant, scope, create } = await memoryWorld({ idle: true })
    const { workspaceId, transaction } = tenant
    const [survivor, other] = [await create({ text: 'survivor' }), await create({ text: 'other' })]
    const held = Promise.withResolvers<void>()
    const merging = transaction(async tx => {
      await tx`select from memories.memory where id = ${survivor.id} for update`
      held.resolve()
      // Lets the removal come as far as this lock; on the embedded database it begins after this transaction.
      for (let n = 0; n < 100; n++) await tx`select ${n}::int`
      await tx`update memories.memory set live = false, consolidated_into = ${survivor.id} where id = ${other.id}`
    })
    await held.promise
    const removed = await transaction(tx => removeMemories(tx, scope, workspaceId, [survivor.id]))
    await merging
    expect(removed.map(({ id }) => id).sort()).toEqual([survivor.id, other.id].sort())
    expect(await transaction(tx => tx`select from memories.memory`)).toHaveLength(0)
  })

  test('of all memories of a user goes in parts, whatever absorbed what', async () => {
    const world = await memoryWorld({ idle: true })
    const { tenant, scope, create, published } = world
    const ids: string[] = []
    for (let n = 0; n < 7; n++) ids.push((await create({ text: `note ${n}`, userId: 'ada' })).id)
    await create({ text: 'of another', userId: 'bob' })
    await absorb(world, ids[0] ?? '', ids[5] ?? '')
    await absorb(world, ids[6] ?? '', ids[1] ?? '')
    const ada = { userId: 'ada', agentId: undefined, sessionId: undefined }
    await tenant.transaction(tx => clearMemories(tx, scope, tenant.workspaceId, ada, 2))
    const left = await tenant.transaction(tx => tx<{ text: string }[]>`select text from memories.memory`)
    expect(left.map(({ text }) => text)).toEqual(['of another'])
    const deleted = published.filter(({ kind }) => kind === 'memory.deleted').flatMap(({ data }) => data.ids)
    expect(deleted.toSorted()).toEqual(ids.toSorted())
  })
})
