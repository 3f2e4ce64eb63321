import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { v7 } from 'uuid'
import { memoryWorld } from '../world.test-support.ts'

const EDITED = '2026-01-02T00:00:00.000Z'

test('an update finds in the histories of memories when their texts were changed', async () => {
  const { client, tenant, scope, create } = await memoryWorld()
  const { workspaceId, transaction } = tenant
  const add = async (text: string, ...changes: object[]) => {
    const { id } = await create({ text })
    for (const change of changes) await client.put(`/v1/memories/${id}`, { memory: text, ...change })
    return id
  }
  await add('new')
  await add('rated', { priority: 'HIGH' })
  const edited = await add('draft', { memory: 'edited' }, { memory: 'edited', priority: 'HIGH' })
  const copied = await add('copied', { priority: 'HIGH' })
  await transaction(async tx => {
    await tx`update memories.memory set text_changed_at = null where memory.workspace_id = ${workspaceId}`
    await tx`
      update memories.history set created_at = ${EDITED}
      where history.workspace_id = ${workspaceId} and history.memory_id = ${edited} and history.revision = 2`
    // A copy without its history has one event, of the revision at which it came.
    await tx`delete from memories.history where history.workspace_id = ${workspaceId} and history.memory_id = ${copied}`
    await tx`
      insert into memories.history (workspace_id, memory_id, id, event, new_content, revision, created_at)
      values (${workspaceId}, ${copied}, ${v7()}, 'CREATED', 'copied', 2, now())`
  })
  const migration = await readFile(new URL('../sql/0007_fill_text_changes.sql', import.meta.url), 'utf8')
  await scope.database.system(tx => tx.unsafe(migration))
  const rows = await transaction(
    tx => tx<{ text: string; text_changed_at: Date | null; updated_at: Date }[]>`
      select memory.text, memory.text_changed_at, memory.updated_at
      from memories.memory
      where memory.workspace_id = ${workspaceId}`,
  )
  const copy = rows.find(row => row.text === 'copied')
  expect(Object.fromEntries(rows.map(row => [row.text, row.text_changed_at]))).toEqual({
    new: null,
    rated: null,
    edited: new Date(EDITED),
    copied: copy?.updated_at ?? null,
  })
})
