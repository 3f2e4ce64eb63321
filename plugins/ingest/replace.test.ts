import { expect, test } from 'bun:test'
import type { Client } from '../../test/kit/client.ts'
import { service } from '../../test/support/service.ts'
import { handbook, ingest, JOBS, memoriesOf } from './world.test-support.ts'

const topicsOf = async (client: Client, id: string) =>
  (await memoriesOf(client, id)).map(({ metadata }) => metadata.heading_path.at(-1))

test('a newer version keeps what is unchanged, adds what is new and deletes what is gone', async () => {
  const { client } = await (await service()).account()
  const name = 'handbook.md'
  const first = await ingest(client, { user_id: 'ada' }, { name, content: handbook('parking', 'holidays', 'travel') })
  const before = await memoriesOf(client, first.id)
  const fields = { user_id: 'ada', replace: 'true' }
  const second = await ingest(client, fields, { name, content: handbook('parking', 'meals', 'travel') })
  expect(second).toMatchObject({
    status: 'COMPLETED',
    document_id: first.document_id,
    memories_created: 1,
    memories_skipped: 0,
    progress: { chunks_total: 3, chunks_done: 3 },
  })
  expect(await topicsOf(client, second.id)).toEqual(['parking', 'meals', 'travel'])
  const after = await memoriesOf(client, second.id)
  expect([after[0].id, after[2].id]).toEqual([before[0].id, before[2].id])
  expect(new Set(after.map(memory => memory.session_id))).toEqual(new Set([first.document_id]))
  expect((await client.get(`/v1/memories/${before[1].id}`)).status).toBe(404)
  expect((await client.get('/v1/memories')).body.total).toBe(3)
  expect(await topicsOf(client, first.id)).toEqual([])
  expect((await client.get(`${JOBS}/${first.id}`)).body.status).toBe('COMPLETED')
})

test('the same version once more changes nothing', async () => {
  const { client } = await (await service()).account()
  const file = { name: 'a.md', content: handbook('parking', 'holidays') }
  const first = await ingest(client, {}, file)
  const before = await memoriesOf(client, first.id)
  const again = await ingest(client, { replace: 'true' }, file)
  expect(again).toMatchObject({ status: 'COMPLETED', memories_created: 0 })
  expect((await memoriesOf(client, again.id)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
})

test('a newer version that cannot be read leaves the older one as it is', async () => {
  const { client } = await (await service()).account()
  const first = await ingest(client, {}, { name: 'a.json', content: JSON.stringify({ city: 'Ghent' }) })
  const failed = await ingest(client, { replace: 'true' }, { name: 'a.json', content: '{"city": ' })
  expect(failed).toMatchObject({ status: 'FAILED', error_code: 'CORRUPT_FILE', memories_created: 0 })
  expect(await memoriesOf(client, first.id)).toHaveLength(1)
})

test('a document of another user, or of another name, is no older version', async () => {
  const { client } = await (await service()).account()
  const first = await ingest(client, { user_id: 'ada' }, { name: 'a.md', content: handbook('parking') })
  const other = { replace: 'true', user_id: 'bob' }
  const bobs = await ingest(client, other, { name: 'a.md', content: handbook('holidays') })
  const named = await ingest(client, { replace: 'true', user_id: 'ada' }, { name: 'b.md', content: handbook('meals') })
  expect(new Set([first, bobs, named].map(job => job.document_id)).size).toBe(3)
  expect((await client.get('/v1/memories')).body.total).toBe(3)
})
