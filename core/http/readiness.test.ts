import { beforeAll, describe, expect, test } from 'bun:test'
import { idleService, type TestService } from '../../test/support/service.ts'
import { createJobQueue } from '../jobs/queue.ts'
import type { NewJob } from '../jobs/task.ts'
import { queueCheck } from './readiness.ts'

/** No process runs jobs here, as with `WORKERS=none` and no workers. */
let service: TestService
const queue = createJobQueue()

beforeAll(async () => {
  service = await idleService()
})

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const job = (key: string, more: Partial<NewJob> = {}): NewJob => ({
  task: 'memories:process',
  payload: {},
  key,
  ...more,
})
const enqueue = (...jobs: NewJob[]) => service.database.system(tx => queue.enqueue(tx, jobs))
const ready = () => service.anonymous.get('/ready')

describe('a server without workers', () => {
  test('names the queue, and shows it as degraded while no process runs the jobs that are due', async () => {
    await enqueue(job('now'), job('later', { runAt: ago(-60) }), job('waiting', { runAt: ago(3), priority: 3 }))
    expect((await ready()).body.checks.queue).toBe('ok')

    await enqueue(job('old', { runAt: ago(12), priority: 7 }), job('urgent', { runAt: ago(8), priority: -5 }))
    const late = await ready()
    expect([late.status, late.body.status, late.body.checks.queue]).toEqual([200, 'ready', 'degraded'])
    expect(late.body.details.queue.oldest_due_seconds).toBeWithin(12 * 60, 14 * 60)

    // A plugin that is there no more left it.
    await enqueue(job('ownerless', { runAt: ago(60), task: 'removed:do' }))
    const { oldest_due_seconds, without_plugin } = (await ready()).body.details.queue
    expect([oldest_due_seconds < 14 * 60, without_plugin]).toEqual([true, 'removed:do'])

    // Jobs that some process runs, or that failed for good, wait for no worker.
    await service.database.system(
      tx => tx`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'someone' where key = 'old'`,
    )
    await service.database.system(
      tx => tx`update graphile_worker._private_jobs set attempts = max_attempts where key = 'urgent'`,
    )
    const well = await ready()
    expect([well.body.checks.queue, well.body.details.queue]).toEqual(['ok', { without_plugin: 'removed:do' }])
    await service.database.system(tx => tx`delete from graphile_worker._private_jobs where key = 'ownerless'`)
    expect((await ready()).body.details?.queue).toBeUndefined()
  })
})

test('a process with a runner reports the fault of its own first', async () => {
  await enqueue(job('old too', { runAt: ago(30), task: 'things:do' }))
  const tasks = ['things:do']
  const lost = queueCheck(
    service.database,
    { health: () => Promise.reject(new Error('it has lost the database')) },
    tasks,
  )
  expect(lost.check()).rejects.toThrow('it has lost the database')
  expect(lost.details?.()).toBeUndefined()
  const behind = queueCheck(service.database, { health: () => Promise.resolve() }, tasks)
  await behind.check()
  expect(behind.state?.()).toBe('degraded')
})
