import { beforeAll, describe, expect, test } from 'bun:test'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestAccount } from '../support/accounts.ts'
import type { Client, Json } from '../support/client.ts'
import { until } from '../support/wait.ts'
import { type Subject, subject } from './subject.ts'

const TOOLS = {
  add_memory: ['memory', 'user_id', 'categories', 'priority', 'metadata'],
  get_context: ['query', 'user_id', 'min_score', 'timezone', 'max_characters'],
  search_memories: ['query', 'user_id', 'mode', 'min_score', 'timezone', 'limit'],
  get_memory: ['id'],
  update_memory: ['id', 'memory', 'categories', 'priority', 'metadata'],
  delete_memory: ['id'],
  list_memories: ['user_id', 'categories', 'created_after', 'created_before', 'page', 'page_size'],
  get_profile: ['user_id'],
  ask_graph: ['query', 'user_id', 'as_of', 'timezone'],
  get_knowledge: ['user_id', 'category'],
  ingest_url: ['url', 'user_id', 'categories'],
}

let service: Subject
let account: TestAccount
beforeAll(async () => {
  service = await subject()
  account = await service.account()
})

/** Connects the protocol's official client by this service's own requests. */
async function agent(client: Client, query = '', mode: 'legacy' | 'auto' = 'auto') {
  const mcp = new McpClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const url = new URL(`/v1/mcp${query}`, client.base)
  const fetch = (input: URL | string, init?: RequestInit) =>
    client.fetch(
      new Request(input, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), ...client.headers },
      }),
    )
  await mcp.connect(new StreamableHTTPClientTransport(url, { fetch }))
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await mcp.callTool({ name, arguments: args })
    const [{ text } = { text: '' }] = content as { text: string }[]
    return { text, isError, json: (): Json => JSON.parse(text) }
  }
  return { mcp, call }
}

describe.each(['legacy', 'auto'] as const)('an agent that speaks the protocol as %s', mode => {
  test('finds the tools, and remembers, finds, corrects and forgets by them', async () => {
    const { mcp, call } = await agent((await service.account()).client, '', mode)
    expect(mcp.getInstructions()).toContain('memory')
    const { tools } = await mcp.listTools()
    expect(Object.fromEntries(tools.map(tool => [tool.name, Object.keys(tool.inputSchema.properties ?? {})]))).toEqual(
      TOOLS,
    )
    expect(tools.filter(tool => tool.annotations?.readOnlyHint).map(({ name }) => name)).toEqual([
      'get_context',
      'search_memories',
      'get_memory',
      'list_memories',
      'get_profile',
      'ask_graph',
      'get_knowledge',
    ])
    const made = (await call('add_memory', { memory: 'Ada keeps bees.', user_id: 'ada', priority: null })).json()
    expect(made).toMatchObject({ memory: 'Ada keeps bees.', user_id: 'ada', priority: 'MEDIUM' })
    const found = (await call('search_memories', { query: 'bees', user_id: 'ada', mode: 'keyword' })).json()
    expect(found).toMatchObject({ memories: [{ id: made.id, memory: 'Ada keeps bees.' }], total: 1 })
    const nothing = (await call('search_memories', { query: 'bees', user_id: 'ada', min_score: '1' })).json()
    expect(nothing).toMatchObject({ total: 0 })
    await call('update_memory', { id: made.id, memory: 'Ada keeps goats.' })
    expect((await call('get_memory', { id: made.id })).json()).toMatchObject({
      id: made.id,
      memory: 'Ada keeps goats.',
    })
    expect((await call('delete_memory', { id: made.id })).isError).toBe(false)
    expect((await call('get_memory', { id: made.id })).text).toStartWith('MEMORY_NOT_FOUND: ')
    expect((await call('list_memories', {})).json()).toEqual({ memories: [], total: 0, page: 1, page_size: 10 })
    await mcp.close()
  })
})

