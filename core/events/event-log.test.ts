import { expect, test } from 'bun:test'
import { v7 } from 'uuid'
import { controlPlane } from '../../test/support/control-plane.ts'
import { createEventLog } from './event-log.ts'

const HOUR = 3_600_000

test('an event counts for the hour in which its transaction began, though its id was made in the next', async () => {
  const { storage, account } = await controlPlane()
  const { database } = storage
  const { workspaceId } = await account()
  const to = new Date(Math.floor(Date.now() / HOUR) * HOUR - HOUR)
  const from = new Date(to.getTime() - HOUR)
  const store = (at: number, published: number) =>
    database.system(
      tx => tx`
        insert into core.event (workspace_id, id, kind, subject_id, user_id, created_at)
        values (${workspaceId}, ${v7({ msecs: published })}, 'thing.made', 'x', 'ada', ${new Date(at)})`,
    )
  await store(to.getTime() - 100, to.getTime() + 200)
  await store(from.getTime(), from.getTime() - 200)
  await store(to.getTime(), to.getTime() - 200)
  const hours = await database.workspace(workspaceId, tx =>
    createEventLog().hourly(tx, workspaceId, ['thing.made'], from, to),
  )
  expect([...hours]).toEqual([{ hour: from, kind: 'thing.made', count: 2 }])
})
