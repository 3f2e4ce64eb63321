import { describe, expect, test } from 'bun:test'
import { extend, type Tx } from 'mneme/plugin'
import { purge, retentionsOf } from '../../../test/support/retention.ts'
import { reactivate, storeMerges } from '../consolidation/store.ts'
import { type MemoryRecord, memoryWriteHooks } from '../contract.ts'
import { memoriesPlugin } from '../index.ts'
import { markExpired } from '../queries/expiry.ts'
import { updateMemory } from '../queries/update.ts'
import { memoryWorld } from '../world.test-support.ts'
import { removeMemories } from './remove.ts'

type Call = ['erased' | 'removed', readonly string[]]

/** A world with a hook that hears of erased texts. */
async function world() {
  const calls: Call[] = []
  const hook = {
    id: 'noting',
    created: async () => undefined,
    updated: async () => undefined,
    erased: async (_: Tx, __: string, texts: readonly string[]) => void calls.push(['erased', texts.toSorted()]),
    removed: async (_: Tx, __: string, ids: readonly string[]) => void calls.push(['removed', ids.toSorted()]),
  }
  const made = await memoryWorld({ extensions: [extend(memoryWriteHooks, hook)], idle: true })
  const { scope, tenant } = made
  const { workspaceId, transaction } = tenant
  const change = { priority: undefined, categories: undefined, metadata: undefined }
  return {
    ...made,
    calls,
    edit: (id: string, text: string, more: object = {}) =>
      transaction(tx => updateMemory(tx, tenant, id, { ...change, ...more, text }, new Date())),
    absorb: (survivor: MemoryRecord, absorbed: MemoryRecord) =>
      transaction(tx => storeMerges(tx, workspaceId, [{ survivor, absorbed: [absorbed] }], new Date())),
    restore: (id: string) => transaction(tx => reactivate(tx, tenant, id, new Date())),
    async expire(id: string, since: string) {
      await transaction(
        tx => tx`update memories.memory set expires_at = now() - ${since}::interval where memory.id = ${id}`,
      )
      await transaction(tx => markExpired(tx, workspaceId, [id]))
    },
    async remove(...ids: string[]): Promise<readonly Call[]> {
      calls.length = 0
      await transaction(tx => removeMemories(tx, scope, workspaceId, ids))
      return [...calls]
    },
    events: () => transaction(tx => tx`select from memories.history where history.workspace_id = ${workspaceId}`),
  }
}

describe('a deletion tells hooks the former texts', () => {
  test('of an edited memory, before its removal, and no text that it has still', async () => {
    const { create, edit, remove, events } = await world()
    const { id } = await create({ text: 'first' })
    for (const text of ['last', 'second', 'second', 'last ']) await edit(id, text, { priority: 'HIGH' })
    expect(await remove(id)).toEqual([
      ['erased', ['first', 'second']],
      ['removed', [id]],
    ])
    expect(await events()).toHaveLength(0)
  })

  test('of no memory whose text never changed', async () => {
    const { create, edit, remove, events } = await world()
    const { id } = await create({ text: 'only' })
    await edit(id, 'only', { categories: ['changed'] })
    expect(await remove(id)).toEqual([['removed', [id]]])
    expect(await events()).toHaveLength(0)
  })

  test('of an absorbed memory, alone or with its survivor', async () => {
    const { create, edit, absorb, remove, events } = await world()
    const [survivor, one, other] = [
      await create({ text: 'a' }),
      await create({ text: 'b' }),
      await create({ text: 'c' }),
    ]
    await edit(other.id, 'd')
    await absorb(survivor, one)
    await absorb(survivor, { ...other, text: 'd' })
    expect(await remove(one.id)).toEqual([
      ['erased', ['b']],
      ['removed', [one.id]],
    ])
    expect(await remove(survivor.id)).toEqual([
      ['erased', ['c', 'd']],
      ['removed', [survivor.id, other.id].sort()],
    ])
    expect(await events()).toHaveLength(0)
  })

  test('but not that of a memory that was restored from the deleted one', async () => {
    const { create, edit, absorb, restore, remove } = await world()
    const [survivor, other] = [await create({ text: 'a' }), await create({ text: 'b' })]
    await absorb(survivor, other)
    await restore(other.id)
    await edit(survivor.id, 'a new')
    expect(await remove(survivor.id)).toEqual([
      ['erased', ['a']],
      ['removed', [survivor.id]],
    ])
  })

  test('of an expired memory, when it is deleted and when its time is over', async () => {
    const { create, edit, expire, remove, scope, tenant, calls, events } = await world()
    const [task, old] = [await create({ text: 'task', layer: 'TASK' }), await create({ text: 'old', layer: 'TASK' })]
    await edit(old.id, 'old but changed')
    await expire(task.id, '1 second')
    expect(await remove(task.id)).toEqual([
      ['erased', ['task']],
      ['removed', [task.id]],
    ])
    await expire(old.id, '7 days 1 second')
    calls.length = 0
    await purge(scope.database, retentionsOf(memoriesPlugin, { scope }), tenant.workspaceId)
    expect(calls).toEqual([
      ['erased', ['old', 'old but changed']],
      ['removed', [old.id]],
    ])
    expect(await events()).toHaveLength(0)
  })

  test('in pieces, however long they are together', async () => {
    const { create, edit, remove, events } = await world()
    const memories = [await create({ text: 'x' }), await create({ text: 'y' })]
    const long = (n: number) => `${n} ${'word '.repeat(9_999)}`
    const expected: string[] = ['x', 'y']
    for (const [m, { id }] of memories.entries()) {
      for (let n = 0; n < 8; n++) {
        const text = long(10 * m + n)
        expected.push(text)
        await edit(id, text)
      }
      await edit(id, `short ${m}`)
    }
    const erased = (await remove(...memories.map(({ id }) => id))).filter(([kind]) => kind === 'erased')
    expect(erased.length).toBeGreaterThan(2)
    for (const [, texts] of erased) expect(texts.join('').length).toBeLessThan(400_000)
    expect(new Set(erased.flatMap(([, texts]) => texts))).toEqual(new Set(expected))
    expect(await events()).toHaveLength(0)
  })
})
