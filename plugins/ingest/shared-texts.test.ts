import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Client, Json } from '../../test/kit/client.ts'
import { purge, retentionsOf } from '../../test/support/retention.ts'
import { service } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'
import { ingestPlugin } from './index.ts'
import { handbook, ingest, JOBS, memoriesOf } from './world.test-support.ts'

const file = (name: string, ...topics: string[]) => ({ name, content: handbook(...topics) })

/** A document whose paragraph becomes a memory, and another that has the paragraph too. */
async function shared(other: Readonly<Record<string, string>> = {}) {
  const { client, workspaceId } = await (await service()).account()
  const first = await ingest(client, { categories: 'first' }, file('a.md', 'parking', 'holidays'))
  const [parking, holidays] = await memoriesOf(client, first.id)
  const second = await ingest(client, { categories: 'second', ...other }, file('b.md', 'travel', 'parking'))
  expect(second).toMatchObject({ status: 'COMPLETED', memories_created: 1, memories_skipped: 1 })
  return { client, workspaceId, first, second, parking, holidays }
}

const removeWithMemories = async (client: Client, { id }: Json) =>
  expect((await client.delete(`${JOBS}/${id}`, { query: { memories: 'true' } })).status).toBe(204)

const isThere = async (client: Client, { id }: Json) => (await client.get(`/v1/memories/${id}`)).status === 200

const ways = {
  'a version that has it no more': (client: Client) =>
    ingest(client, { replace: 'true', categories: 'third' }, file('a.md', 'holidays', 'meals')),
  'the deletion of the document': (client: Client, first: Json) => removeWithMemories(client, first),
}

for (const [name, take] of Object.entries(ways)) {
  test(`a text that another document has too stays through ${name}, as that one's`, async () => {
    const { client, first, second, parking } = await shared()
    await take(client, first)
    const own = await memoriesOf(client, second.id)
    expect(own.map(({ metadata }) => metadata.heading_path.at(-1))).toEqual(['travel', 'parking'])
    expect(own[1]).toMatchObject({
      id: parking.id,
      session_id: second.document_id,
      categories: ['second'],
      metadata: { ingest_job_id: second.id, document_id: second.document_id, file_name: 'b.md', place: 1 },
    })
    // It goes with the last document that has it.
    await removeWithMemories(client, second)
    expect(await isThere(client, parking)).toBe(false)
  })
}

test('a text that only another user has too goes with its document', async () => {
  const { client, first, second, parking } = await shared({ user_id: 'bob' })
  await removeWithMemories(client, first)
  expect([await isThere(client, parking), (await memoriesOf(client, second.id)).length]).toEqual([false, 1])
})

test('a text goes with its document when the other one has it no more, also where that was so before an update', async () => {
  const { client, first, parking, second, workspaceId } = await shared()
  const { database } = await service()
  const skipped = () =>
    database.workspace(
      workspaceId,
      tx => tx`
        select chunk.workspace_id, chunk.job_id, chunk.place, encode(chunk.text_hash, 'hex') as hash, chunk.memory_id
        from ingest.chunk
        where chunk.state = 'skipped'`,
    )
  const [chunk] = await skipped()
  await ingest(client, { replace: 'true' }, file('b.md', 'travel'))
  expect(await skipped()).toHaveLength(0)
  await database.workspace(
    workspaceId,
    tx => tx`
      insert into ingest.chunk (workspace_id, job_id, place, text_hash, place_in_document, state, memory_id, is_settled)
      values (${workspaceId}, ${second.id}, ${chunk?.place}, decode(${chunk?.hash}, 'hex'), '{}', 'skipped', ${parking.id}, true)`,
  )
  const migration = await readFile(new URL('./sql/0010_drop_skipped_of_older.sql', import.meta.url), 'utf8')
  await database.system(tx => tx.unsafe(migration))
  await removeWithMemories(client, first)
  expect(await isThere(client, parking)).toBe(false)
})

