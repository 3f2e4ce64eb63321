import { expect, test } from 'bun:test'
import { coreConfig, requireConfig } from '../core/config.ts'
import { ownDatabaseUrl } from '../test/support/database.ts'
import { startService } from '../test/support/service.ts'
import { diagnose, discard } from './doctor.ts'

const CONFIG = requireConfig(coreConfig, {})
const HERE = new Set(['core', 'memories', 'webhooks'])

/** The commands of an operator, on a database of their own where no job runs. */
async function operated() {
  const { database } = await startService({ WORKERS: 'none' }, { url: await ownDatabaseUrl() })
  const storage = { database, kind: 'embedded' } as const
  return {
    database,
    diagnose: () => diagnose(storage, CONFIG),
    discard: (task: string) => discard(storage, task, HERE),
    dueLongAgo: (task: string) =>
      database.system(
        tx => tx`
          select graphile_worker.add_job(${task}, '{}'::json, run_at => now() - interval '20 minutes', max_attempts => 5)`,
      ),
  }
}

test('the jobs of a plugin that was removed for good are discarded by their task, those of others never', async () => {
  const { database, dueLongAgo, ...doctor } = await operated()
  await dueLongAgo('gone:fail')
  await database.system(
    tx => tx`
      update graphile_worker._private_jobs
      set attempts = max_attempts, last_error = 'it refuses', flags = '{"failed": true, "failed_after:5": true}'
      where task_id = (select id from graphile_worker._private_tasks where identifier = 'gone:fail')`,
  )
  expect((await doctor.diagnose()).stdout).toMatch(/failed job: gone:fail[\s\S]*doctor discard TASK/)
  expect(await doctor.discard('gone:fail')).toEqual({ code: 0, stdout: 'Deleted: 1 job of gone:fail' })
  for (const task of ['gone:tidy', 'gone:tidy', 'memories:process']) await dueLongAgo(task)
  const listed = await doctor.diagnose()
  expect(listed.code).toBe(1)
  expect(listed.stdout).toMatch(/waiting job: gone:tidy[\s\S]*doctor discard TASK/)
  expect(listed.stdout).not.toContain('release ID')
  expect(await doctor.discard('gone:tidy')).toEqual({ code: 0, stdout: 'Deleted: 2 jobs of gone:tidy' })
  expect(await doctor.discard('gone:tidy')).toEqual({
    code: 1,
    stderr: 'There are no jobs of the task gone:tidy, or they are under way.',
  })
  expect((await doctor.discard('memories:process')).code).toBe(1)
  const left = await doctor.diagnose()
  expect(left.stdout).not.toContain('gone:tidy')
  expect(left.stdout).toContain('memories:process')
})

test('deliveries and retention passes of a plugin that was removed for good are discarded, with what is held back', async () => {
  const { database, dueLongAgo, ...doctor } = await operated()
  const [delivery, pass, held] = ['core:deliver:gone:remember', 'core:retain:x_gone.note.id', 'core:deliver:gone:erase']
  for (const task of [delivery, pass]) await dueLongAgo(task)
  await database.system(
    tx => tx`
      insert into core.quarantine (workspace_id, sweep, row_id, plugin, error, retry_at)
      select gen_random_uuid(), sweep, '', 'gone', 'it refuses', now() + interval '1 day'
      from unnest(array[${delivery}, ${held}]) as sweep`,
  )
  expect((await doctor.diagnose()).code).toBe(1)
  expect(await doctor.discard(delivery)).toEqual({
    code: 0,
    stdout: `Deleted: 1 job of ${delivery}, and 1 in quarantine`,
  })
  expect(await doctor.discard(pass)).toEqual({ code: 0, stdout: `Deleted: 1 job of ${pass}` })
  const amiss = await doctor.diagnose()
  expect(amiss.code).toBe(1)
  expect(amiss.stdout).toMatch(/quarantined: core:deliver:gone:erase[\s\S]*discard TASK/)
  expect(await doctor.discard(held)).toEqual({ code: 0, stdout: `Deleted: 0 jobs of ${held}, and 1 in quarantine` })
  expect(await doctor.diagnose()).toEqual({
    code: 0,
    stdout: 'Nothing is quarantined, given up, failed or waiting for a process.',
  })
})

test('nothing is discarded while its plugin is here', async () => {
  const { discard } = await operated()
  for (const [task, owner] of [
    ['core:deliver:webhooks:remove', 'webhooks'],
    ['core:retain:memories.memory.created_at', 'memories'],
    ['core:retain:core.event.id', 'core'],
    ['core:purge', 'core'],
  ] as const)
    expect(await discard(task)).toEqual({
      code: 1,
      stderr: `${task} is a task of the plugin ${owner}, which is here: a server or worker that has it runs its jobs.`,
    })
})
