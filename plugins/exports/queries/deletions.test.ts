import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { v7 } from 'uuid'
import { purge, retentionsOf } from '../../../test/support/retention.ts'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { idleService } from '../../../test/support/service.ts'
import { exportsPlugin } from '../index.ts'
import { writeTask } from '../tasks/write.ts'
import { handWorld } from '../world.test-support.ts'
import { removeDeleted } from './deletions.ts'
import { emptiedPieces } from './mending.ts'
import { appendPiece, beginWriting } from './writing.ts'

const DELETED = 2000

/** An export that is being written while many memories are deleted. */
async function notedWorld() {
  const { client, database, workspaceId, scope } = await handWorld()
  const transaction: typeof database.system = work => database.workspace(workspaceId, work)
  const { id } = (await client.post('/v1/exports', { format: 'JSONL' })).body
  const begin = async () => {
    const target = await transaction(tx => beginWriting(tx, workspaceId, id))
    if (!target) throw new Error('there is nothing to write')
    return target
  }
  const deleted = Array.from({ length: DELETED }, () => v7())
  const forget = () => transaction(tx => removeDeleted(tx, workspaceId, deleted, null))
  const target = await begin()
  await forget()
  return {
    client,
    workspaceId,
    id,
    target,
    deleted,
    begin,
    forget,
    transaction,
    write: () =>
      writeTask.run({
        payload: { workspace_id: workspaceId, export_id: id } as never,
        scope,
        signal: new AbortController().signal,
        attempt: 1,
        maxAttempts: 3,
      }),
    /** Counts by run what is noted once rows had been removed that are no longer kept. */
    async kept(): Promise<Record<number, number>> {
      await purge(database, retentionsOf(exportsPlugin), workspaceId)
      const rows = await transaction(
        tx => tx<{ run: number; count: number }[]>`
          select noted_deletion.run, count(*)::int as count
          from exports.noted_deletion
          where noted_deletion.workspace_id = ${workspaceId} and noted_deletion.export_id = ${id}
          group by noted_deletion.run`,
      )
      return Object.fromEntries(rows.map(({ run, count }) => [run, count]))
    },
  }
}

test('a piece is compared with the deletions of its own memories, however many others there were', async () => {
  const { transaction, workspaceId, target, deleted } = await notedWorld()
  const [kept, doomed = ''] = [v7(), deleted[DELETED / 2]]
  const piece = { text: 'It is open.', memories: 1, isWhole: true }
  const read = await transaction(async tx => {
    const before = await rowsRead(tx, 'exports', 'noted_deletion')
    await appendPiece(tx, workspaceId, target, { ...piece, memoryIds: [kept], lastMemoryId: kept })
    await appendPiece(tx, workspaceId, target, { ...piece, memoryIds: [kept, doomed], lastMemoryId: doomed })
    return (await rowsRead(tx, 'exports', 'noted_deletion')) - before
  })
  expect(read).toBeLessThan(10)
  const emptied = await transaction(tx => emptiedPieces(tx, workspaceId, target))
  expect(emptied.map(({ lastMemoryId }) => lastMemoryId)).toEqual([doomed])
})

test('what is noted for a run is kept until it is over', async () => {
  const world = await notedWorld()
  expect(await world.kept()).toEqual({ [world.target.run]: DELETED })
  const { run } = await world.begin()
  await world.forget()
  expect(await world.kept()).toEqual({ [run]: DELETED })
  await world.write()
  expect((await world.client.get(`/v1/exports/${world.id}`)).body.status).toBe('COMPLETED')
  expect(await world.kept()).toEqual({})
})

test('what is noted goes with its export', async () => {
  const { client, id, kept } = await notedWorld()
  expect((await client.delete(`/v1/exports/${id}`)).status).toBe(204)
  expect(await kept()).toEqual({})
})

test('pieces that tell of a deleted memory are emptied, and others are not read', async () => {
  const { account, database } = await idleService()
  const { workspaceId } = await account()
  const memoryId = randomUUID()
  await database.workspace(
    workspaceId,
    tx => tx`
      insert into exports.export_piece (workspace_id, export_id, writing, number, bytes, memory_ids)
      select
        ${workspaceId}::uuid, gen_random_uuid(), 1, piece, convert_to(repeat('x', 600), 'utf8'),
        array[case piece when 7 then ${memoryId} else gen_random_uuid() end]
      from generate_series(1, 3000) as piece`,
  )
  // Without statistics, which autovacuum brings within a minute, an index is chosen by chance.
  await database.system(tx => tx`analyze exports.export_piece`)
  const { read, emptied } = await database.workspace(workspaceId, async tx => {
    const before = await rowsRead(tx, 'exports', 'export_piece')
    await removeDeleted(tx, workspaceId, [memoryId], null)
    const read = (await rowsRead(tx, 'exports', 'export_piece')) - before
    return { read, emptied: await tx<{ number: number }[]>`select number from exports.export_piece where is_emptied` }
  })
  expect(emptied.map(({ number }) => number)).toEqual([7])
  expect(read).toBeWithin(1, 100)
})