test('a text goes with the last of its documents, also where all are deleted at once', async () => {
  const { client } = await (await service()).account()
  const first = await ingest(client, {}, file('a.md', 'parking'))
  const [parking] = await memoriesOf(client, first.id)
  const second = await ingest(client, {}, file('b.md', 'parking'))
  expect(second).toMatchObject({ memories_created: 0, memories_skipped: 1 })
  await Promise.all([removeWithMemories(client, second), removeWithMemories(client, first)])
  expect(await isThere(client, parking)).toBe(false)
})

test('a memory that somebody edited goes with its document, for no other one has its text', async () => {
  const { client, first, second, parking } = await shared()
  await client.put(`/v1/memories/${parking.id}`, { memory: 'Nobody parks here any more.' })
  await removeWithMemories(client, first)
  expect([await isThere(client, parking), (await memoriesOf(client, second.id)).length]).toEqual([false, 1])
})

test('a repetition of a document is none that keeps its texts once a version has taken the place of both', async () => {
  const { client, first, parking } = await shared({ user_id: 'bob' })
  await ingest(client, {}, file('a.md', 'parking', 'holidays'))
  await ingest(client, { replace: 'true', document_name: 'a.md' }, file('a.md', 'holidays'))
  expect([await isThere(client, parking), (await memoriesOf(client, first.id)).length]).toEqual([false, 0])
})

/** An account whose jobs can be made to have ended long ago. */
async function aging() {
  const { database, account } = await service()
  const { client, workspaceId } = await account()
  const purgeLater = async () => {
    await database.workspace(workspaceId, tx => tx`update ingest.job set updated_at = now() - interval '31 days'`)
    await purge(database, retentionsOf(ingestPlugin), workspaceId)
  }
  return { client, purgeLater }
}

test('a document whose texts another one has stays as long as they do, and takes them over', async () => {
  const { client, purgeLater } = await aging()
  const first = await ingest(client, {}, file('a.md', 'parking'))
  const [parking] = await memoriesOf(client, first.id)
  const second = await ingest(client, {}, file('b.md', 'parking'))
  await purgeLater()
  await removeWithMemories(client, first)
  expect((await memoriesOf(client, second.id)).map(({ id }) => id)).toEqual([parking.id])
  const third = await ingest(client, {}, file('c.md', 'parking'))
  await client.delete(`/v1/memories/${parking.id}`)
  await until('both documents go', async () => {
    await purgeLater()
    const statuses = [second, third].map(async ({ id }) => (await client.get(`${JOBS}/${id}`)).status)
    return (await Promise.all(statuses)).every(status => status === 404)
  })
})

test('of a document that was sent again and again, the newest repetition with a text stays and takes it over', async () => {
  const { client, purgeLater } = await aging()
  const first = await ingest(client, {}, file('a.md', 'parking', 'holidays'))
  const [parking, holidays] = await memoriesOf(client, first.id)
  const both = await ingest(client, {}, file('a.md', 'parking', 'holidays'))
  const [repeated, newest] = [
    await ingest(client, {}, file('a.md', 'parking')),
    await ingest(client, {}, file('a.md', 'parking')),
  ]
  await purgeLater()
  const statuses = [first, both, repeated, newest].map(async ({ id }) => (await client.get(`${JOBS}/${id}`)).status)
  expect(await Promise.all(statuses)).toEqual([200, 200, 404, 200])
  await removeWithMemories(client, first)
  expect([await isThere(client, parking), await isThere(client, holidays)]).toEqual([true, true])
})

test('a document does not stay for the texts of another user, which it never takes over', async () => {
  const { client, purgeLater } = await aging()
  const first = await ingest(client, {}, file('a.md', 'parking'))
  const second = await ingest(client, { user_id: 'bob' }, file('b.md', 'parking'))
  expect(second).toMatchObject({ memories_created: 0, memories_skipped: 1 })
  await purgeLater()
  expect((await client.get(`${JOBS}/${second.id}`)).status).toBe(404)
  expect((await client.get(`${JOBS}/${first.id}`)).status).toBe(200)
})
