import { expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import { until } from '../support/wait.ts'
import { processed, subject } from './subject.ts'

async function say(client: Client, memory: string, saidAt?: string): Promise<string> {
  const metadata = saidAt === undefined ? null : { said_at: saidAt }
  const { body } = await client.post('/v1/memories', { memory, user_id: 'ada', metadata })
  await processed(client, body.id)
  return body.id
}

test('recency and the order of equals go by when a memory was said, not by when it was stored', async () => {
  const { client } = await (await subject()).account()
  const now = Date.now()
  const day = (ago: number) => new Date(now - ago * 86_400_000).toISOString()
  const recent = await say(client, 'The heron stood at the pond.', day(1))
  const old = await say(client, 'The heron stood at the weir.', day(300))
  const middle = await say(client, 'The heron stood at the lock.', day(30))
  for (const mode of ['hybrid', 'keyword']) {
    const { body } = await client.post('/v1/memories/search', { query: 'heron stood', mode, explain: true })
    const recency = new Map(body.data.map(({ id, explanation }: Json) => [id, explanation.recency]))
    expect([recent, middle, old].map(id => Math.round(10 * Number(recency.get(id))))).toEqual([10, 5, 0])
    if (mode === 'keyword') expect(body.data.map(({ id }: Json) => id)).toEqual([recent, middle, old])
  }
})

test('a corrected time moves a memory in the ranking, for questions of time and in the graph', async () => {
  const { client } = await (await subject()).account()
  await say(client, 'I live in Lisbon.', '2024-05-01T10:00:00Z')
  const id = await say(client, 'I live in Bergen.', '2023-05-01T10:00:00Z')
  const lives = async () =>
    (await client.post('/v1/graph/query', { query: 'Where do I live?', user_id: 'ada' })).body.answer
  const settled = (place: string) =>
    until(`the graph says ${place}`, async () => (await lives()).includes(`lives in ${place}`) || undefined)
  await settled('Lisbon')
  await client.put(`/v1/memories/${id}`, { memory: 'I live in Bergen.', metadata: { said_at: '2025-05-01T10:00:00Z' } })
  await processed(client, id)
  await settled('Bergen')
  const { body } = await client.post('/v1/memories/search', { query: 'What was said on 1 May 2025?', explain: true })
  const found = body.data.filter(({ explanation }: Json) => explanation.evidence.entities > 0)
  expect(found.map((one: Json) => one.id)).toEqual([id])
})

/** The texts of memories that a search finds because they are of the time that it names. */
async function ofTime(client: Client, query: string, fields: object = {}): Promise<string[]> {
  const { body } = await client.post('/v1/memories/search', { query, user_id: 'ada', explain: true, ...fields })
  const found = body.data.filter(({ explanation }: Json) => explanation.evidence.entities > 0)
  return found.map(({ memory }: Json) => memory)
}

test('days and spans that a memory names by how they lie to it are found by their dates', async () => {
  const { client } = await (await subject()).account()
  // A Wednesday.
  const saidAt = '2024-05-15T12:00:00Z'
  await say(client, 'The boiler was serviced last Friday.', saidAt)
  await say(client, 'Wir haben uns vorgestern am Hafen getroffen.', saidAt)
  await say(client, 'The exhibition opens next week.', saidAt)
  await say(client, 'Bread should rest before it is cut.', saidAt)
  expect(await ofTime(client, 'What happened on 10 May 2024?')).toEqual(['The boiler was serviced last Friday.'])
  expect(await ofTime(client, 'Was war am 13. Mai 2024?')).toEqual(['Wir haben uns vorgestern am Hafen getroffen.'])
  expect(await ofTime(client, 'What was on 22 May 2024?')).toEqual(['The exhibition opens next week.'])
  expect(await ofTime(client, 'What happened between 9 May and 11 May 2024?')).toEqual([
    'The boiler was serviced last Friday.',
  ])
})

test('times are read in the time zone of the request, else in that of the workspace', async () => {
  const { client, workspaceId } = await (await subject()).account()
  const late = 'The last guest left.'
  await say(client, late, '2024-05-10T02:30:00Z')
  const query = 'What was on 9 May 2024?'
  const timezone = 'America/New_York'
  expect(await ofTime(client, query)).toEqual([])
  expect(await ofTime(client, query, { timezone })).toEqual([late])
  const listed = (fields: object) =>
    client.get('/v1/memories', { query: { search: query, explain: 'true', user_id: 'ada', ...fields } })
  expect((await listed({ timezone })).body.data[0].explanation.evidence.entities).toBe(1)
  const setting = await client.patch(`/v1/workspaces/${workspaceId}`, { settings: { timezone: 'Europe/Nowhere' } })
  expect([setting.status, setting.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  await client.patch(`/v1/workspaces/${workspaceId}`, { settings: { timezone } })
  await until('the setting is known', async () => (await ofTime(client, query)).length === 1 || undefined)
  expect(await ofTime(client, query, { timezone: 'UTC' })).toEqual([])
})

test.each([
  ['POST', '/v1/memories/search'],
  ['POST', '/v1/context'],
  ['POST', '/v1/graph/query'],
  ['GET', '/v1/memories/search'],
])('%s %s refuses what is no time zone', async (method, path) => {
  const { client } = await (await subject()).account()
  const input = { query: 'tea', timezone: 'Mars/Olympus' }
  const { status, body } = await (method === 'POST' ? client.post(path, input) : client.get(path, { query: input }))
  expect(status).toBe(400)
  expect(body.details).toEqual([{ path: expect.stringMatching(/timezone$/), message: expect.stringContaining('IANA') }])
})

test('the graph answers for the day that a question names', async () => {
  const { client } = await (await subject()).account()
  await say(client, 'I live in Lisbon.', '2023-05-01T10:00:00Z')
  await say(client, 'I moved to Bergen.', '2024-05-01T10:00:00Z')
  const ask = async (query: string) => (await client.post('/v1/graph/query', { query, user_id: 'ada' })).body.answer
  await until('both are read', async () => (await ask('Where do I live?')).includes('lives in Bergen') || undefined)
  expect(await ask('Where did I live on 3 June 2023?')).toContain('Lisbon')
  expect(await ask('Where did I live on 3 June 2023?')).not.toContain('Bergen')
  expect(await ask('Where did I live yesterday?')).toContain('Bergen')
})
