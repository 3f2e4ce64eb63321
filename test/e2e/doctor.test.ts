import { expect, test } from 'bun:test'
import { onStore } from '../support/lapse.ts'
import { preparedStore, runToEnd, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

test('an operator sees what jobs left out and gave up, and gives it back', async () => {
  const store = await preparedStore()
  const doctor = (...words: string[]) => runToEnd('server/main.ts', store, ['doctor', ...words])
  const first = await startServer(store)
  const client = first.client()
  const { body: memory } = await client.post('/v1/memories', { memory: 'Ada keeps bees on a roof in Lisbon.' })
  await until(
    'it is processed',
    async () => (await client.get(`/v1/memories/${memory.id}`)).body.status === 'COMPLETED',
  )
  expect((await client.get('/ready')).body.checks).not.toHaveProperty('quarantine')
  expect(await first.stop()).toBe(0)

  const well = await doctor()
  expect([well.code, well.stdout]).toEqual([0, expect.stringContaining('Nothing is quarantined')])
  let workspaceId = ''
  await onStore(store, async sql => {
    const [row] = await sql`
      insert into core.quarantine (workspace_id, sweep, row_id, plugin, error, retry_at)
      select workspace_id, 'graph:decay-weights', 'edge-1', 'graph', '22003 value out of range: underflow', now() + interval '1 day'
      from memories.memory where id = ${memory.id} returning workspace_id`
    workspaceId = row?.workspace_id
    const { count } = await sql`
      update graph.reading set due_at = null, error = 'the model refuses', attempts = 5 where memory_id = ${memory.id}`
    expect(count).toBe(1)
  })

  const amiss = await doctor()
  const [held, givenUp] = [`graph:decay-weights/${workspaceId}/edge-1`, `graph.reading/${workspaceId}/${memory.id}`]
  expect(amiss.code).toBe(1)
  for (const said of [held, '22003 value out of range', givenUp, 'the model refuses'])
    expect(amiss.stdout).toContain(said)
  const second = await startServer(store)
  const ready = await second.client('').get('/ready')
  expect([ready.status, ready.body.checks.quarantine, ready.body.details.quarantine.rows]).toEqual([200, 'degraded', 1])
  expect(await second.stop()).toBe(0)

  const unknown = await doctor('release', `graph:decay-weights/${workspaceId}/edge-2`)
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is nothing with the ID')])
  for (const id of [held, givenUp]) expect((await doctor('release', id)).code).toBe(0)
  expect(await doctor('discard', 'memories:process')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('a task of the plugin memories, which is here'),
  })
  const released = await doctor()
  expect([released.code, released.stdout]).toEqual([0, expect.stringContaining('Nothing is quarantined')])
}, 180_000)

test('an operator sees what waits for long, and has the failed memories of all workspaces processed again', async () => {
  const store = await preparedStore()
  const doctor = (...words: string[]) => runToEnd('server/main.ts', store, ['doctor', ...words])
  const first = await startServer(store)
  const { body: memory } = await first.client().post('/v1/memories', { memory: 'Ada keeps bees on a roof in Lisbon.' })
  const isCompleted = async (server: typeof first) =>
    (await server.client(first.apiKey).get(`/v1/memories/${memory.id}`)).body.status === 'COMPLETED'
  await until('it is processed', () => isCompleted(first))
  expect(await first.stop()).toBe(0)
  await onStore(store, async sql => {
    await sql`update memories.memory set status = 'FAILED', error = 'the model refuses'`
    await sql`select graphile_worker.add_job('memories:process', '{}'::json, run_at => now() + interval '1 minute')`
    await sql`
      update graphile_worker._private_jobs
      set flags = jsonb_build_object('waiting_since:' || (now() - interval '2 hours'), true)`
  })
  const amiss = await doctor()
  expect(amiss.code).toBe(1)
  expect(amiss.stdout).toMatch(/delayed jobs: memories:process,[\s\S]*1 wait without progress/)
  expect(amiss.stdout).not.toContain('discard TASK')
  const reprocess = (...words: string[]) => runToEnd('server/command.ts', store, ['memories', 'reprocess', ...words])
  expect((await reprocess('all')).code).toBe(2)
  const queued = await reprocess()
  expect([queued.code, queued.stdout]).toEqual([0, expect.stringMatching(/^workspace .*: 1\n.*again: 1$/m)])
  await onStore(store, sql => sql`update graphile_worker._private_jobs set flags = null, run_at = now()`)
  const second = await startServer(store)
  await until('it is processed again', () => isCompleted(second))
  expect(await second.stop()).toBe(0)
  expect(await reprocess()).toMatchObject({ code: 0, stdout: expect.stringContaining('again: 0') })
}, 180_000)

test('a database that lacks a table is told to be older, damaged or empty, each with what to do', async () => {
  const store = await preparedStore()
  const told = async (statement: string) => {
    await onStore(store, sql => sql.unsafe(statement))
    const { code, stderr } = await runToEnd('server/main.ts', store, ['doctor'])
    expect(code).toBe(1)
    return stderr
  }
  const damaged = 'the database lacks a part: relation "core.quarantine" does not exist.'
  expect(await told('drop table core.quarantine')).toContain(damaged)
  const older = await told(`delete from core.migration where owner = 'core' and name = '0008_create_quarantine.sql'`)
  expect(older).toContain('the database is of an older version of Mneme')
  expect(await told('drop schema core cascade')).toContain('the database is empty. Start the server once.')
}, 120_000)
