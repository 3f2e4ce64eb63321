import { expect, test } from 'bun:test'
import type { Json } from '../support/client.ts'
import { until } from '../support/wait.ts'
import { processed, subject } from './subject.ts'

test('a search for the present finds what holds now, and one for the past what held', async () => {
  const { client } = await (await subject()).account()
  for (const memory of ['I work at Initech.', 'I left Initech and joined Globex.', 'I like working in the garden.'])
    await client.post('/v1/memories', { memory })
  const found = async (query: string) => {
    const { body } = await client.post('/v1/memories/search', { query, explain: true })
    const was: Json = body.data.find(({ memory }: Json) => memory === 'I work at Initech.')
    return { first: body.data[0], was }
  }
  // The long texts of other files, which share the service, are read before.
  const now = await until(
    'the graph knows of the change',
    async () => {
      const { first, was } = await found('Where do I work?')
      return was?.explanation.factors.validity < 1 ? { first, was } : undefined
    },
    150_000,
  )
  expect(now.first.memory).toBe('I left Initech and joined Globex.')
  expect(now.first.explanation.replaces).toEqual({ memory_id: now.was.id, evidence: expect.any(Number) })
  for (const query of ['Where did I work?', 'Who works at Initech?']) {
    const { first, was } = await found(query)
    expect([query, first.explanation.replaces, was.explanation.factors.validity]).toEqual([query, null, 1])
  }
})

test('memories name later ones of their user about the same thing, wherever they are shown', async () => {
  const { client } = await (await subject()).account()
  const say = async (memory: string, day: string, user_id = 'ada') => {
    const { body } = await client.post('/v1/memories', { memory, user_id, metadata: { said_at: `${day}T09:00:00Z` } })
    await processed(client, body.id)
    return body.id as string
  }
  const later = await say(
    'The office is on Mondays and Wednesdays these days, I work from home otherwise.',
    '2026-05-02',
  )
  const earlier = await say('I am in the office on Tuesdays and Thursdays, and work from home otherwise.', '2025-03-01')
  const others = await say('I am in the office every day of the week.', '2026-06-01', 'bob')
  const newer = async (id: string) => (await client.get(`/v1/memories/${id}`)).body.newer
  expect([await newer(earlier), await newer(later), await newer(others)]).toEqual([[later], [], []])
  const { body: listed } = await client.get('/v1/memories', { query: { user_id: 'ada' } })
  const { body: found } = await client.post('/v1/memories/search', { query: 'office days', user_id: 'ada' })
  for (const { data } of [listed, found])
    expect(data.find(({ id }: Json) => id === earlier)).toMatchObject({
      ended_at: null,
      superseded_by: [],
      newer: [later],
    })
  await client.put(`/v1/memories/${later}`, { memory: 'Pickled herring is what Grace asks for at midsummer.' })
  await processed(client, later)
  expect(await newer(earlier)).toEqual([])
  const again = await say(
    'In the office on Fridays only, and at home otherwise: I work there on Mondays, too.',
    '2026-07-01',
  )
  expect(await newer(earlier)).toEqual([again])
  await client.delete(`/v1/memories/${again}`)
  expect(await newer(earlier)).toEqual([])
})
