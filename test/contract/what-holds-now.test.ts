import { expect, test } from 'bun:test'
import type { Json } from '../support/client.ts'
import { until } from '../support/wait.ts'
import { subject } from './subject.ts'

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
