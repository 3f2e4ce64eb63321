import { expect, test } from 'bun:test'
import { DAY_MS } from 'mneme/plugin'
import { v7 } from 'uuid'
import { purge, retentionsOf } from '../../test/support/retention.ts'
import { exportsPlugin } from './index.ts'
import { handWorld } from './world.test-support.ts'

test('what is noted of the memories of an import stays while it is under way, and goes where it is gone', async () => {
  const { database, workspaceId, scope } = await handWorld()
  const idOf = (daysAgo: number) => v7({ msecs: Date.now() - daysAgo * DAY_MS })
  const [underWay, gone, recent] = [idOf(8), idOf(8), idOf(6)]
  await database.workspace(workspaceId, async tx => {
    await tx`
      insert into exports.import (workspace_id, id, user_id, status)
      values (${workspaceId}, ${underWay}, 'default', 'PROCESSING')`
    for (const id of [underWay, gone, recent])
      await tx`
        insert into exports.import_memory (workspace_id, import_id, memory_id)
        values (${workspaceId}, ${id}, ${v7()}), (${workspaceId}, ${id}, ${v7()})`
    await tx`
      insert into exports.import_holder (workspace_id, import_id, memory_id, holder_id)
      select import_memory.workspace_id, import_memory.import_id, import_memory.memory_id, import_memory.memory_id
      from exports.import_memory
      where import_memory.workspace_id = ${workspaceId}`
  })
  await purge(database, retentionsOf(exportsPlugin, { scope }), workspaceId)
  for (const table of ['exports.import_memory', 'exports.import_holder']) {
    const left = await database.workspace(
      workspaceId,
      tx => tx<{ import_id: string }[]>`
        select distinct noted.import_id
        from ${tx(table)} as noted
        where noted.workspace_id = ${workspaceId}`,
    )
    expect(left.map(row => row.import_id).toSorted()).toEqual([underWay, recent].toSorted())
  }
})
