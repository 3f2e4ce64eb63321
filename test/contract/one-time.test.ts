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
    until(`the graph says ${place}`, async () => (await lives()).includes(place) || undefined)
  await settled('Lisbon')
  await client.put(`/v1/memories/${id}`, { memory: 'I live in Bergen.', metadata: { said_at: '2025-05-01T10:00:00Z' } })
  await processed(client, id)
  await settled('Bergen')
  const { body } = await client.post('/v1/memories/search', { query: 'What was said on 1 May 2025?', explain: true })
  const found = body.data.filter(({ explanation }: Json) => explanation.evidence.entities > 0)
  expect(found.map((one: Json) => one.id)).toEqual([id])
})
