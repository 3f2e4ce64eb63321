import { expect, test } from 'bun:test'
import { preparedStore, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

const SECTIONS = 300

const section = (n: number) =>
  `## Subject ${n}\n\n${['first', 'second', 'third'].map(place => `The ${place} rule of subject ${n} says what everybody who asks about it has to be told.`).join(' ')}`

test('a server that is killed while it brings a document in goes on with it, and stores no part of it twice', async () => {
  const store = await preparedStore()
  let server = await startServer(store)
  const { apiKey } = server
  const form = new FormData()
  form.append('file', new Blob([Array.from({ length: SECTIONS }, (_, n) => section(n)).join('\n\n')]), 'subjects.md')
  const { body: job } = await server.client().request('POST', '/v1/memories/ingest', { raw: form })
  const read = async () => (await server.client(apiKey).get(`/v1/ingest-jobs/${job.id}`)).body
  for (const share of [0, 0.4]) {
    await until('some of it is there', async () => (await read()).progress.chunks_done > SECTIONS * share)
    await server.kill()
    server = await startServer(store)
  }
  const done = await until('the job has ended', async () => {
    const state = await read()
    return state.status === 'COMPLETED' || state.status === 'FAILED' ? state : undefined
  })
  expect(done).toMatchObject({
    status: 'COMPLETED',
    memories_created: SECTIONS,
    memories_skipped: 0,
    progress: { chunks_total: SECTIONS, chunks_done: SECTIONS },
  })
  const client = server.client(apiKey)
  expect((await client.get('/v1/memories')).body.total).toBe(SECTIONS)
  const last = await client.get(`/v1/ingest-jobs/${job.id}/memories`, { query: { page: SECTIONS, page_size: 1 } })
  expect(last.body.data[0].metadata).toMatchObject({ place: SECTIONS - 1, heading_path: [`Subject ${SECTIONS - 1}`] })
  expect(await server.stop()).toBe(0)
})
