import { beforeAll, describe, expect, test } from 'bun:test'
import type { MemoryClient as Mem0Client } from 'mem0ai'
import type { Client } from '../../../test/support/client.ts'
import type { TestAccount } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { bridged, held, keyWith, processed } from '../world.test-support.ts'

// Loaded once the variable is set that tells it not to report its calls to its vendor.
const { Feedback, MemoryClient, ValidationError } = await import('mem0ai')

let account: TestAccount
let mneme: Client
let mem0: Mem0Client
let host: string

beforeAll(async () => {
  const service = await bridged()
  host = `${service.origin}/bridges/mem0`
  const made = await service.account()
  account = made
  mneme = made.client
  mem0 = new MemoryClient({ apiKey: made.apiKey, host })
})

/** Stores texts as they are, of a user of their own. */
async function store(user: string, texts: readonly string[], fields: object = {}) {
  const stored = []
  for (const content of texts) {
    const added = await mem0.add([{ role: 'user', content }], { userId: user, infer: false, ...fields })
    stored.push(Object(added).results[0])
  }
  return stored.map(({ id }) => String(id))
}

const texts = (results: readonly { memory?: string }[]) => results.map(({ memory }) => memory)

test('a client knows its workspace from the ping that it begins with', async () => {
  await mem0.ping()
  expect(Object(mem0).projectId).toBe(account.workspaceId)
  const stranger = new MemoryClient({ apiKey: `mn_live_${'x'.repeat(32)}`, host })
  await expect(stranger.ping()).rejects.toMatchObject({ name: 'AuthenticationError', errorCode: 'HTTP_401' })
})

test('a key that is bound to a user adds and finds what is of this user, and nothing else', async () => {
  const bound = await keyWith(account, { subject: { userId: 'lin' } })
  await store('kim', ['Kim keeps one parrot in Rome.'])
  const lin = new MemoryClient({ apiKey: bound, host })
  await lin.add([{ role: 'user', content: 'Lin keeps one parrot in Oslo.' }], { userId: 'lin', infer: false })
  expect(texts(Object(await lin.getAll({ filters: { user_id: 'lin' } })).results)).toEqual([
    'Lin keeps one parrot in Oslo.',
  ])
  await expect(lin.getAll({ filters: { user_id: 'kim' } })).rejects.toMatchObject({ errorCode: 'HTTP_403' })
  const other = (await held(mneme, { user_id: 'kim' }))[0]?.id
  await expect(lin.get(other)).rejects.toMatchObject({ name: 'MemoryNotFoundError' })
  await expect(lin.delete(other)).rejects.toMatchObject({ name: 'MemoryNotFoundError' })
})

