import { expect, test } from 'bun:test'
import { createJobQueue } from '../../../core/jobs/queue.ts'
import { noTurn } from '../../../test/support/no-turn.ts'
import { idleService } from '../../../test/support/service.ts'
import { watchedTenant } from '../../../test/support/tenant.ts'
import { findJob } from '../queries/jobs.ts'
import { stepWorld } from '../steps/step-world.test-support.ts'
import { openQueue, RANKS } from '../work.ts'
import { doSteps } from './do-steps.ts'

/** A workspace with one document, whose step fails as often as the test says. */
async function world() {
  const { database } = await idleService()
  const work = openQueue(RANKS.reading)
  const { tenant, workspaceId, scope, submit } = await stepWorld({ database, work, jobs: createJobQueue() })
  const id = await submit()
  /** Claims the document and does its step, whose first transaction fails so. */
  const fail = async (error: unknown) => {
    await tenant.transaction(
      tx => tx`update ingest.work set due_at = now() - interval '1 second' where workspace_id = ${workspaceId}`,
    )
    const claims = await tenant.transaction(tx => work.claimIn(tx, workspaceId, 1))
    const failing = watchedTenant(tenant, async transaction => {
      if (transaction === 1) throw error
    })
    await doSteps(scope, failing, work, claims, new AbortController().signal)
  }
  return {
    fail,
    async fails(times: number, error: unknown) {
      for (let n = 0; n < times; n++) await fail(error)
    },
    job: async () => {
      const job = await tenant.transaction(tx => findJob(tx, workspaceId, id))
      return [job?.stage === 'over', job?.errorCode ?? null]
    },
    attempts: async () => {
      const rows = await tenant.transaction(
        tx => tx<{ attempts: number }[]>`select attempts from ingest.work where workspace_id = ${workspaceId}`,
      )
      return rows[0]?.attempts
    },
  }
}

const contended = (code: string) => new Error('not done', { cause: Object.assign(new Error('lost'), { code }) })

test('a document waits while the database is too busy for its step, and fails when that does not end', async () => {
  const { fails, job } = await world()
  for (const code of ['40001', '40P01', '55P03', '57014']) await fails(4, contended(code))
  expect(await job()).toEqual([false, null])
  await fails(43, contended('57014'))
  expect(await job()).toEqual([false, null])
  await fails(1, contended('57014'))
  expect(await job()).toEqual([true, 'INTERNAL_ERROR'])
})

test('a document whose step gets no turn of the database is released, and the try is not counted', async () => {
  const { fail, job, attempts } = await world()
  const error = await noTurn()
  expect(await fail(error).catch(thrown => thrown)).toBe(error)
  expect(await job()).toEqual([false, null])
  expect(await attempts()).toBe(0)
})

test('a document that fails for its own sake fails after four tries', async () => {
  const { fails, job } = await world()
  await fails(3, new Error('odd'))
  expect(await job()).toEqual([false, null])
  await fails(1, new Error('odd'))
  expect(await job()).toEqual([true, 'INTERNAL_ERROR'])
})
