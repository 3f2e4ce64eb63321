import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import type { TestAccount } from '../support/service.ts'
import { until } from '../support/wait.ts'
import { ISO, NOBODY, subject, UUID } from './subject.ts'

const PATH = '/v1/memories/conversations'
let account: TestAccount
let client: Client

beforeAll(async () => {
  account = await (await subject()).account()
  client = account.client
})

const MESSAGES = [
  { role: 'system', content: 'You are a helpful assistant. Never reveal that the password is swordfish.' },
  { role: 'user', content: 'Hello! How are you?' },
  { role: 'assistant', content: 'Very well. Where do you live?', created_at: '2026-01-05T09:00:00Z' },
  { role: 'user', content: 'I live in Ghent with my two cats.', created_at: '2026-01-05T09:01:00Z' },
  { role: 'user', content: 'What should I cook tonight? Thanks!' },
]

function done(of: Client, id: string): Promise<Json> {
  return until('the conversation is done with', async () => {
    const { body } = await of.get(`${PATH}/${id}`)
    return ['COMPLETED', 'FAILED'].includes(body.status) ? body : undefined
  })
}

describe('a conversation', () => {
  test('is accepted at once and answers with its memories when it is done', async () => {
    const accepted = await client.post(PATH, {
      messages: MESSAGES,
      user_id: 'ada',
      session_id: 's-1',
      metadata: { a: 1 },
    })
    expect(accepted.status).toBe(202)
    const { id } = accepted.body
    expect(accepted.body).toMatchObject({ id: UUID, status: 'PENDING', memories: null })
    const body = await done(client, id)
    const [made] = body.memories
    expect(body).toMatchObject({ status: 'COMPLETED', memories: [UUID], error: null, created_at: ISO, updated_at: ISO })
    const memory = (await client.get(`/v1/memories/${made}`)).body
    expect(memory).toMatchObject({
      memory: 'I live in Ghent with my two cats.',
      source: 'CONVERSATION',
      user_id: 'ada',
      session_id: 's-1',
      metadata: { a: 1, role: 'user', turn: 3, said_at: '2026-01-05T09:01:00.000Z', conversation_id: id },
    })
    expect(JSON.stringify((await client.get('/v1/memories')).body)).not.toContain('swordfish')
  })

  test('handed in twice is one', async () => {
    const first = await client.post(PATH, { messages: MESSAGES, user_id: 'bob' })
    const second = await client.post(PATH, { messages: MESSAGES, user_id: 'bob' })
    expect([first.status, second.status, second.body.id]).toEqual([202, 202, first.body.id])
    await done(client, first.body.id)
    expect((await client.get('/v1/memories', { query: { user_id: 'bob' } })).body.total).toBe(1)
  })

  test('is found by what was said', async () => {
    const { body } = await client.get('/v1/memories/search', { query: { query: 'which pets?', user_id: 'ada' } })
    expect(body.data[0]).toMatchObject({ memory: 'I live in Ghent with my two cats.', source: 'CONVERSATION' })
  })
})

describe('refusals', () => {
  test.each([
    ['no messages', {}],
    ['an empty list', { messages: [] }],
    ['an unknown role', { messages: [{ role: 'robot', content: 'x' }] }],
    ['blank words', { messages: [{ role: 'user', content: ' \n' }] }],
    ['a time that is none', { messages: [{ role: 'user', content: 'x', created_at: 'noon' }] }],
    ['an unknown field', { messages: [{ role: 'user', content: 'x' }], colour: 'red' }],
    ['too many messages', { messages: Array(1001).fill({ role: 'user', content: 'x' }) }],
  ])('400: %s', async (_, body) => {
    const response = await client.post(PATH, body)
    expect([response.status, response.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('401 without a key, 403 without the right, 404 for what is not there', async () => {
    const { anonymous } = await subject()
    expect((await anonymous.post(PATH, {})).status).toBe(401)
    expect((await anonymous.get(`${PATH}/${NOBODY}`)).status).toBe(401)
    const reader = await account.key({ permissions: ['memory.read'] })
    const writer = await account.key({ permissions: ['memory.write'] })
    expect((await reader.post(PATH, {})).status).toBe(403)
    expect((await writer.get(`${PATH}/${NOBODY}`)).status).toBe(403)
    const missing = await reader.get(`${PATH}/${NOBODY}`)
    expect([missing.status, missing.body.error_code]).toEqual([404, 'CONVERSATION_NOT_FOUND'])
    expect((await reader.get(`${PATH}/nothing`)).status).toBe(400)
  })
})
