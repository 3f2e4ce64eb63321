import { beforeAll, describe, expect, test } from 'bun:test'
import { idleService, service, type TestAccount } from '../../../test/support/service.ts'
import { assistant, handIn, PATH, settled, textsOf, user } from '../world.test-support.ts'

let account: TestAccount

beforeAll(async () => {
  account = await (await service()).account()
})

/** Path to message of a refused body. */
async function faultsOf(body: object): Promise<Record<string, string>> {
  const answer = await account.client.post(PATH, body)
  expect([answer.status, answer.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  return Object.fromEntries(answer.body.details.map(({ path, message }: Record<string, string>) => [path, message]))
}

describe('POST /v1/memories/conversations', () => {
  test('accepts a conversation, and its statements become memories of their user', async () => {
    const { client } = await (await service()).account()
    const messages = [
      { role: 'system', content: 'You are a travel assistant. The user is a premium customer of Globex.' },
      user('Hi! I moved to Lisbon in May.', '2026-06-02T10:15:00+02:00'),
      assistant('How nice! What do you like to do there?'),
      user('I love surfing, but I am allergic to shellfish. Can you suggest a restaurant?', '2026-06-02T08:16:10Z'),
      { role: 'tool', content: 'Restaurant Mar Azul serves fish in Cascais.' },
    ]
    const fields = {
      user_id: 'ada',
      agent_id: 'guide',
      session_id: 'trip',
      categories: [' travel ', 'travel'],
      priority: 'HIGH',
      metadata: { channel: 'web', role: 'mine' },
    }
    const answer = await client.post(PATH, { messages, ...fields })
    expect(answer.status).toBe(202)
    expect(answer.body).toMatchObject({ status: 'PENDING', memories: null, user_id: 'ada', messages: 5, error: null })
    const done = await settled(client, answer.body.id)
    expect(done).toMatchObject({ status: 'COMPLETED', memories_created: 2, memories_known: 0, extracted_by: ['local'] })
    const memories = await Promise.all(done.memories.map((id: string) => client.get(`/v1/memories/${id}`)))
    const shared = { user_id: 'ada', agent_id: 'guide', session_id: 'trip', categories: ['travel'], priority: 'HIGH' }
    expect(memories.map(({ body }) => body)).toMatchObject([
      {
        memory: 'I moved to Lisbon in May.',
        source: 'CONVERSATION',
        ...shared,
        metadata: {
          channel: 'web',
          conversation_id: done.id,
          role: 'user',
          turn: 1,
          said_at: '2026-06-02T08:15:00.000Z',
        },
      },
      { memory: 'I love surfing, but I am allergic to shellfish.', ...shared, metadata: { turn: 3 } },
    ])
    expect((await client.get('/v1/memories')).body.total).toBe(2)
  })

  test('has no memories of a conversation in which nothing is stated', async () => {
    const { client } = await (await service()).account()
    const messages = [
      { role: 'system', content: 'You are a helpful assistant. The user lives in Paris.' },
      user('Good morning!'),
      assistant('Good morning! You live in Paris, I hear.'),
      user('What is the weather like?'),
      user('Thanks, bye!'),
    ]
    expect(await handIn(client, messages)).toMatchObject({ status: 'COMPLETED', memories: [], memories_created: 0 })
    const silent = [{ role: 'system', content: 'I live in Lisbon and my name is Ada.' }]
    expect(await handIn(client, silent)).toMatchObject({ status: 'COMPLETED', memories: [], extracted_by: [] })
    expect((await client.get('/v1/memories')).body.total).toBe(0)
  })

  test('says when each statement was made, or when it was handed in', async () => {
    const { client } = await (await service()).account()
    const done = await handIn(client, [user('I bought a red bicycle.', '2024-02-10'), user('I live in Ghent.')])
    const [bicycle, ghent] = await Promise.all(done.memories.map((id: string) => client.get(`/v1/memories/${id}`)))
    expect(bicycle?.body.metadata.said_at).toBe('2024-02-10T00:00:00.000Z')
    expect(ghent?.body.metadata.said_at).toBe(done.created_at)
  })

  test('a memory that says the same before counts once, and is not made again', async () => {
    const { client } = await (await service()).account()
    const known = await client.post('/v1/memories', { memory: 'I live in Ghent.', user_id: 'ada' })
    const messages = [user('I live in Ghent. I play the oboe.'), user('As I said: \n I live in Ghent.')]
    const done = await handIn(client, messages, { user_id: 'ada' })
    expect(done).toMatchObject({ memories_created: 1, memories_known: 1 })
    expect(done.memories[0]).toBe(known.body.id)
    expect((await client.get('/v1/memories')).body.total).toBe(2)
  })

  test('two users who say the same words each have a memory of it', async () => {
    const { client } = await (await service()).account()
    const ada = await handIn(client, [user('I love sushi.')], { user_id: 'ada' })
    const bob = await handIn(client, [user('I love sushi.')], { user_id: 'bob' })
    expect(bob.memories_created).toBe(1)
    expect(bob.memories).not.toEqual(ada.memories)
    const { body } = await client.get('/v1/memories', { query: { user_id: 'bob' } })
    expect(body.data).toMatchObject([{ memory: 'bob: I love sushi.', metadata: { turn: 0 } }])
    const again = await handIn(client, [user('I love sushi.'), user('I love sushi.')], { user_id: 'bob' })
    expect(again).toMatchObject({ memories: bob.memories, memories_created: 0, memories_known: 1 })
  })

  test('a conversation of 1,000 messages is read to its end', async () => {
    const { client } = await (await service()).account()
    const messages = Array.from({ length: 1000 }, (_, n) =>
      n % 5 === 0 ? user(`My locker number ${n} is in hall ${n % 7}.`) : assistant(`I see, number ${n}.`),
    )
    const done = await handIn(client, messages)
    expect(done).toMatchObject({ status: 'COMPLETED', memories_created: 200, messages: 1000 })
    expect((await textsOf(client, done.memories.slice(0, 2)))[1]).toBe('My locker number 5 is in hall 5.')
  })
})

describe('messages as libraries of language models give them out', () => {
  test('are read for what is said in them, each under its own turn', async () => {
    const { client } = await (await service()).account()
    const messages = [
      { role: 'developer', content: 'I live in Paris.' },
      { id: 'msg_1', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'I live in Lisbon.' }] },
      { role: 'assistant', content: null, refusal: null, tool_calls: [{ id: 'c1', type: 'function', function: {} }] },
      { role: 'tool', tool_call_id: 'c1', name: 'weather', content: [{ type: 'text', text: 'I live in Oslo.' }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'I live in Rome.' }] }],
      },
      {
        role: 'user',
        name: 'ada',
        content: [
          { type: 'text', text: 'I have a cat called Miso.' },
          { type: 'image', source: { type: 'base64', data: 'aGk=' } },
          { type: 'text', text: 'I work at Initech.' },
        ],
      },
    ]
    const done = await handIn(client, messages)
    expect(done).toMatchObject({ status: 'COMPLETED', messages: 6, memories_created: 3 })
    const kept = await Promise.all(done.memories.map((id: string) => client.get(`/v1/memories/${id}`)))
    expect(kept.map(({ body }) => [body.memory, body.metadata.turn])).toEqual([
      ['I live in Lisbon.', 1],
      ['I have a cat called Miso.', 5],
      ['I work at Initech.', 5],
    ])
  })

  test('are refused where a part is none, or its text is too long or no text', async () => {
    const said = (content: unknown) => faultsOf({ messages: [{ role: 'user', content }] })
    expect(await said(5)).toEqual({ 'messages.0.content': 'must be a string, a list of parts, or null' })
    expect(await said('')).toEqual({ 'messages.0.content': 'must not be blank' })
    expect(await said(['hello'])).toEqual({ 'messages.0.content.0': 'must be an object' })
    expect(await said([{ text: 'x' }])).toEqual({ 'messages.0.content.0.type': 'is required' })
    expect(await said([{ type: 'text', text: 'half \ud800' }])).toHaveProperty(['messages.0.content.0.text'])
    const half = { type: 'text', text: 'x'.repeat(30_000) }
    expect(await said([half, half])).toEqual({
      'messages.0.content': 'must have at most 50000 characters in all its parts',
    })
    expect(await faultsOf({ messages: [{ role: 'user' }] })).toEqual({ 'messages.0.content': 'is required' })
  })
})