test('tools tell what the memories of a user add up to, the user being named in the address of the endpoint', async () => {
  const { client } = await service.account()
  const { mcp, call } = await agent(client, '?user_id=ada')
  const { tools } = await mcp.listTools()
  const profile = tools.find(({ name }) => name === 'get_profile')
  expect(profile?.inputSchema).toMatchObject({
    properties: { user_id: { description: 'The user whom the profile describes. Left out: ada.' } },
    required: [],
  })
  expect((await call('add_memory', { memory: 'Ada Okafor works at Northwind Labs.' })).json().user_id).toBe('ada')
  const answer = await until('the graph to know', async () => {
    const told = (await call('ask_graph', { query: 'Where does Ada Okafor work?' })).json()
    return told.confidence >= 0.5 ? told : undefined
  })
  expect(answer.answer).toContain('Northwind Labs')
  const knowledge = await until('knowledge to be compiled', async () => {
    const { text } = await call('get_knowledge')
    return text.includes('Northwind Labs') ? text : undefined
  })
  expect(knowledge).toStartWith('# ')
  expect((await call('get_context', { query: 'Who is Ada Okafor?' })).text).toContain(
    '- Ada Okafor works at Northwind Labs',
  )
  expect((await call('get_context', { query: 'bees', user_id: 'bob' })).text).toBe('Nothing is known about this yet.')
  expect((await call('get_knowledge', { user_id: 'bob' })).text).toBe('Nothing has been compiled yet.')
  expect((await call('get_profile')).json().profile).toMatchObject({ userId: 'ada' })
  expect((await call('get_profile', { user_id: 'a/b' })).json()).toEqual({ profile: null })
})

describe('a call that cannot be carried out', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['add_memory', {}, 'add_memory needs memory.'],
    ['add_memory', { memory: null }, 'add_memory needs memory.'],
    ['add_memory', { memory: '  ' }, 'VALIDATION_ERROR: memory must not be blank'],
    ['add_memory', { memory: 'x', text: 'y' }, 'add_memory has no argument text. It takes memory, user_id'],
    ['get_memory', { id: 'x' }, 'VALIDATION_ERROR: id must be a UUID'],
    ['get_memory', { id: 'entities' }, 'VALIDATION_ERROR: id must be a UUID'],
    ['get_memory', { id: { toString: 1 } }, 'id must be a string.'],
    ['get_memory', { id: [] }, 'id must be a string.'],
    ['list_memories', { user_id: { a: 1 } }, 'user_id must be a string.'],
    ['add_memory', { memory: 'x', metadata: '[1]' }, 'VALIDATION_ERROR: metadata '],
    [
      'add_memory',
      { memory: 'x', metadata: `{"a": ${'['.repeat(9000)}${']'.repeat(9000)}}` },
      'VALIDATION_ERROR: metadata ',
    ],
    ['add_memory', { memory: 'x', categories: '["a", "b"' }, 'VALIDATION_ERROR: categories must be'],
    ['delete_memory', { id: '..' }, 'VALIDATION_ERROR: id must be a UUID'],
    ['get_profile', { user_id: '' }, 'VALIDATION_ERROR: user_id '],
    ['search_memories', { query: 'x', limit: 'many' }, 'VALIDATION_ERROR: limit '],
    ['get_profile', {}, 'get_profile needs user_id.'],
    ['ingest_url', { url: 'ftp://example.com' }, 'VALIDATION_ERROR: url must be an absolute http or https URL'],
    ['list_memories', { page_size: 1000 }, 'VALIDATION_ERROR: page_size '],
  ])('%s %p says why', async (name, args, why) => {
    const { call } = await agent(account.client)
    const { text, isError } = await call(name, args)
    expect([isError, text]).toEqual([true, expect.stringContaining(why)])
  })

  test('is an error of the protocol where there is no such tool', async () => {
    const { call } = await agent(account.client)
    await expect(call('forget_everything')).rejects.toThrow('Unknown tool: forget_everything')
  })
})

