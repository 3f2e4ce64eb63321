import { describe, expect, test } from 'bun:test'
import { extend } from 'mneme/plugin'
import { expectOneHeldBack } from '../../../test/support/bad-row.ts'
import { memoryWriteHooks } from '../contract.ts'
import { memoryWorld } from '../world.test-support.ts'
import { expireTask } from './expire.ts'

/** The sweep covers every workspace of the database, so assertions look at this test's memories only. */
async function sweep(scope: unknown): Promise<void> {
  await expireTask.run({
    payload: {},
    scope,
    attempt: 1,
    maxAttempts: 5,
    signal: new AbortController().signal,
  } as never)
}

function removals() {
  const removed: string[] = []
  const hook = {
    id: 'noting',
    created: async () => undefined,
    updated: async () => undefined,
    removed: async (_: unknown, __: string, ids: readonly string[]) => void removed.push(...ids),
  }
  return { removed, extensions: [extend(memoryWriteHooks, hook)] }
}

describe('memories:expire', () => {
  test('reports each expiry once, to hooks and as an event, and leaves other memories alone', async () => {
    const { removed, extensions } = removals()
    const { scope, tenant, create, published } = await memoryWorld({ extensions, idle: true })
    const due = await create({ text: 'due', layer: 'TASK' })
    await create({ text: 'later', layer: 'TASK' })
    await create({ text: 'raw' })
    await tenant.transaction(
      tx => tx`update memories.memory set expires_at = now() - interval '1 second' where text = 'due'`,
    )
    await Promise.all([sweep(scope), sweep(scope)])
    await sweep(scope)
    const told = published.filter(event => event.kind === 'memory.expired')
    expect(told.map(event => event.subjectId).filter(id => id === due.id)).toEqual([due.id])
    expect(removed.filter(id => id === due.id)).toEqual([due.id])
    expect(told.filter(event => event.workspaceId === tenant.workspaceId)).toHaveLength(1)
  })
  test('marks all expired memories but one that cannot be written, and that one once it is given back', async () => {
    const worlds = [await memoryWorld({ idle: true }), await memoryWorld({ idle: true })]
    const expired: string[] = []
    for (const { create, tenant } of worlds) {
      for (const text of ['one', 'two', 'three']) expired.push((await create({ text, layer: 'TASK' })).id)
      await tenant.transaction(
        tx =>
          tx`update memories.memory set expires_at = now() - interval '1 second' where memory.workspace_id = ${tenant.workspaceId}`,
      )
    }
    const [bad = '', ...others] = expired
    const [first] = worlds
    if (!first) throw new Error('there are two')
    const { scope, tenant, published } = first
    const { database } = scope
    await expectOneHeldBack({
      ...{ database, sweep: 'memories:expire', workspaceId: tenant.workspaceId, bad, others },
      ...{ table: 'memories.memory', event: 'update', where: { id: bad } },
      run: () => sweep(scope),
      async done() {
        const rows = await database.system(
          tx => tx<{ id: string }[]>`
            select memory.id from memories.memory where memory.id in ${tx(expired)} and not memory.live`,
        )
        return rows.map(({ id }) => id)
      },
    })
    const told = published.filter(({ kind }) => kind === 'memory.expired').map(({ subjectId }) => String(subjectId))
    expect(told.filter(id => expired.includes(id)).toSorted()).toEqual(expired.toSorted())
  })
})
