import { expect, test } from 'bun:test'
import { EXPORTS_KEPT_MAX, IMPORTS_WAITING_MAX } from './limits.ts'
import { handWorld, upload } from './world.test-support.ts'

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
      insert into exports.import (workspace_id, id, user_id, status, created_at)
      values (${workspaceId}, gen_random_uuid(), 'default', 'UPLOADING', now() - interval '7 hours')`
  })
  expect((await upload(client, JSON.stringify({ text: 'One more.' }))).status).toBe(202)
})

test('exports that are kept are bounded, and room comes with each that expires', async () => {
  const { client, database, workspaceId } = await handWorld()
  await database.workspace(
    workspaceId,
    tx => tx`
      insert into exports.export (workspace_id, id, format, include, status, expires_at)
      select ${workspaceId}::uuid, gen_random_uuid(), 'JSONL', '{memories}', 'COMPLETED', now() + n * interval '1 hour'
      from generate_series(1, ${EXPORTS_KEPT_MAX}::int) as n`,
  )
  const refused = await client.post('/v1/exports', { format: 'JSONL' })
  expect([refused.status, refused.body.error_code, refused.headers.get('retry-after')]).toEqual([
    429,
    'RATE_LIMITED',
    '3600',
  ])
  await database.workspace(
    workspaceId,
    tx => tx`
      update exports.export set expires_at = now() - interval '1 second'
      where workspace_id = ${workspaceId} and expires_at < now() + interval '90 minutes'`,
  )
  expect((await client.post('/v1/exports', { format: 'JSONL' })).status).toBe(202)
  expect((await client.post('/v1/exports', { format: 'JSONL' })).status).toBe(429)
})
