import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { idleService } from '../../../test/support/service.ts'
import { removeDeleted } from './deletions.ts'

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
