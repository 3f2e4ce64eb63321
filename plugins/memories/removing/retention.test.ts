import { describe, expect, test } from 'bun:test'
import { purge, retentionsOf } from '../../../test/support/retention.ts'
import { memoriesPlugin } from '../index.ts'
import { type MemoryWorld, memoryWorld } from '../world.test-support.ts'

/** Runs the retention rules as the kernel does every hour. */
async function retain({ scope, tenant }: MemoryWorld, settings = {}): Promise<void> {
  await purge(scope.database, retentionsOf(memoriesPlugin, { scope }), tenant.workspaceId, settings)
}

async function aged(retentionDays: number | null) {
  const world = await memoryWorld({ idle: true })
  const { tenant, create } = world
  for (const text of ['old', 'old but changed', 'new']) await create({ text })
  await create({ text: 'old errand', layer: 'TASK' })
  await tenant.transaction(async tx => {
    await tx`update memories.memory set created_at = now() - interval '31 days' where text like 'old%'`
    await tx`update memories.memory set updated_at = created_at where text <> 'old but changed'`
  })
  await retain(world, { retention_days: retentionDays })
  return (await world.client.get('/v1/memories')).body.data.map((memory: { memory: string }) => memory.memory).sort()
}

describe('the retention of memories', () => {
  test('deletes RAW memories unchanged for longer than the workspace keeps them', async () => {
    expect(await aged(30)).toEqual(['new', 'old but changed', 'old errand'])
  })

  test('deletes nothing where the workspace sets no time', async () => {
    expect(await aged(null)).toEqual(['new', 'old', 'old but changed', 'old errand'])
  })

  test('deletes memories that expired more than seven days ago, with their history', async () => {
    const world = await memoryWorld({ idle: true })
    const { tenant, create, published } = world
    const old = await create({ text: 'old', layer: 'TASK' })
    await create({ text: 'recent', layer: 'TASK' })
    await tenant.transaction(async tx => {
      await tx`update memories.memory set expires_at = now() - interval '7 days 1 second' where text = 'old'`
      await tx`update memories.memory set expires_at = now() - interval '6 days' where text = 'recent'`
    })
    await retain(world)
    const left = await tenant.transaction(async tx => {
      const memories = await tx<{ text: string }[]>`select text from memories.memory`
      const events = await tx<{ new_content: string }[]>`select new_content from memories.history`
      return [...memories.map(row => row.text), ...events.map(row => row.new_content)]
    })
    expect(left).toEqual(['recent', 'recent'])
    const deleted = published.filter(event => event.kind === 'memory.deleted' && event.subjectId === old.id)
    expect(deleted).toHaveLength(1)
  })
})
