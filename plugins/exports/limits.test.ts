import { expect, test } from 'bun:test'
import { v7 } from 'uuid'
import { EXPORT_BYTES_KEPT_MAX, EXPORTS_KEPT_MAX, IMPORTS_WAITING_MAX } from './limits.ts'
import { writeTask } from './tasks/write.ts'
import { handWorld, upload } from './world.test-support.ts'

/** Exports are written by the test, one run of the task each, which may be its last. */
async function writingTasks() {
  const world = await handWorld()
  const { client, workspaceId, scope } = world
  const jobOf = (id: string) => {
    const payload = { workspace_id: workspaceId, export_id: id }
    return { payload: payload as never, scope, signal: new AbortController().signal, attempt: 3, maxAttempts: 3 }
  }
  const read = async (id: string) => (await client.get(`/v1/exports/${id}`)).body
  return {
    ...world,
    async written(id: string) {
      await writeTask.run(jobOf(id))
      return read(id)
    },
    async exhausted(id: string) {
      await writeTask.exhausted?.(jobOf(id), new Error('The disk was full.'))
      return read(id)
    },
  }
}

test('imports that have not ended are bounded, and room comes with each that ends', async () => {
  const { client, database, workspaceId } = await handWorld()
  for (let n = 0; n < IMPORTS_WAITING_MAX; n++) {
    expect((await upload(client, JSON.stringify({ text: `Note ${n}.` }))).status).toBe(202)
  }
  const refused = await upload(client, JSON.stringify({ text: 'One more.' }))
  expect([refused.status, refused.body.error_code, refused.headers.get('retry-after')]).toEqual([
    429,
    'RATE_LIMITED',
    '60',
  ])
  expect((await client.get('/v1/imports')).body.data).toHaveLength(IMPORTS_WAITING_MAX)
  await database.workspace(workspaceId, async tx => {
    const oldest = tx`select id from exports.import where workspace_id = ${workspaceId} order by id`
    await tx`update exports.import set status = 'COMPLETED' where workspace_id = ${workspaceId} and id = (${oldest} limit 1)`
    // A server that died in the middle of an upload left this one.
    await tx`
      insert into exports.import (workspace_id, id, user_id, status, created_at, updated_at)
      values (${workspaceId}, gen_random_uuid(), 'default', 'UPLOADING', now() - interval '1 hour', now() - interval '20 minutes')`
  })
  expect((await upload(client, JSON.stringify({ text: 'One more.' }))).status).toBe(202)
})

test('an upload counts as one that waits as long as pieces of it come', async () => {
  const { client, database, workspaceId } = await handWorld()
  await database.workspace(
    workspaceId,
    tx => tx`
      insert into exports.import (workspace_id, id, user_id, status, created_at, updated_at)
      select ${workspaceId}::uuid, gen_random_uuid(), 'default', 'UPLOADING', now() - interval '7 hours', now() - interval '20 minutes'
      from generate_series(1, ${IMPORTS_WAITING_MAX}::int)`,
  )
  const add = (number: number, age: string) =>
    database.workspace(
      workspaceId,
      tx => tx`
        insert into exports.import_piece (workspace_id, import_id, number, bytes, created_at)
        select workspace_id, id, ${number}::int, 'x', now() - ${age}::text::interval
        from exports.import
        where workspace_id = ${workspaceId}`,
    )
  await add(9, '16 minutes')
  await add(10, '1 minute')
  expect((await upload(client, JSON.stringify({ text: 'One more.' }))).status).toBe(429)
  await database.workspace(
    workspaceId,
    tx => tx`delete from exports.import_piece where workspace_id = ${workspaceId} and number = 10`,
  )
  expect((await upload(client, JSON.stringify({ text: 'One more.' }))).status).toBe(202)
})

