import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '../support/client.ts'
import { subject } from './subject.ts'

let client: Client

beforeAll(async () => {
  client = (await (await subject()).account()).client
})

const create = (body: object) => client.post('/v1/memories', body)

/** Maps path to message of a refused body. */
async function faultsOf(body: object): Promise<Record<string, string>> {
  const response = await create(body)
  expect([response.status, response.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  return Object.fromEntries(response.body.details.map(({ path, message }: Record<string, string>) => [path, message]))
}

describe('an optional field of a new memory', () => {
  test('takes null for what may be left out, as clients write it that have nothing to say', async () => {
    const nothing = {
      user_id: null,
      agent_id: null,
      session_id: null,
      priority: null,
      categories: null,
      metadata: null,
    }
    const plain = { user_id: 'default', agent_id: null, session_id: null, categories: [], metadata: null }
    const sent = { memory: 'Nothing else is known.', ...nothing, layer: null, expires_at: null }
    const { status, body } = await create(sent)
    expect([status, body]).toEqual([201, expect.objectContaining({ memory: sent.memory, ...plain })])
    expect((await client.get(`/v1/memories/${body.id}`)).body.priority).toBe('MEDIUM')
    expect(
      (await client.post(`/v1/memories/${body.id}/feedback`, { signal: 'POSITIVE', query_hash: null })).status,
    ).toBe(204)
    const batch = await client.post('/v1/memories/batch', { memories: [{ memory: 'Nor of this.', ...nothing }] })
    expect(batch.body.results).toMatchObject([{ status: 201, memory: plain }])
    const messages = [{ role: 'user', content: 'I live in Faro.' }]
    const conversation = await client.post('/v1/memories/conversations', { messages, ...nothing })
    expect([conversation.status, conversation.body.user_id]).toEqual([202, 'default'])
    const template = await client.post('/v1/templates', { name: 'Plain', memories: [{ memory: 'It is so.' }] })
    const applied = await client.post(`/v1/templates/${template.body.id}/apply`, { user_id: null })
    expect(applied.body.memories).toMatchObject([{ user_id: 'default' }])
  })

  test('names what is wrong with a value that may be null', async () => {
    expect(
      await faultsOf({
        memory: 'x',
        user_id: '',
        agent_id: 'a'.repeat(256),
        session_id: 7,
        priority: 'URGENT',
        categories: ['fine', ' ', 'c'.repeat(101)],
        layer: 'LASTING',
      }),
    ).toEqual({
      user_id: 'must not be blank',
      agent_id: 'must have at most 255 characters',
      session_id: 'must be a string',
      priority: 'must be one of LOW, MEDIUM, HIGH',
      'categories.1': 'must not be blank',
      'categories.2': 'must have at most 100 characters',
      layer: 'must be one of TASK, RAW',
    })
    expect(await faultsOf({ memory: 'x', categories: Array.from({ length: 30_000 }, () => 7) })).toMatchObject({
      categories: 'must have at most 20 items',
    })
  })
})
