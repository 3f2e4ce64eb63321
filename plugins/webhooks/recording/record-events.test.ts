import { expect, test } from 'bun:test'
import { idleService } from '../../../test/support/service.ts'
import { remember, startedWith } from '../delivering/dispatching.test-support.ts'
import { notePolling } from '../queries/attempts.ts'

async function dispatchJobs(workspaceId: string): Promise<number> {
  const { database } = await idleService()
  const [row] = await database.system(
    tx => tx<{ count: number }[]>`
      select count(*)::integer as count
      from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = job.task_id
      where task.identifier = 'webhooks:dispatch'
        and job.payload ->> 'workspace_id' = ${workspaceId}`,
  )
  return row?.count ?? 0
}

test('a change counts on a process that looks by itself, but not until an instant of a clock that was ahead', async () => {
  const { account } = await startedWith()
  const { workspaceId } = account
  const { database } = await idleService()
  await database.workspace(workspaceId, tx => notePolling(tx, workspaceId, 2 * 24 * 60 * 60_000))
  await remember(account, 'A memory.')
  expect(await dispatchJobs(workspaceId)).toBe(1)
})
