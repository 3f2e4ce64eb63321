import { expect, test } from 'bun:test'
import { memoryWorld } from '../world.test-support.ts'
import { lockForChange } from './lock.ts'

test('a memory whose time ends while its lock is awaited can no longer be changed', async () => {
  const { tenant, create } = await memoryWorld({ idle: true })
  const { id } = await create({ text: 'errand', layer: 'TASK' })
  const locking = tenant.transaction(async tx => {
    const isOver = async () => {
      const [row] = await tx<{ over: boolean }[]>`select clock_timestamp() >= now() + interval '2 milliseconds' as over`
      return row?.over
    }
    while (!(await isOver()));
    await tx`update memories.memory set expires_at = now() + interval '1 millisecond' where id = ${id}`
    await lockForChange(tx, tenant.workspaceId, id)
  })
  await expect(locking).rejects.toMatchObject({ code: 'MEMORY_EXPIRED' })
})
