import { expect, test } from 'bun:test'
import type { NewJob } from 'mneme/plugin'
import { handWorld } from '../world.test-support.ts'
import { removeTask } from './remove.ts'
import { writeTask } from './write.ts'

test('the file of a deleted export is removed in parts, and that of no other', async () => {
  const { client, database, workspaceId, scope } = await handWorld()
  const ids: string[] = []
  for (const pieces of [250, 3]) {
    const { id } = (await client.post('/v1/exports', { format: 'JSONL' })).body
    ids.push(id)
    await database.workspace(
      workspaceId,
      tx => tx`
        insert into exports.export_piece (workspace_id, export_id, writing, number, bytes, memory_ids)
        select ${workspaceId}::uuid, ${id}::uuid, 1, n, 'x', '{}'
        from generate_series(1, ${pieces}::int) as n`,
    )
  }
  const [gone = '', kept = ''] = ids
  const left = async (id: string) => {
    const rows = await database.workspace(
      workspaceId,
      tx => tx`select from exports.export_piece where workspace_id = ${workspaceId} and export_id = ${id}`,
    )
    return rows.length
  }
  const run = (id: string) => {
    const payload = { workspace_id: workspaceId, export_id: id }
    const { signal } = new AbortController()
    return removeTask.run({ payload: payload as never, scope, signal, attempt: 1, maxAttempts: 5 })
  }
  expect((await client.delete(`/v1/exports/${gone}`)).status).toBe(204)
  expect(await run(gone)).toBeDefined()
  expect(await left(gone)).toBe(150)
  for (let times = 0; times < 3; times++) await run(gone)
  await run(kept)
  expect([await left(gone), await left(kept)]).toEqual([0, 3])
})

test('the file of an export that failed is removed in parts', async () => {
  const { client, database, workspaceId, scope } = await handWorld()
  const queued: NewJob[] = []
  const jobs = { enqueue: async (_: unknown, added: readonly NewJob[]) => void queued.push(...added) }
  const { id } = (await client.post('/v1/exports', { format: 'JSONL' })).body
  const input = {
    payload: { workspace_id: workspaceId, export_id: id } as never,
    scope: { ...scope, jobs },
    signal: new AbortController().signal,
    attempt: 3,
    maxAttempts: 3,
  }
  const left = () =>
    database.workspace(
      workspaceId,
      tx => tx`select from exports.export_piece where workspace_id = ${workspaceId} and export_id = ${id}`,
    )
  await database.workspace(
    workspaceId,
    tx => tx`
      insert into exports.export_piece (workspace_id, export_id, writing, number, bytes, memory_ids)
      select ${workspaceId}::uuid, ${id}::uuid, 1, n, 'x', '{}'
      from generate_series(1, 150) as n`,
  )
  await writeTask.exhausted?.(input, new Error('The disk was full.'))
  expect(queued.map(({ task, payload }) => [task, payload])).toEqual([[removeTask.name, input.payload]])
  expect(await left()).toHaveLength(150)
  expect(await removeTask.run(input)).toBeDefined()
  expect(await left()).toHaveLength(50)
  await removeTask.run(input)
  expect(await left()).toHaveLength(0)
})
