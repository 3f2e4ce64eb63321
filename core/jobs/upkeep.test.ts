import { test } from 'bun:test'
import { NATIVE_URL } from '../../test/support/database.ts'
import { gate } from '../../test/support/gate.ts'
import { jobWorld } from '../../test/support/job-world.ts'
import { testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'

const jobs = jobWorld({ ownDatabase: true })

// The embedded database runs one transaction at a time, so none waits for another.
if (NATIVE_URL)
  test('leases are renewed while a look at waiting jobs hangs', async () => {
    const { open, opened } = gate()
    const locked = gate()
    const locking = jobs.database.system(async tx => {
      await tx`lock table core.job_place in exclusive mode`
      locked.open()
      await opened
    })
    await locked.opened
    try {
      const runner = await jobs.run(testTask({ run: async () => undefined }), { leaseRenewMs: 20, leaseStaleMs: 300 })
      const hangs = () =>
        jobs.database.system(
          tx => tx`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%admit_jobs%'`,
        )
      await until('the look hangs', async () => (await hangs()).length > 0)
      for (let n = 0; n < 5; n++) {
        const before = await renewedAt()
        await until('the lease is renewed', async () => (await renewedAt()) > before)
      }
      await runner.health()
    } finally {
      open()
      await locking
    }
  })

async function renewedAt(): Promise<number> {
  const [row] = await jobs.database.system(
    tx => tx<{ at: Date }[]>`select max(renewed_at) as at from core.worker_lease`,
  )
  return row?.at.getTime() ?? 0
}