test('arguments are taken as models write them, by every tool, while the HTTP API stays strict', async () => {
  const { client } = await service.account()
  const { call } = await agent(client, '?user_id=ada')
  const loose = { categories: '["hobby", "food"]', metadata: '{"n": 1, "of": {"x": ""}}', priority: 'high' }
  const made = (await call('add_memory', { memory: 'Ada keeps bees.', user_id: '', ...loose })).json()
  const kept = { user_id: 'ada', categories: ['hobby', 'food'], metadata: { n: 1, of: { x: '' } }, priority: 'HIGH' }
  expect(made).toMatchObject(kept)
  const search = { query: 'bees', limit: '1', mode: 'Keyword', user_id: 'bob' }
  expect((await call('search_memories', search)).json()).toMatchObject({ memories: [], page_size: 1 })
  for (const user_id of [null, 'null', 'None', ' "ada" '])
    expect((await call('search_memories', { ...search, user_id })).json().memories).toHaveLength(1)
  const page = { page: '1', page_size: 5, categories: 'food, none', created_after: '', created_before: 2100 }
  expect((await call('list_memories', page)).json()).toMatchObject({ memories: [kept], page_size: 5 })
  const change = { id: made.id, memory: 'Ada keeps goats.', priority: 'Low', categories: '', metadata: '' }
  expect((await call('update_memory', change)).json()).toMatchObject({ priority: 'LOW', categories: kept.categories })
  expect((await call('get_memory', { id: made.id })).json().metadata).toEqual(kept.metadata)
  const longest = { query: 'goats', max_characters: '500' }
  expect((await call('get_context', longest)).text).toContain('Ada keeps goats')
  const python = { categories: "['pets', 'food']", metadata: '```json\n{"n": 2}\n```' }
  const pets = { categories: ['pets', 'food'], metadata: { n: 2 } }
  expect((await call('update_memory', { ...change, id: ` "${made.id}"`, ...python })).json()).toMatchObject(pets)
  const bulleted = { ...change, categories: '- hobby\n- food', metadata: JSON.stringify(loose.metadata) }
  expect((await call('update_memory', bulleted)).json()).toMatchObject({ ...kept, priority: 'LOW' })
  for (const [tool, args] of [
    ['get_profile', { user_id: 7 }],
    ['ask_graph', { query: 'Who is Ada?', as_of: '', user_id: '' }],
    ...['null', 'None', 'undefined'].flatMap(
      none =>
        [
          ['ask_graph', { query: 'null', as_of: none, user_id: none }],
          ['list_memories', { page: none, page_size: none, created_before: none, categories: none, user_id: none }],
        ] as const,
    ),
    ['get_context', { query: 'None', max_characters: '1,000' }],
    ['get_knowledge', { category: '' }],
    ['ingest_url', { url: 'https://example.com/', categories: '[]', user_id: '' }],
    ['delete_memory', { id: made.id }],
  ] as const)
    expect([tool, (await call(tool, args)).isError]).toEqual([tool, false])
  for (const [field, value] of Object.entries(loose)) {
    const { status, body } = await client.post('/v1/memories', { memory: 'Strict.', [field]: value })
    expect([status, body.details[0].path]).toEqual([400, field])
  }
})

test('a text that another user has is refused without a hint at whose it is', async () => {
  const { client } = await service.account()
  const { call } = await agent(client)
  const { id } = (await call('add_memory', { memory: 'Likes green tea.', user_id: 'ada' })).json()
  const { text, isError } = await call('add_memory', { memory: 'Likes green tea.', user_id: 'bob' })
  expect([isError, text]).toEqual([true, expect.stringMatching(/^DUPLICATE_MEMORY: .*name them in the text\.$/)])
  expect(text).not.toContain(id)
})

test('a result that no agent could read is refused with what to do', async () => {
  const { client } = await service.account()
  const memories = Array.from({ length: 4 }, (_, n) => ({ memory: `${n} ${'x'.repeat(40_000)}` }))
  await client.post('/v1/memories/batch', { memories })
  const { call } = await agent(client)
  expect((await call('list_memories', { page_size: 2 })).json().memories).toHaveLength(2)
  const { text, isError } = await call('list_memories', { page_size: 4 })
  expect([isError, text]).toEqual([true, expect.stringContaining('Ask for less')])
})

