import { expect, test } from 'bun:test'
import type { Client } from '../../test/kit/client.ts'
import { service } from '../../test/support/service.ts'
import { ended, hand, handbook, ingest, JOBS, memoriesOf } from './world.test-support.ts'

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

test('a document that another user has already is skipped, with a warning', async () => {
  const { client } = await (await service()).account()
  const file = { name: 'handbook.md', content: handbook('parking') }
  expect((await ingest(client, { user_id: 'ada' }, file)).warnings).toEqual([])
  expect(await ingest(client, { user_id: 'ada' }, file)).toMatchObject({ memories_skipped: 1, warnings: [] })
  const other = await ingest(client, { user_id: 'bob' }, file)
  expect(other).toMatchObject({ status: 'COMPLETED', memories_created: 0, memories_skipped: 1 })
  expect(other.warnings).toEqual([expect.stringContaining('ther users')])
})

test('memories that a newer version keeps have its categories, its session and their place in it', async () => {
  const { client } = await (await service()).account()
  const file = (...topics: string[]) => ({ name: 'handbook.md', content: handbook(...topics) })
  const former = await ingest(client, { categories: 'rules' }, file('parking', 'holidays'))
  const [parking] = await memoriesOf(client, former.id)
  await client.put(`/v1/memories/${parking.id}`, {
    memory: parking.memory,
    categories: ['rules', 'cars'],
    metadata: { ...parking.metadata, checked: true },
  })
  // A document of its own, which the version makes one of.
  await ingest(client, { categories: 'rules' }, file('travel'))
  const fields = { categories: 'guide', replace: 'true', document_name: 'handbook.md' }
  const job = await ingest(client, fields, file('meals', 'travel', 'parking', 'holidays'))
  const memories = await memoriesOf(client, job.id)
  expect(memories.map(({ metadata: { place, heading_path } }) => [place, heading_path.at(-1)])).toEqual([
    [0, 'meals'],
    [1, 'travel'],
    [2, 'parking'],
    [3, 'holidays'],
  ])
  for (const { session_id, metadata } of memories) {
    expect([session_id, metadata.document_id, metadata.ingest_job_id]).toEqual([
      job.document_id,
      job.document_id,
      job.id,
    ])
  }
  expect(memories.map(({ categories }) => categories)).toEqual([['guide'], ['guide'], ['guide', 'cars'], ['guide']])
  expect(memories[2]).toMatchObject({ id: parking.id, metadata: { checked: true } })
  const { body } = await client.post('/v1/memories/search', {
    query: 'parking rules',
    filter: { place: 2 },
    session_id: job.document_id,
    categories: ['cars'],
  })
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([parking.id])
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

const shown = async (client: Client) => {
  const { body } = await client.get('/v1/memories', { query: { page_size: 100 } })
  return body.data
    .map(({ metadata: { heading_path } }: { metadata: { heading_path: string[] } }) => heading_path.at(-1))
    .toSorted()
}

test('a version replaces all of its name: what came before a repetition without replace, and beside it', async () => {
  const { client } = await (await service()).account()
  const file = (...topics: string[]) => ({ name: 'a.md', content: handbook(...topics) })
  await ingest(client, {}, file('parking', 'holidays'))
  expect(await ingest(client, {}, file('parking', 'holidays'))).toMatchObject({ memories_created: 0 })
  await ingest(client, {}, file('parking', 'meals'))
  await ingest(client, {}, { name: 'a.md', content: new Uint8Array() })
  const last = await ingest(client, { replace: 'true', document_name: 'a.md' }, file('parking', 'travel'))
  expect(last).toMatchObject({ status: 'COMPLETED', memories_created: 1, memories_removed: 2, document_name: 'a.md' })
  expect(await shown(client)).toEqual(['parking', 'travel'])
  expect(await topicsOf(client, last.id)).toEqual(['parking', 'travel'])
})

test('several documents that share a file name by chance are replaced only when the caller names them', async () => {
  const { client } = await (await service()).account()
  const statement = (topic: string) => ({ name: 'statement.pdf.md', content: handbook(topic) })
  for (const month of ['january', 'february']) await ingest(client, {}, statement(month))
  const refused = await hand(client, { replace: 'true' }, statement('march'))
  expect([refused.status, refused.body.error_code]).toEqual([409, 'DOCUMENT_AMBIGUOUS'])
  expect(await shown(client)).toEqual(['february', 'january'])
  const other = await ingest(client, { replace: 'true', user_id: 'bob' }, statement('april'))
  expect(other).toMatchObject({ status: 'COMPLETED', memories_removed: 0 })
  const named = await ingest(client, { replace: 'true', document_name: 'statement.pdf.md' }, statement('march'))
  expect(named).toMatchObject({ status: 'COMPLETED', memories_removed: 2 })
  // From then on they are versions of one document.
  expect(await ingest(client, { replace: 'true' }, statement('may'))).toMatchObject({ memories_removed: 1 })
  expect(await shown(client)).toEqual(['april', 'may'])
})

test('versions that are submitted at once replace each other, also the first ones', async () => {
  const { client } = await (await service()).account()
  const topics = ['parking', 'holidays', 'meals']
  const given = await Promise.all(
    topics.map(topic => hand(client, { replace: 'true' }, { name: 'a.md', content: handbook(topic) })),
  )
  const jobs = await Promise.all(given.map(({ body }) => ended(client, body.id)))
  expect(new Set(jobs.map(job => job.document_id)).size).toBe(1)
  expect(await shown(client)).toHaveLength(1)
})

test('a version leaves what came after it', async () => {
  const { client } = await (await service()).account()
  const file = (...topics: string[]) => ({ name: 'a.md', content: handbook(...topics) })
  await ingest(client, {}, file('parking'))
  const replacing = await hand(client, { replace: 'true' }, file('holidays'))
  const beside = await hand(client, {}, file('meals'))
  for (const { body } of [replacing, beside]) await ended(client, body.id)
  expect(await shown(client)).toEqual(['holidays', 'meals'])
})

test('files of one name are documents of their own where the caller names these', async () => {
  const { client } = await (await service()).account()
  const give = (path: string, topic: string) =>
    ingest(client, { replace: 'true', document_name: path }, { name: 'README.md', content: handbook(topic) })
  const first = await give('a/README.md', 'parking')
  expect((await give('b/README.md', 'holidays')).document_id).not.toBe(first.document_id)
  expect(await give('a/README.md', 'meals')).toMatchObject({
    document_id: first.document_id,
    document_name: 'a/README.md',
    file_name: 'README.md',
  })
  expect(await shown(client)).toEqual(['holidays', 'meals'])
})

test('a file without a name replaces nothing', async () => {
  const { client } = await (await service()).account()
  const part = ['--b', 'Content-Disposition: form-data; name="file"', 'Content-Type: text/plain', '', 'A note.']
  const given = (replace: string[]) =>
    client.request('POST', '/v1/memories/ingest', {
      raw: [...replace, ...part, '--b--', ''].join('\r\n'),
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    })
  const replace = ['--b', 'Content-Disposition: form-data; name="replace"', '', 'true']
  const refused = await given(replace)
  expect([refused.status, refused.body.details]).toEqual([
    400,
    [{ path: 'document_name', message: 'is required to replace a file that has no name' }],
  ])
  expect((await given([])).body).toMatchObject({ file_name: null, document_name: null })
  // A browser's form names what has no name so.
  const blob = await hand(client, { replace: 'true' }, { name: 'blob', content: 'A note.' })
  expect([blob.status, blob.body.details]).toEqual([400, refused.body.details])
})