describe('add', () => {
  test('with infer reads a conversation in the background, whose event tells when it is done', async () => {
    const added = await mem0.add(
      [
        { role: 'user', content: 'I moved to Lisbon in May and I love surfing.' },
        { role: 'assistant', content: 'How nice!' },
      ],
      { userId: 'ada', agentId: 'guide', runId: 'trip', metadata: { topic: 'travel' }, timestamp: 1_767_225_600 },
    )
    const { eventId, status } = Object(added)
    expect(status).toBe('PENDING')
    const event = await until('the event has succeeded', async () => {
      const response = await fetch(`${host}/v1/event/${eventId}/`, { headers: mem0.headers })
      const told = Object(await response.json())
      return told.status === 'SUCCEEDED' ? told : undefined
    })
    const stored = await held(mneme, { user_id: 'ada' })
    expect(event.results.map(({ id }: { id: string }) => id).sort()).toEqual(stored.map(({ id }) => id).sort())
    expect(stored[0]).toMatchObject({
      agent_id: 'guide',
      session_id: 'trip',
      source: 'CONVERSATION',
      metadata: { topic: 'travel', said_at: '2026-01-01T00:00:00.000Z' },
    })
  })

  test('without infer stores each message as it is', async () => {
    const added = await mem0.add(
      [
        { role: 'user', content: 'Bob keeps two cats.' },
        { role: 'assistant', content: 'I told Bob about the vet.' },
      ],
      { userId: 'bob', appId: 'pets', infer: false, expirationDate: '2100-05-01', metadata: { a: 1 } },
    )
    expect(Object(added).results).toMatchObject([
      { event: 'ADD', data: { memory: 'Bob keeps two cats.' } },
      { event: 'ADD', data: { memory: 'I told Bob about the vet.' } },
    ])
    const stored = await held(mneme, { user_id: 'bob' })
    expect(stored.map(({ memory, metadata }) => [memory, metadata])).toEqual(
      expect.arrayContaining([
        ['Bob keeps two cats.', { a: 1, app_id: 'pets' }],
        ['I told Bob about the vet.', { a: 1, app_id: 'pets', said_by: 'assistant' }],
      ]),
    )
    const [first] = await store('bob', ['Bob keeps two cats.'])
    expect(stored.map(({ id }) => id)).toContain(first)
    const shown = await mem0.get(String(first))
    expect(shown).toMatchObject({ appId: 'pets', metadata: { a: 1 }, expirationDate: '2100-05-01', userId: 'bob' })
  })

  test('never takes the memory of one user for that of another', async () => {
    await store('uma', ['The office opens at nine.'])
    const same = mem0.add([{ role: 'user', content: 'The office opens at nine.' }], { userId: 'vic', infer: false })
    await expect(same).rejects.toMatchObject({ errorCode: 'HTTP_409' })
  })

  test('refuses what Mneme cannot keep, and what it does not know', async () => {
    const message = [{ role: 'user' as const, content: 'Eve likes tea.' }]
    const refusal = (options: object) => mem0.add(message, options).then(() => 'taken', String)
    expect(await refusal({ userId: 'eve', customInstructions: 'Only food.' })).toContain('`custom_instructions`')
    expect(await refusal({ userId: 'eve', expirationDate: '2100-05-01' })).toContain('`infer` false')
    expect(await refusal({ userId: 'eve', colour: 'red' })).toContain('colour')
    expect(await refusal({})).toContain('user_id')
    const image = { type: 'image_url' as const, image_url: { url: 'https://example.com/a.png' } }
    await expect(mem0.add([{ role: 'user', content: image }], { userId: 'eve' })).rejects.toThrow('keeps texts')
    expect(await held(mneme, { user_id: 'eve' })).toEqual([])
  })
})

