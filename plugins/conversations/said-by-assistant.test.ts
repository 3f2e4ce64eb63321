import { expect, test } from 'bun:test'
import type { Json } from '../../test/support/client.ts'
import { service } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'
import { assistant, handIn, user } from './world.test-support.ts'

test('what the assistant recommends is found as its own, and makes no fact about the user', async () => {
  const { client, workspaceId } = await (await service()).account()
  const messages = [
    user('Which carry-on backpack should I get for two weeks in Asia? I work at Initech.', '2026-03-01T10:00:00Z'),
    assistant("I'd go with the Osprey Farpoint 40. I live in Paris and my sister Zoe works at Globex."),
  ]
  const done = await handIn(client, messages, { user_id: 'ada' })
  expect(done).toMatchObject({ memories_created: 2, extracted_by: ['local'] })
  const said = await client.get(`/v1/memories/${done.memories[1]}`)
  expect(said.body).toMatchObject({
    user_id: 'ada',
    source: 'CONVERSATION',
    metadata: { turn: 1, role: 'assistant', said_by: 'assistant', conversation_id: done.id },
  })
  expect(said.body.memory).toStartWith('User: Which carry-on backpack should I get for two weeks in Asia?\nAssistant: ')
  const { body: found } = await client.post('/v1/memories/search', {
    query: 'Which backpack did you recommend?',
    user_id: 'ada',
  })
  expect(found.data[0].id).toBe(said.body.id)
  const names = await until('the graph has read both', async () => {
    const { body } = await client.get('/v1/graph/entities', { query: { user_id: 'ada' } })
    const told: string[] = body.data.map(({ name }: Json) => name)
    const waiting = await (await service()).database.workspace(
      workspaceId,
      tx => tx`select from graph.reading where reading.workspace_id = ${workspaceId} and reading.extracted_by is null`,
    )
    return told.includes('Initech') && waiting.length === 0 ? told : undefined
  })
  expect(names).not.toContain('Paris')
  expect(names).not.toContain('Globex')
  const { body: profile } = await client.get(`/v1/memories/profile/${workspaceId}/ada`)
  expect(JSON.stringify(profile)).not.toMatch(/Osprey|Paris|Globex/)
})

test('what the user says later of the same is not named as newer than what the assistant said', async () => {
  const { client } = await (await service()).account()
  const backpack = [
    user('Which backpack should I take to Asia?'),
    assistant('I would take the Osprey Farpoint 40 backpack to Asia.'),
  ]
  const first = await handIn(client, backpack, { user_id: 'ada' })
  const second = await client.post('/v1/memories', {
    user_id: 'ada',
    memory: 'I took the Osprey Farpoint 40 backpack to Asia.',
  })
  const settled = (id: string) =>
    until('it is processed', async () => {
      const { body } = await client.get(`/v1/memories/${id}`)
      return body.status === 'COMPLETED' ? body : undefined
    })
  await settled(second.body.id)
  expect((await settled(first.memories[0])).newer).toEqual([])
})