describe('what is refused', () => {
  test('names every fault', async () => {
    expect(await faultsOf({})).toEqual({ messages: 'is required' })
    expect(await faultsOf({ messages: [] })).toEqual({ messages: 'must have at least 1 item' })
    expect(
      await faultsOf({ messages: [{ role: 'bot', content: ' ', created_at: 'yesterday', mood: 'x' }, 'hi'] }),
    ).toEqual({
      'messages.0.mood': 'is not a known field',
      'messages.0.role': 'must be one of user, assistant, system, tool, developer, function',
      'messages.0.content': 'must not be blank',
      'messages.0.created_at':
        'must be an ISO 8601 date or date-time from 1900 on and not more than a day ahead, or null',
      'messages.1': 'must be an object',
    })
    const messages = [user('I live in Ghent.')]
    expect(Object.keys(await faultsOf({ messages, memory: 'x' }))).toEqual(['memory'])
    expect(Object.keys(await faultsOf({ messages, priority: 'URGENT', user_id: ' ' })).toSorted()).toEqual([
      'priority',
      'user_id',
    ])
    const nextWeek = new Date(Date.now() + 8 * 86_400_000).toISOString()
    for (const said of ['2026-13-01', '0300-01-01', nextWeek]) {
      expect(await faultsOf({ messages: [user('I like tea.', said)] })).toHaveProperty(['messages.0.created_at'])
    }
    expect(await faultsOf({ messages: [user('half \ud800')] })).toHaveProperty(['messages.0.content'])
  })

  test('what is too much', async () => {
    const many = Array.from({ length: 1001 }, () => user('I live in Ghent.'))
    expect(await faultsOf({ messages: many })).toEqual({ messages: 'must have at most 1000 items' })
    expect(await faultsOf({ messages: [user('x'.repeat(50_001))] })).toHaveProperty(['messages.0.content'])
    const long = Array.from({ length: 21 }, () => user('x'.repeat(50_000)))
    expect(await faultsOf({ messages: long })).toEqual({ messages: 'must have at most 1000000 characters in all' })
    const emoji = Array.from({ length: 20 }, () => assistant('😀'.repeat(50_000)))
    expect((await account.client.post(PATH, { messages: emoji })).status).toBe(202)
    const metadata = { text: 'x'.repeat(9000) }
    expect(await faultsOf({ messages: [user('Hi')], metadata })).toEqual({
      metadata: 'must have at most 8192 bytes of JSON',
    })
  })

  test('no key: 401; no right to write: 403, whatever the body', async () => {
    const { anonymous } = await service()
    expect((await anonymous.post(PATH, { messages: [] })).status).toBe(401)
    const reader = await account.key({ permissions: ['memory.read'] })
    const answer = await reader.post(PATH, { messages: [] })
    expect([answer.status, answer.body.error_code]).toEqual([403, 'FORBIDDEN'])
  })

  test('workspaces and their test twins do not see each other’s', async () => {
    const { client, key } = await (await service()).account()
    const test = await key({ mode: 'test' })
    const live = await handIn(client, [user('I live in Ghent.')])
    const twin = await handIn(test, [user('I live in Ghent.')])
    expect(twin.id).not.toBe(live.id)
    expect(twin.memories_created).toBe(1)
    expect((await test.get(`${PATH}/${live.id}`)).status).toBe(404)
  })
})