describe('search', () => {
  beforeAll(async () => {
    await store('carl', ['Carl drinks green tea in the morning.'], {
      metadata: { kind: 'food', score: 3, tags: ['hot'] },
    })
    await store('carl', ['Carl drinks cold tea in summer.'], { metadata: { kind: 'drink', score: 5 }, agentId: 'cook' })
    await store('dora', ['Dora drinks black tea with milk.'], { metadata: { kind: 'food', score: 7 }, runId: 'r-1' })
    await processed(mneme)
  })

  const [GREEN, COLD, BLACK] = [
    'Carl drinks green tea in the morning.',
    'Carl drinks cold tea in summer.',
    'Dora drinks black tea with milk.',
  ]

  test.each([
    ['one user', { user_id: 'carl' }, [GREEN, COLD]],
    ['AND', { AND: [{ user_id: 'carl' }, { agent_id: 'cook' }] }, [COLD]],
    ['OR of users and runs', { OR: [{ user_id: 'carl' }, { run_id: 'r-1' }] }, [GREEN, COLD, BLACK]],
    ['several users', { user_id: { in: ['carl', 'dora'] } }, [GREEN, COLD, BLACK]],
    ['every user', { AND: [{ user_id: '*' }, { metadata: { score: { gte: 5 } } }] }, [COLD, BLACK]],
    [
      'OR of one key',
      { AND: [{ user_id: 'carl' }, { OR: [{ metadata: { kind: 'food' } }, { metadata: { kind: 'drink' } }] }] },
      [GREEN, COLD],
    ],
    ['NOT', { AND: [{ user_id: 'carl' }, { NOT: [{ metadata: { kind: 'food' } }] }] }, [COLD]],
    ['contains', { AND: [{ user_id: 'carl' }, { metadata: { tags: { contains: 'hot' } } }] }, [GREEN]],
    ['what excludes itself', { AND: [{ user_id: 'carl' }, { user_id: 'dora' }] }, []],
    ['a time that is over', { AND: [{ user_id: 'carl' }, { created_at: { lt: '2020-01-01' } }] }, []],
    ['a time from then on', { AND: [{ user_id: 'dora' }, { created_at: { gte: '2020-01-01' } }] }, [BLACK]],
  ])('filters by %s', async (_, filters, expected) => {
    const { results } = await mem0.search('Who drinks tea?', { filters, topK: 20 })
    expect(
      texts(results)
        .filter(text => text?.includes('tea'))
        .sort(),
    ).toEqual([...expected].sort())
  })

  test('has the best first, with score and metadata, down to a threshold and up to a number', async () => {
    const { results } = await mem0.search('cold tea in summer', { filters: { user_id: 'carl' } })
    expect(results[0]).toMatchObject({ memory: COLD, userId: 'carl', agentId: 'cook', metadata: { kind: 'drink' } })
    const best = results[0]?.score ?? 0
    const above = await mem0.search('cold tea in summer', { filters: { user_id: 'carl' }, threshold: best })
    expect(texts(above.results)).toEqual([COLD])
    const one = await mem0.search('tea', { filters: { user_id: { in: ['carl', 'dora'] } }, topK: 1 })
    expect(one.results).toHaveLength(1)
    const few = await mem0.search('tea', { filters: { user_id: 'dora' }, fields: ['id', 'memory'] })
    expect(Object.keys(few.results[0] ?? {}).sort()).toEqual(['id', 'memory'])
  })

  test.each([
    ['a part of the text', { keywords: { icontains: 'tea' } }],
    ['the last change', { updated_at: { gte: '2020-01-01' } }],
    ['ids', { memory_ids: ['a'] }],
    ['a user that it is not', { user_id: { ne: 'carl' } }],
    ['any agent', { AND: [{ user_id: 'carl' }, { agent_id: '*' }] }],
    ['categories that it has not', { NOT: { categories: { in: ['spam'] } } }],
    ['too many alternatives', { OR: Array.from({ length: 9 }, (_, n) => ({ user_id: `u${n}` })) }],
    ['nothing', {}],
  ])('refuses a filter by %s with a sentence', async (_, filters) => {
    const refused = fetch(`${host}/v3/memories/search/`, {
      method: 'POST',
      headers: mem0.headers,
      body: JSON.stringify({ query: 'tea', filters }),
    })
    const response = await refused
    const { detail } = Object(await response.json())
    expect([response.status, detail]).toEqual([501, expect.stringMatching(/^[A-Z`].+\.$/)])
  })

  test('refuses a field that there is not, and options that it cannot follow', async () => {
    await expect(mem0.search('tea', { filters: { user_id: 'carl', colour: 'red' } })).rejects.toBeInstanceOf(
      ValidationError,
    )
    await expect(mem0.search('tea', { filters: { user_id: 'carl' }, showExpired: true })).rejects.toThrow(
      '`show_expired`',
    )
    expect((await mem0.search('tea', { filters: { user_id: 'carl' }, showExpired: false })).results).toHaveLength(2)
  })
})

test('getAll gives pages of what the filters name, newest first', async () => {
  const ids = await store('fay', ['Fay has a boat.', 'Fay has a kite.', 'Fay has a drum.'], { runId: 'toys' })
  const first = await mem0.getAll({ filters: { AND: [{ user_id: 'fay' }, { run_id: 'toys' }] }, page: 1, pageSize: 2 })
  expect(first).toMatchObject({ count: 3, next: '?page=2&page_size=2', previous: null })
  const second = await mem0.getAll({ filters: { user_id: 'fay' }, page: 2, pageSize: 2 })
  expect(second).toMatchObject({ count: 3, next: null, previous: '?page=1&page_size=2' })
  expect([...first.results, ...second.results].map(({ id }) => id)).toEqual(ids.toReversed())
  const [marked] = await store('fay', ['Fay has a lamp.'], { metadata: { a: 1 } })
  const byMetadata = await mem0.getAll({ filters: { user_id: 'fay', metadata: { a: 1 } } })
  expect(byMetadata.results.map(({ id }) => id)).toEqual([String(marked)])
  expect((await mem0.getAll({ filters: { user_id: 'fay' }, endDate: '2020-01-01' })).count).toBe(0)
})

test('get, update, history and delete are about one memory', async () => {
  const [id = ''] = await store('gus', ['Gus lives in Ghent.'], { metadata: { a: 1 }, appId: 'notes' })
  expect(await mem0.get(id)).toMatchObject({ id, memory: 'Gus lives in Ghent.', metadata: { a: 1 }, appId: 'notes' })
  const updated = await mem0.update(id, { text: 'Gus lives in Bruges.' })
  expect(updated).toMatchObject({ id, memory: 'Gus lives in Bruges.', metadata: { a: 1 } })
  await mem0.update(id, { metadata: { b: 2 }, timestamp: 1_767_225_600 })
  expect((await mneme.get(`/v1/memories/${id}`)).body).toMatchObject({
    memory: 'Gus lives in Bruges.',
    metadata: { b: 2, app_id: 'notes', said_at: '2026-01-01T00:00:00.000Z' },
  })
  const history = await mem0.history(id)
  expect(history.map(({ event }) => event)).toEqual(expect.arrayContaining(['ADD', 'UPDATE']))
  expect(history).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        memoryId: id,
        oldMemory: 'Gus lives in Ghent.',
        newMemory: 'Gus lives in Bruges.',
        userId: 'gus',
      }),
    ]),
  )
  await expect(mem0.delete(id, { deleteLinked: true })).rejects.toThrow('`delete_linked`')
  expect(await mem0.delete(id)).toEqual({ message: 'Memory deleted successfully!' })
  await expect(mem0.get(id)).rejects.toMatchObject({ name: 'MemoryNotFoundError' })
  expect((await mneme.get(`/v1/memories/${id}`)).status).toBe(404)
})

test('batches change and delete several', async () => {
  const [one = '', two = ''] = await store('hal', ['Hal has a dog.', 'Hal has a pony.'])
  const changed = await mem0.batchUpdate([
    { memoryId: one, text: 'Hal has a cat.' },
    { memoryId: two, text: 'Hal has a mule.' },
  ])
  expect(changed).toMatchObject({ message: 'Successfully updated 2 memories' })
  expect((await held(mneme, { user_id: 'hal' })).map(({ memory }) => memory).sort()).toEqual([
    'Hal has a cat.',
    'Hal has a mule.',
  ])
  expect(await mem0.batchDelete([one, two])).toMatchObject({ message: 'Successfully deleted 2 memories' })
  expect(await held(mneme, { user_id: 'hal' })).toEqual([])
})

test('feedback reaches the memory', async () => {
  const [id = ''] = await store('ida', ['Ida plays chess.'])
  const given = await mem0.feedback({ memoryId: id, feedback: Feedback.VERY_NEGATIVE, feedbackReason: 'Old.' })
  expect(given).toMatchObject({ feedback: 'VERY_NEGATIVE', feedbackReason: 'Old.' })
  await mem0.feedback({ memoryId: id, feedback: Feedback.POSITIVE })
  await mem0.feedback({ memoryId: id, feedback: null })
  expect((await mneme.get(`/v1/memories/${id}`)).body.feedback).toMatchObject({ negative: 1, positive: 1, neutral: 1 })
})

describe('users', () => {
  test('are listed with their memories, then agents, in pages', async () => {
    const { apiKey } = await (await bridged()).account()
    const own = new MemoryClient({ apiKey, host })
    const add = (content: string, owner: object) => own.add([{ role: 'user', content }], { ...owner, infer: false })
    await add('Jo sings.', { userId: 'jo' })
    await add('Jo dances.', { userId: 'jo', agentId: 'coach' })
    await add('Kim paints.', { userId: 'kim', agentId: 'tutor' })
    const all = await own.users()
    const named = (results: readonly { type: string; name: string; totalMemories: number }[]) =>
      results.map(({ type, name, totalMemories }) => [type, name, totalMemories])
    const expected = [
      ['user', 'jo', 2],
      ['user', 'kim', 1],
      ['agent', 'coach', 1],
      ['agent', 'tutor', 1],
    ]
    expect(named(all.results).sort()).toEqual([...expected].sort())
    expect(all.count).toBe(4)
    const pages = [1, 2].map(page => own.users({ page, pageSize: 3 }))
    const [first, second] = await Promise.all(pages)
    expect([first?.results.length, second?.results.length]).toEqual([3, 1])
    expect([...named(first?.results ?? []), ...named(second?.results ?? [])]).toEqual(named(all.results))
  })

  test('are erased by deleteUsers', async () => {
    await store('lou', ['Lou climbs.'])
    expect(await mem0.deleteUsers({ userId: 'lou' })).toEqual({ message: 'Entity deleted successfully.' })
    await until('the person is erased', async () => (await held(mneme, { user_id: 'lou' })).length === 0)
    await expect(mem0.deleteUsers({ appId: 'x' })).rejects.toThrow('metadata of memories')
  })

  test('have a profile once it is compiled', async () => {
    expect(await mem0.getProfile({ entityId: 'nobody' })).toMatchObject({ status: 'pending', profile: {} })
    await store('mia', ['I work at Acme as an engineer.', 'I live in Lisbon.'])
    const profile = await until('there is a profile', async () => {
      const told = await mem0.getProfile({ entityId: 'mia' })
      return told.status === 'succeeded' ? told : undefined
    })
    expect(JSON.stringify(profile.profile)).toContain('Acme')
  })
})

describe('deleteAll', () => {
  test('is refused without the password, whatever the key may do', async () => {
    await store('ned', ['Ned sails.'])
    await expect(mem0.deleteAll({ userId: 'ned' })).rejects.toThrow('BRIDGES_DELETE_ALL')
    await expect(mem0.deleteUsers({ agentId: 'cook' })).rejects.toThrow('BRIDGES_DELETE_ALL')
    expect(await held(mneme, { user_id: 'ned' })).toHaveLength(1)
  })

  test('deletes where the server allows it, for keys that may delete', async () => {
    const service = await bridged({ BRIDGES_DELETE_ALL: 'true' })
    const allowed = `${service.origin}/bridges/mem0`
    const own = await service.account()
    const client = new MemoryClient({ apiKey: own.apiKey, host: allowed })
    await client.add([{ role: 'user', content: 'Oda knits.' }], { userId: 'oda', infer: false })
    await client.add([{ role: 'user', content: 'Pia knits.' }], { userId: 'pia', infer: false })
    const writer = await keyWith(own, { permissions: ['memory.read', 'memory.write'] })
    const weak = new MemoryClient({ apiKey: writer, host: allowed })
    await expect(weak.deleteAll({ userId: 'oda' })).rejects.toThrow('memory.delete')
    await expect(client.deleteAll({})).rejects.toThrow('user_id')
    expect(await client.deleteAll({ userId: 'oda' })).toMatchObject({ message: 'Memories deleted successfully!' })
    expect((await held(own.client)).map(({ user_id }) => user_id)).toEqual(['pia'])
  })
})

test.each([
  ['exports', () => mem0.createMemoryExport({ schema: {}, filters: { user_id: 'a' } })],
  ['webhooks', () => mem0.getWebhooks()],
  ['settings of profiles', () => mem0.getProfileSettings()],
  ['projects', () => mem0.getProject({ fields: ['customInstructions'] })],
])('%s are refused with a sentence', async (_, call) => {
  await expect(call()).rejects.toMatchObject({ errorCode: 'HTTP_501', message: expect.stringContaining('Mneme') })
})

test('a key does through the bridge what it may do, and no more', async () => {
  const apiKey = await keyWith(account, { permissions: ['memory.read'] })
  const reader = new MemoryClient({ apiKey, host })
  expect(Array.isArray((await reader.search('tea', { filters: { user_id: 'carl' } })).results)).toBe(true)
  await expect(
    reader.add([{ role: 'user', content: 'Quin runs.' }], { userId: 'quin', infer: false }),
  ).rejects.toMatchObject({ name: 'AuthenticationError', errorCode: 'HTTP_403' })
})
