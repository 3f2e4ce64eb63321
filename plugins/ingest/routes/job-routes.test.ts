import { describe, expect, test } from 'bun:test'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { service, startService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { ended, hand, handbook, ingest, JOBS, memoriesOf } from '../world.test-support.ts'

const ABSENT = '7d9f2f5e-6a40-4a6d-9d0b-3f1f5b8e2c11'
const long = { name: 'long.md', content: handbook(...Array.from({ length: 400 }, (_, n) => `topic ${n}`)) }

/** A service whose jobs nobody works on. */
const idle = async () => startService({ WORKERS: 'none' }, { url: await ownDatabaseUrl() })

describe('GET /v1/ingest-jobs', () => {
  test('lists jobs, newest first, by status and user', async () => {
    const { client } = await (await service()).account()
    const bad = await ingest(client, { user_id: 'ada' }, { name: 'a.json', content: '{"a": ' })
    const good = await ingest(client, { user_id: 'bob' }, { name: 'a.txt', content: 'Bob lives in Rome.' })
    const ids = async (query: Record<string, string> = {}) => {
      const { body } = await client.get(JOBS, { query })
      return body.data.map(({ id }: { id: string }) => id)
    }
    expect(await ids()).toEqual([good.id, bad.id])
    expect(await ids({ status: 'FAILED' })).toEqual([bad.id])
    expect(await ids({ user_id: 'bob' })).toEqual([good.id])
    expect(await ids({ page: '2', page_size: '1' })).toEqual([bad.id])
    expect((await client.get(JOBS, { query: { status: 'DONE' } })).status).toBe(400)
    expect((await client.get(JOBS, { query: { user_id: 'a\u0000' } })).status).toBe(400)
    const name = '🎈'.repeat(255)
    const named = await ingest(client, { user_id: name }, { name: 'b.txt', content: 'Somebody lives in Ghent.' })
    expect(await ids({ user_id: name })).toEqual([named.id])
  })

  test('names the statuses there are where none has the name given', async () => {
    const { client } = await (await service()).account()
    const { status, body } = await client.get('/v1/ingest-jobs?status=DONE')
    expect(status).toBe(400)
    expect(body.details).toEqual([{ path: 'status', message: 'must be one of PENDING, PROCESSING, COMPLETED, FAILED' }])
  })

  test('knows no job of another workspace', async () => {
    const { client } = await (await service()).account()
    const stranger = await (await service()).account()
    const { id } = await ingest(client, {}, { name: 'a.txt', content: 'A text.' })
    const calls: readonly [string, string][] = [
      ['GET', `${JOBS}/${id}`],
      ['GET', `${JOBS}/${id}/memories`],
      ['POST', `${JOBS}/${id}/cancel`],
      ['DELETE', `${JOBS}/${id}`],
      ['GET', `${JOBS}/${ABSENT}`],
    ]
    for (const [method, path] of calls) {
      const { status, body } = await stranger.client.request(method, path)
      expect([status, body.error_code]).toEqual([404, 'INGEST_JOB_NOT_FOUND'])
    }
    expect((await client.get(`${JOBS}/1`)).status).toBe(400)
    const reader = await stranger.key({ permissions: ['ingest.write'] })
    expect((await reader.get(`${JOBS}/${id}`)).status).toBe(403)
  })

  test('shows the texts of a document to those alone who may read memories', async () => {
    const account = await (await service()).account()
    const { id } = await ingest(account.client, {}, { name: 'a.txt', content: 'A text.' })
    const follower = await account.key({ permissions: ['ingest.read'] })
    expect((await follower.get(`${JOBS}/${id}`)).status).toBe(200)
    expect((await follower.get(`${JOBS}/${id}/memories`)).status).toBe(403)
    const reader = await account.key({ permissions: ['memory.read'] })
    expect((await reader.get(`${JOBS}/${id}/memories`)).body.total).toBe(1)
  })
})

describe('POST /v1/ingest-jobs/:id/cancel', () => {
  test('ends a job that nobody works on at once, and its file goes', async () => {
    const stopped = await idle()
    const { client, workspaceId } = await stopped.account()
    const { body } = await hand(client, {}, long)
    const answer = await client.post(`${JOBS}/${body.id}/cancel`)
    expect(answer.status).toBe(202)
    expect(answer.body).toMatchObject({ status: 'FAILED', error_code: 'CANCELLED', memories_created: 0 })
    expect((await client.post(`${JOBS}/${body.id}/cancel`)).status).toBe(202)
    const left = await stopped.database.workspace(workspaceId, tx => tx`select from ingest.piece`)
    expect(left).toHaveLength(0)
  })

  test('stops one that is under way, which keeps what is done', async () => {
    const { client } = await (await service()).account()
    const { body } = await hand(client, {}, long)
    await until('some memories are there', async () => (await client.get('/v1/memories')).body.total > 0)
    expect((await client.post(`${JOBS}/${body.id}/cancel`)).status).toBe(202)
    const job = await ended(client, body.id)
    expect(job).toMatchObject({ status: 'FAILED', error_code: 'CANCELLED' })
    expect(job.memories_created).toBeGreaterThan(0)
    expect(job.memories_created).toBeLessThan(400)
    expect((await client.get('/v1/memories')).body.total).toBe(job.memories_created)
  })

  test('is refused for a job that has ended', async () => {
    const { client } = await (await service()).account()
    const { id } = await ingest(client, {}, { name: 'a.txt', content: 'A text.' })
    const answer = await client.post(`${JOBS}/${id}/cancel`)
    expect([answer.status, answer.body.error_code]).toEqual([409, 'INGEST_JOB_FINISHED'])
  })
})

describe('DELETE /v1/ingest-jobs/:id', () => {
  test('leaves the memories where they are, or takes them along', async () => {
    const { client } = await (await service()).account()
    const kept = await ingest(client, {}, { name: 'a.md', content: handbook('parking', 'holidays') })
    const gone = await ingest(client, {}, { name: 'b.md', content: handbook('travel', 'parking') })
    expect((await client.delete(`${JOBS}/${kept.id}`)).status).toBe(204)
    expect((await client.get('/v1/memories')).body.total).toBe(3)
    expect((await client.delete(`${JOBS}/${gone.id}`, { query: { memories: 'true' } })).status).toBe(204)
    // The text that both have was not made by the second one.
    expect((await client.get('/v1/memories')).body.total).toBe(2)
    expect((await client.get(JOBS)).body.total).toBe(0)
  })

  test('takes memories along only for those who may delete them', async () => {
    const account = await (await service()).account()
    const { id } = await ingest(account.client, {}, { name: 'a.txt', content: 'A text.' })
    const writer = await account.key({ permissions: ['ingest.write'] })
    expect((await writer.delete(`${JOBS}/${id}`, { query: { memories: 'true' } })).status).toBe(403)
    expect((await writer.delete(`${JOBS}/${id}`)).status).toBe(204)
  })

  test('ends a job that is under way, of which no memory comes afterwards', async () => {
    const { client } = await (await service()).account()
    const { body } = await hand(client, {}, long)
    await until('some memories are there', async () => (await client.get('/v1/memories')).body.total > 0)
    expect((await client.delete(`${JOBS}/${body.id}`, { query: { memories: 'true' } })).status).toBe(204)
    expect((await client.get('/v1/memories')).body.total).toBe(0)
    expect((await client.get(`${JOBS}/${body.id}`)).status).toBe(404)
  })
})

test('a memory that is deleted leaves its document', async () => {
  const { client } = await (await service()).account()
  const { id } = await ingest(client, {}, { name: 'a.md', content: handbook('parking', 'holidays') })
  const [first, second] = await memoriesOf(client, id)
  await client.delete(`/v1/memories/${first.id}`)
  const left = await until('it has left', async () => {
    const memories = await memoriesOf(client, id)
    return memories.length === 1 ? memories : undefined
  })
  expect(left.map(memory => memory.id)).toEqual([second.id])
})

test('all memories of a user are deleted: so are the documents of theirs, those that wait to be read too', async () => {
  const stopped = await idle()
  const { client, password } = await stopped.account()
  const ada = (await hand(client, { user_id: 'ada' }, long)).body
  const bob = (await hand(client, { user_id: 'bob' }, long)).body
  const headers = { 'x-confirm-password': password }
  expect((await client.delete('/v1/memories', { query: { user_id: 'ada' }, headers })).status).toBe(204)
  expect((await client.get(`${JOBS}/${ada.id}`)).status).toBe(404)
  expect((await client.get(`${JOBS}/${bob.id}`)).body.status).toBe('PENDING')
})

test('all memories of a session are deleted: so is the document whose session it is', async () => {
  const stopped = await idle()
  const { client, password } = await stopped.account()
  const [gone, kept] = await Promise.all([
    hand(client, {}, long),
    hand(client, {}, { name: 'b.txt', content: 'A text.' }),
  ])
  const clear = async (session: string) => {
    const headers = { 'x-confirm-password': password }
    expect((await client.delete('/v1/memories', { query: { session_id: session }, headers })).status).toBe(204)
    return (await client.get(JOBS)).body.data.map(({ id }: { id: string }) => id).toSorted()
  }
  expect(await clear('no document')).toEqual([gone.body.id, kept.body.id].toSorted())
  expect(await clear(gone.body.document_id)).toEqual([kept.body.id])
})
