import { expect, test } from 'bun:test'
import { createJobQueue } from '../../../core/jobs/queue.ts'
import { expectOneHeldBack } from '../../../test/support/bad-row.ts'
import { quarantineOf } from '../../../test/support/quarantine.ts'
import { idleService } from '../../../test/support/service.ts'
import { openQueue, RANKS } from '../work.ts'
import { hand } from '../world.test-support.ts'
import { requeueTask } from './requeue.ts'

test('every workspace with something due has a job, but one whose job cannot be stored', async () => {
  const { account, database } = await idleService()
  const accounts = [await account(), await account(), await account()]
  for (const { client } of accounts) {
    expect((await hand(client, {}, { name: 'gate.txt', content: 'The gate is open.' })).status).toBe(202)
  }
  const [bad = '', ...others] = accounts.map(({ workspaceId }) => workspaceId)
  await database.system(
    tx => tx`
      delete from graphile_worker._private_jobs as job
      where job.payload ->> 'workspace_id' in ${tx([bad, ...others])}`,
  )
  const scope = {
    database,
    quarantine: quarantineOf('ingest', database),
    work: openQueue(RANKS.reading),
    fetches: openQueue(RANKS.fetching),
    jobs: createJobQueue(),
  }
  await expectOneHeldBack({
    ...{ database, sweep: 'ingest:requeue', workspaceId: bad, bad: '', badDone: bad, others },
    ...{ table: 'graphile_worker._private_jobs', event: 'insert', where: { "payload ->> 'workspace_id'": bad } },
    run: () => requeueTask.run({ payload: {}, scope, signal: new AbortController().signal } as never),
    async done() {
      const rows = await database.system(
        tx => tx<{ id: string }[]>`
          select job.payload ->> 'workspace_id' as id
          from graphile_worker._private_jobs as job
          join graphile_worker._private_tasks as task on task.id = job.task_id
          where task.identifier = 'ingest:advance' and job.payload ->> 'workspace_id' in ${tx([bad, ...others])}`,
      )
      return rows.map(({ id }) => id)
    },
  })
})