describe('what waits to be read', () => {
  test('is bounded for each workspace: further conversations are refused until some are done', async () => {
    const { account, database } = await idleService()
    const [{ client, workspaceId }, other] = [await account(), await account()]
    const sent = { messages: [user('I moved to Lisbon in May.')] }
    const { body } = await client.post(PATH, sent)
    const keep = (characters: number, status: string) =>
      database.workspace(
        workspaceId,
        tx =>
          tx`update conversations.conversation set characters = ${characters}, status = ${status} where id = ${body.id}`,
      )
    const send = async (text: string, by = client) => {
      const response = await by.post(PATH, { messages: [user(text)] })
      return [response.status, response.body.error_code]
    }
    for (const status of ['PENDING', 'FAILED']) {
      await keep(100_000_000, status)
      expect(await send(`I like tea and ${status}.`)).toEqual([429, 'RATE_LIMITED'])
    }
    await keep(100_000_000, 'PROCESSING')
    expect((await client.post(PATH, sent)).status).toBe(202)
    expect(await send('I like tea.', other.client)).toEqual([202, undefined])
    await keep(99_000_000, 'PENDING')
    expect(await send('I like tea.')).toEqual([202, undefined])
  })

  test('counts no more once a conversation is done', async () => {
    const running = await service()
    const { client, workspaceId } = await running.account()
    const { body } = await client.post(PATH, { messages: [user('I moved to Lisbon in May.')] })
    const characters = async () => {
      const [row] = await running.database.workspace(
        workspaceId,
        tx => tx<{ characters: number }[]>`select characters from conversations.conversation where id = ${body.id}`,
      )
      return row?.characters
    }
    expect((await settled(client, body.id)).status).toBe('COMPLETED')
    expect(await characters()).toBe(0)
  })
})