test('a text of any length is stored, corrected, found and read', async () => {
  const { client } = await service.account()
  const { call } = await agent(client)
  const [first, second] = ['蜂', '蜜'].map(letter => letter.repeat(50_000))
  const metadata = { note: 'x'.repeat(60_000) }
  const made = await call('add_memory', { memory: first, metadata })
  expect([made.isError, made.json().memory]).toEqual([false, expect.stringContaining('50000 characters in all')])
  const { id } = made.json()
  expect((await call('update_memory', { id, memory: second })).isError).toBe(false)
  for (const read of [await call('get_memory', { id }), await call('list_memories', { page_size: 1 })])
    expect([read.isError, read.text]).toEqual([false, expect.stringContaining('蜜… [cut off here')])
  expect((await client.get(`/v1/memories/${id}`)).body).toMatchObject({ memory: second, metadata })
})

test('a text that a result cut off is not stored in place of the whole one', async () => {
  const { client } = await service.account()
  const { call } = await agent(client)
  const memory = '蜂'.repeat(50_000)
  const metadata = { notes: ['蜜'.repeat(17_000)] }
  const { body } = await client.post('/v1/memories', { memory, metadata })
  const read = (await call('get_memory', { id: body.id })).json()
  for (const [part, args] of [
    ['memory', { memory: `${read.memory}\n` }],
    ['metadata', { memory: 'Bees.', metadata: read.metadata }],
  ] as const) {
    const { text, isError } = await call('update_memory', { id: body.id, ...args })
    expect([isError, text]).toEqual([true, expect.stringContaining(`${part} was cut off`)])
  }
  expect((await call('add_memory', { memory: read.memory })).isError).toBe(true)
  expect((await client.get(`/v1/memories/${body.id}`)).body).toMatchObject({ memory, metadata })
  expect((await call('search_memories', { query: read.memory.slice(-60) })).isError).toBe(false)
})

test('a test key works on the test twin', async () => {
  const { client, key } = await service.account()
  const { call } = await agent(await key({ mode: 'test' }))
  await call('add_memory', { memory: 'For tests only.' })
  expect((await call('list_memories')).json().total).toBe(1)
  expect((await client.get('/v1/memories')).body.total).toBe(0)
})

test('a session works by the same tools, but not from another origin', async () => {
  const session = await account.signIn()
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  expect((await session.post('/v1/mcp', ping, { headers: { origin: session.base } })).status).toBe(200)
  const foreign = await session.post('/v1/mcp', ping, { headers: { origin: 'https://elsewhere.example' } })
  expect([foreign.status, foreign.body.error_code]).toEqual([403, 'FORBIDDEN'])
})

