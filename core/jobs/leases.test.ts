import { expect, test } from 'bun:test'
import { openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { enqueue } from '../../test/support/jobs.ts'
import { Leases } from './leases.ts'

test('a job that its worker has run for hours stays locked by it, and is never given to another', async () => {
  const { storage } = await openControlPlane(await ownDatabaseUrl())
  const { database } = storage
  const leases = new Leases({ database, staleMs: 20_000 })
  leases.hold('mine')
  await database.system(tx => tx`insert into core.worker_lease (worker) values ('another')`)
  for (const [task, worker] of [
    ['tests:long', 'mine'],
    ['tests:other', 'another'],
  ] as const) {
    await enqueue(database, { task, payload: {} })
    await database.system(
      tx => tx`
        update graphile_worker._private_jobs
        set locked_by = ${worker}, locked_at = now() - interval '3 hours'
        where locked_by is null`,
    )
  }
  expect(await leases.renew()).toBe(0)
  const rows = await database.system(
    tx => tx<{ worker: string; hours: number }[]>`
      select locked_by as worker, round(extract(epoch from now() - locked_at) / 3600)::int as hours
      from graphile_worker._private_jobs
      order by id`,
  )
  expect([...rows]).toEqual([
    { worker: 'mine', hours: 0 },
    { worker: 'another', hours: 3 },
  ])
})
