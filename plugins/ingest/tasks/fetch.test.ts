import { expect, test } from 'bun:test'
import { createJobQueue } from '../../../core/jobs/queue.ts'
import { createOutgoingClient } from '../../../core/outgoing/client.ts'
import { openInternet, PUBLIC } from '../../../core/outgoing/internet.test-support.ts'
import { idleService } from '../../../test/support/service.ts'
import { findJob } from '../queries/jobs.ts'
import { stepWorld } from '../steps/step-world.test-support.ts'
import { openQueue, RANKS } from '../work.ts'
import { fetchTask } from './fetch.ts'
import { ADVANCE, FETCH } from './jobs.ts'

/** A workspace whose pages the test fetches by hand. */
async function world() {
  const internet = openInternet()
  await internet.serve(PUBLIC, (_, response) => void response.end('The text of a page.'))
  const { database } = await idleService()
  const queues = { work: openQueue(RANKS.reading), fetches: openQueue(RANKS.fetching) }
  const outgoing = createOutgoingClient({ allowPrivateNetworks: false, network: internet.network })
  const files = { write: async () => 19, remove: async () => undefined }
  const parts = { ...queues, outgoing, files, database, jobs: createJobQueue() }
  const { tenant, workspaceId, scope, submit } = await stepWorld(parts)
  const tenants = { find: async () => tenant.workspace, tenant: async () => tenant }
  return {
    internet,
    tenant,
    workspaceId,
    queues,
    submit: () =>
      submit({
        format: 'URL',
        contentFormat: null,
        fileName: null,
        sizeBytes: null,
        sourceUrl: `http://${PUBLIC}/page`,
      }),
    run: () =>
      fetchTask.run({
        payload: { workspace_id: workspaceId },
        scope: { ...scope, tenants },
        signal: new AbortController().signal,
      } as never),
    /** Names the task of each job that waits for the workspace. */
    async queued() {
      const rows = await database.system(
        tx => tx<{ task: string }[]>`
          select task.identifier as task
          from graphile_worker._private_jobs as job
          join graphile_worker._private_tasks as task on task.id = job.task_id
          where job.payload ->> 'workspace_id' = ${workspaceId}
          order by task.identifier`,
      )
      return rows.map(({ task }) => task)
    },
    stageOf: async (id: string) => (await tenant.transaction(tx => findJob(tx, workspaceId, id)))?.stage,
  }
}

test('a run fetches one page, calls for the next where one is due, and leaves what it fetched to the readings', async () => {
  const { queues, tenant, workspaceId, run, submit, queued, stageOf } = await world()
  const [first, second] = [await submit(), await submit()]
  expect(await tenant.transaction(tx => queues.work.claimIn(tx, workspaceId, 5))).toEqual([])
  await run()
  expect([await stageOf(first), await stageOf(second)]).toEqual(['read', 'fetch'])
  expect(await queued()).toEqual([ADVANCE, FETCH])
  await run()
  expect(await stageOf(second)).toBe('read')
  const claims = await tenant.transaction(tx => queues.work.claimIn(tx, workspaceId, 5))
  expect(claims.map(({ id }) => id)).toEqual([first, second])
})

test('a page whose process was killed, before or after it was there, goes on in another', async () => {
  for (const stage of ['fetch', 'read']) {
    const { queues, tenant, workspaceId, run, submit, stageOf } = await world()
    const id = await submit()
    const [killed] = await tenant.transaction(tx => queues.fetches.claimIn(tx, workspaceId, 1))
    expect(killed?.id).toBe(id)
    await tenant.transaction(async tx => {
      await tx`update ingest.job set stage = ${stage}, status = 'PROCESSING' where workspace_id = ${workspaceId}`
      await tx`update ingest.work set due_at = now() - interval '1 second' where workspace_id = ${workspaceId}`
    })
    await run()
    expect(await stageOf(id)).toBe('read')
    const claims = await tenant.transaction(tx => queues.work.claimIn(tx, workspaceId, 1))
    expect(claims.map(claim => claim.id)).toEqual([id])
  }
})

test('a page that fails for the moment is looked at again by a job of its own', async () => {
  const { internet, run, submit, queued, stageOf } = await world()
  await internet.reset()
  const id = await submit()
  await run()
  expect(await stageOf(id)).toBe('fetch')
  expect(await queued()).toEqual([FETCH])
})