test('a key sees and calls the tools whose operations it may call', async () => {
  const { client, key } = await service.account()
  const reader = await key({ permissions: ['memory.read'] })
  const { body: made } = await client.post('/v1/memories', { memory: 'Ada keeps bees.' })
  const { mcp, call } = await agent(reader)
  const names = (await mcp.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(['get_context', 'search_memories', 'get_memory', 'list_memories', 'get_profile', 'ask_graph'])
  expect((await call('get_memory', { id: made.id })).json().memory).toBe('Ada keeps bees.')
  await expect(call('delete_memory', { id: made.id })).rejects.toThrow('Unknown tool')
  expect((await client.get(`/v1/memories/${made.id}`)).status).toBe(200)
})

test('a plan without the graph has no tool for it', async () => {
  const { client } = await service.account({ plan: 'free' })
  const { mcp } = await agent(client)
  const names = (await mcp.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(Object.keys(TOOLS).filter(name => !['ask_graph', 'get_knowledge', 'ingest_url'].includes(name)))
})

test('tools work on the workspace that the address names', async () => {
  const { client, signIn, workspaceIds } = await service.account({ workspaces: 2 })
  const [, second = ''] = workspaceIds
  const session = (await signIn()).with({ origin: client.base })
  const { call } = await agent(session, `?workspace_id=${second}`)
  await call('add_memory', { memory: 'Only in the second one.' })
  const listed = await session.get('/v1/memories', { query: { workspace_id: second } })
  expect(listed.body.data.map(({ memory }: Json) => memory)).toEqual(['Only in the second one.'])
  expect((await client.get('/v1/memories')).body.total).toBe(0)
  const { client: other } = await service.account()
  const refused = await other.post(
    '/v1/mcp',
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { query: { workspace_id: second } },
  )
  expect([refused.status, refused.body.error_code]).toEqual([403, 'WORKSPACE_ACCESS_DENIED'])
})

describe('a message', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  test('needs a key, and is one JSON-RPC request or notification', async () => {
    const { client } = account
    expect((await service.anonymous.post('/v1/mcp', ping)).body.error_code).toBe('UNAUTHORIZED')
    const unfit = [{ name: 'a\0' }, { arguments: { 'a\ud800': 1 } }, []].map(params => ({ ...ping, params }))
    for (const body of [
      [ping],
      { ...ping, method: undefined },
      { ...ping, jsonrpc: '1.0' },
      { ...ping, more: 1 },
      ...unfit,
    ])
      expect((await client.post('/v1/mcp', body)).body.error_code).toBe('VALIDATION_ERROR')
    expect((await client.get('/v1/mcp')).body.error_code).toBe('METHOD_NOT_ALLOWED')
  })

  test('is answered in JSON whatever the client accepts, and a notification with nothing', async () => {
    const { client } = account
    const answered = await client.post('/v1/mcp', ping, { headers: { accept: 'application/json' } })
    expect([answered.status, answered.body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }])
    const noted = await client.post('/v1/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([noted.status, noted.body]).toEqual([202, ''])
    const unknown = await client.post('/v1/mcp', { ...ping, method: 'resources/subscribe' })
    expect([unknown.status, unknown.body.error.code]).toEqual([200, -32601])
    const stream = await client.post('/v1/mcp', { ...ping, method: 'subscriptions/listen' })
    expect([stream.status, stream.body.error.code]).toEqual([200, -32601])
  })

  test.each([
    ['the text of an object', '{"memory": "Bees.", "user_id": "ada"}', 'Bees.'],
    ['no object', 'Bees.', undefined],
    ['nothing', '', 'add_memory needs memory.'],
    ['null', null, 'add_memory needs memory.'],
  ])('may have %s in place of the arguments of a tool', async (_, args, told) => {
    const { client } = await service.account()
    const params = { name: 'add_memory', arguments: args }
    const { status, body } = await client.post('/v1/mcp', { ...ping, method: 'tools/call', params })
    expect([status, body.error?.code]).toEqual([200, told === undefined ? -32602 : undefined])
    if (told) expect(body.result.content[0].text).toContain(told)
  })

  test('of a revision that there is not is refused under the id of the request', async () => {
    const headers = { 'mcp-protocol-version': '2019-01-01' }
    const { status, body } = await account.client.post('/v1/mcp', { ...ping, id: 'a' }, { headers })
    expect([status, body.id, body.error.message]).toEqual([200, 'a', expect.stringContaining('2019-01-01')])
  })

  test('may come with the key as a bearer token', async () => {
    const { client } = account
    const bearer = service.anonymous.with({ authorization: `Bearer ${client.headers['x-api-key']}` })
    expect((await bearer.post('/v1/mcp', ping)).status).toBe(200)
  })

  test('is not carried out twice under an Idempotency-Key', async () => {
    const { client } = await service.account()
    const params = { name: 'add_memory', arguments: { memory: 'Once.' } }
    const send = () =>
      client.post('/v1/mcp', { ...ping, method: 'tools/call', params }, { headers: { 'idempotency-key': 'k1' } })
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
    expect(first.body.result.isError).toBe(false)
  })
})
