import { describe, expect, test } from 'bun:test'
import { extend } from 'mneme/plugin'
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
    await tenant.transaction(tx => tx`update memories.memory set expires_at = now() where text = 'due'`)
    await Promise.all([sweep(scope), sweep(scope)])
    await sweep(scope)
    const told = published.filter(event => event.kind === 'memory.expired')
    expect(told.map(event => event.subjectId).filter(id => id === due.id)).toEqual([due.id])
    expect(removed.filter(id => id === due.id)).toEqual([due.id])
    expect(told.filter(event => event.workspaceId === tenant.workspaceId)).toHaveLength(1)
  })
})
