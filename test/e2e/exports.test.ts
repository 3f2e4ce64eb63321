import { expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import { preparedStore, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

const MEMORIES = 450

const file = Array.from({ length: MEMORIES }, (_, n) => `{"text":"Locker ${n} belongs to team ${n % 7}."}\n`).join('')

async function importOf(client: Client): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([file]), 'lockers.jsonl')
  const { body } = await client.request('POST', '/v1/imports', { raw: form })
  return `/v1/imports/${body.id}`
}

function ended(client: Client, path: string): Promise<Json> {
  return until(`${path} has ended`, async () => {
    const { body } = await client.get(path)
    return body.status === 'COMPLETED' || body.status === 'FAILED' ? body : undefined
  })
}

test('servers that are killed while they import and export go on with it, and nothing is there twice or missing', async () => {
  const store = await preparedStore()
  let server = await startServer(store)
  const { apiKey } = server
  const path = await importOf(server.client())
  await until('some of it is stored', async () => (await server.client().get(path)).body.memories_created > 0)
  await server.kill()

  server = await startServer(store)
  // A second server works on the same jobs where the database can have one.
  const second = 'DATABASE_URL' in store ? await startServer(store) : undefined
  const client = server.client(apiKey)
  expect(await ended(client, path)).toMatchObject({
    status: 'COMPLETED',
    memories_created: MEMORIES,
    memories_skipped: 0,
    lines_failed: 0,
  })
  expect((await client.get('/v1/memories')).body.total).toBe(MEMORIES)
  await second?.kill()

  const { id } = (await client.post('/v1/exports', { format: 'JSONL' })).body
  await server.kill()
  server = await startServer(store)
  const again = server.client(apiKey)
  expect((await ended(again, `/v1/exports/${id}`)).status).toBe('COMPLETED')
  const download = new Request(`${server.url}/v1/exports/${id}/download`, { headers: { 'x-api-key': apiKey } })
  const lines = (await (await fetch(download)).text()).trimEnd().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'end', counts: { memory: MEMORIES } })
  const texts = lines.map(line => JSON.parse(line)).flatMap(({ type, memory }) => (type === 'memory' ? [memory] : []))
  expect([texts.length, new Set(texts).size]).toEqual([MEMORIES, MEMORIES])
  expect(await server.stop()).toBe(0)
}, 300_000)
