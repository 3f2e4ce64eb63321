import { describe, expect, test } from 'bun:test'
import { memoryWorld } from '../world.test-support.ts'
import { retainTask } from './retain.ts'

async function retain(scope: unknown): Promise<void> {
  await retainTask.run({
    payload: {},
    scope,
    attempt: 1,
    maxAttempts: 5,
    signal: new AbortController().signal,
  } as never)
}

async function aged(retentionDays: number | null) {
  const world = await memoryWorld({ idle: true })
  const { tenant, create } = world
  const settings = { ...tenant.workspace.settings, retention_days: retentionDays }
  Object.assign(tenant.workspace, { settings })
  for (const text of ['old', 'old but changed', 'new']) await create({ text })
  await create({ text: 'old errand', layer: 'TASK' })
  await tenant.transaction(async tx => {
    await tx`update memories.memory set created_at = now() - interval '31 days' where text like 'old%'`
    await tx`update memories.memory set updated_at = created_at where text <> 'old but changed'`
  })
  await retain(world.scope)
  return (await world.client.get('/v1/memories')).body.data.map((memory: { memory: string }) => memory.memory).sort()
}

describe('memories:retain', () => {
  test('deletes permanent memories that were not changed for longer than the workspace keeps them', async () => {
    expect(await aged(30)).toEqual(['new', 'old but changed', 'old errand'])
  })

  test('deletes nothing where the workspace sets no time', async () => {
    expect(await aged(null)).toEqual(['new', 'old', 'old but changed', 'old errand'])
  })
})
