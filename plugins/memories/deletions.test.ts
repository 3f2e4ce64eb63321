import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { StoredEvent } from 'mneme/plugin'
import { controlPlane } from '../../test/support/control-plane.ts'
import { forgetsDeletedMemories } from './contract.ts'

const deletion = (workspaceId: string, ids: readonly string[]): StoredEvent => ({
  id: randomUUID(),
  kind: 'memory.deleted',
  workspaceId,
  subjectId: null,
  userId: null,
  data: { id: null, user_id: null, ids, count: ids.length },
  createdAt: new Date(),
})

test('deleted memories are forgotten in their workspace, and nothing is called for a workspace that is gone', async () => {
  const { server, account } = await controlPlane()
  const { directory: tenants } = server()
  const { workspaceId } = await account()
  const forgotten: [string, readonly string[]][] = []
  const { handle, erases } = forgetsDeletedMemories<{ tenants: typeof tenants }>(async (tenant, ids) => {
    forgotten.push([tenant.workspaceId, ids])
  })
  const ids = [randomUUID(), randomUUID()]
  await handle(deletion(workspaceId, ids), { tenants })
  await handle(deletion(workspaceId, []), { tenants })
  await handle(deletion(randomUUID(), ids), { tenants })
  expect(forgotten).toEqual([[workspaceId, ids]])
  // It also reaches workspaces whose plan lacks the plugin's feature.
  expect(erases).toBe(true)
})