test('exports that are kept are bounded, and room comes with each that expires or is deleted', async () => {
  const { client, database, workspaceId } = await handWorld()
  await database.workspace(
    workspaceId,
    tx => tx`
      insert into exports.export (workspace_id, id, format, include, status, expires_at)
      select ${workspaceId}::uuid, gen_random_uuid(), 'JSONL', '{memories}', 'COMPLETED', now() + n * interval '2 hours'
      from generate_series(1, ${EXPORTS_KEPT_MAX}::int) as n`,
  )
  const make = () => client.post('/v1/exports', { format: 'JSONL' })
  const refused = await make()
  expect([refused.status, refused.body.error_code, refused.headers.get('retry-after')]).toEqual([
    429,
    'RATE_LIMITED',
    '7200',
  ])
  await database.workspace(
    workspaceId,
    tx => tx`
      update exports.export set expires_at = now() - interval '1 second'
      where workspace_id = ${workspaceId} and expires_at < now() + interval '3 hours'`,
  )
  const made = await make()
  expect([made.status, (await make()).status]).toEqual([202, 429])
  expect((await client.delete(`/v1/exports/${made.body.id}`)).status).toBe(204)
  expect([(await make()).status, (await make()).status]).toEqual([202, 429])
})

test('exports of many bytes leave no room for a further one, nor for one that waits', async () => {
  const { client, database, workspaceId, written } = await writingTasks()
  const waiting = (await client.post('/v1/exports', { format: 'JSONL' })).body
  await database.workspace(
    workspaceId,
    tx => tx`
      insert into exports.export (workspace_id, id, format, include, status, expires_at, size_bytes)
      select ${workspaceId}::uuid, gen_random_uuid(), 'JSONL', '{memories}', 'COMPLETED', now() + interval '1 day',
        ${EXPORT_BYTES_KEPT_MAX / 2}::bigint
      from generate_series(1, 2)`,
  )
  const refused = await client.post('/v1/exports', { format: 'JSONL' })
  expect([refused.status, refused.body.error_code]).toEqual([429, 'RATE_LIMITED'])
  expect(await written(waiting.id)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('20 GB') })
})

test('what is written of exports that take turns counts for each of the others, as that of complete ones', async () => {
  const { client, database, workspaceId, written } = await writingTasks()
  const ids: string[] = []
  for (let n = 0; n < 2; n++) ids.push((await client.post('/v1/exports', { format: 'JSONL' })).body.id)
  const [begun = '', waiting = ''] = ids
  await database.workspace(workspaceId, async tx => {
    await tx`
      insert into exports.export (workspace_id, id, format, include, status, expires_at, size_bytes)
      values (${workspaceId}, gen_random_uuid(), 'JSONL', '{memories}', 'COMPLETED', now() + interval '1 day',
        ${EXPORT_BYTES_KEPT_MAX - 10}::bigint)`
    await tx`
      update exports.export
      set status = 'PROCESSING', writing = 1, up_to = gen_random_uuid(), written_to = gen_random_uuid()
      where workspace_id = ${workspaceId} and id = ${begun}`
    await tx`
      insert into exports.export_piece (workspace_id, export_id, writing, number, bytes, memory_ids)
      values (${workspaceId}, ${begun}, 1, 0, convert_to('0123456789', 'UTF8'), '{}')`
  })
  expect((await client.post('/v1/exports', { format: 'JSONL' })).status).toBe(429)
  expect(await written(waiting)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('20 GB') })
  // Its own pieces are no reason to stop.
  expect(await written(begun)).toMatchObject({ status: 'COMPLETED' })
})

test('a file that could not be mended leaves its room to others', async () => {
  const { client, database, workspaceId, exhausted } = await writingTasks()
  const id = v7()
  await database.workspace(
    workspaceId,
    tx => tx`
      insert into exports.export (workspace_id, id, format, include, status, expires_at, size_bytes)
      values (${workspaceId}, ${id}, 'JSONL', '{memories}', 'PROCESSING', now() + interval '1 day',
        ${EXPORT_BYTES_KEPT_MAX}::bigint)`,
  )
  const make = async () => (await client.post('/v1/exports', { format: 'JSONL' })).status
  expect(await make()).toBe(429)
  expect((await exhausted(id)).status).toBe('FAILED')
  expect(await make()).toBe(202)
})
