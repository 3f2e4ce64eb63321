import { expect, test } from 'bun:test'
import type { Json } from '../../test/support/client.ts'
import { service } from '../../test/support/service.ts'
import { assistant, handIn, PATH, user } from './world.test-support.ts'

const MESSAGES = [
  { role: 'system', content: 'I live in Paris.' },
  user('Hi! I moved to Lisbon in May.', '2026-06-02T10:15:00+02:00'),
  assistant('How nice! What do you like to do there?'),
  user('I love surfing. Can you suggest a beach?', '2026-06-02T08:16:10Z'),
]
const DRY = { query: { dry_run: true } }

async function rowsOf(workspaceId: string): Promise<Json> {
  const { database } = await service()
  return database.system(async tx => {
    const [row] = await tx`
      select
        (select count(*) from memories.memory where memory.workspace_id = ${workspaceId}) as memories,
        (select count(*) from core.event where event.workspace_id = ${workspaceId}) as events,
        (select count(*) from conversations.conversation where conversation.workspace_id = ${workspaceId}) as conversations,
        (select count(*) from graphile_worker.jobs where jobs.key like ${`%${workspaceId}%`}) as jobs`
    return row
  })
}

test('a dry run says what would be stored and stores nothing, and the conversation stores just that afterwards', async () => {
  const { client, workspaceId } = await (await service()).account()
  const fields = {
    user_id: 'ada',
    agent_id: 'guide',
    categories: ['travel'],
    priority: 'HIGH',
    metadata: { channel: 'web' },
  }
  const before = await rowsOf(workspaceId)
  const dry = await client.post(PATH, { messages: MESSAGES, ...fields }, DRY)
  expect(dry.status).toBe(200)
  const shared = {
    user_id: 'ada',
    agent_id: 'guide',
    session_id: null,
    priority: 'HIGH',
    categories: ['travel'],
    source: 'CONVERSATION',
  }
  const metadata = { channel: 'web', role: 'user' }
  expect(dry.body).toEqual({
    memories: [
      {
        memory: 'I moved to Lisbon in May.',
        ...shared,
        metadata: { ...metadata, turn: 1, said_at: '2026-06-02T08:15:00.000Z' },
      },
      { memory: 'I love surfing.', ...shared, metadata: { ...metadata, turn: 3, said_at: '2026-06-02T08:16:10.000Z' } },
    ],
    extracted_by: ['local'],
  })
  expect(await rowsOf(workspaceId)).toEqual(before)
  const done = await handIn(client, MESSAGES, fields)
  expect(done.memories_created).toBe(2)
  const again = await client.post(PATH, { messages: [...MESSAGES, user('I have two cats.')], ...fields }, DRY)
  expect(again.body.memories.map(({ memory }: Json) => memory)).toEqual(['I have two cats.'])
  expect((await client.get('/v1/memories')).body.total).toBe(2)
})

test('a dry run words what another user has said as it would be stored', async () => {
  const { client } = await (await service()).account()
  await client.post('/v1/memories', { memory: 'I love sushi.', user_id: 'ada' })
  const dry = await client.post(PATH, { messages: [user('I love sushi.')], user_id: 'bob' }, DRY)
  expect(dry.body.memories.map(({ memory }: Json) => memory)).toEqual(['bob: I love sushi.'])
})

test('a dry run that is too long, and instructions that are, are refused', async () => {
  const { client } = await (await service()).account()
  const many = Array.from({ length: 101 }, (_, n) => user(`I have ${n} cats.`))
  const long = [user('a'.repeat(30_000)), user('b'.repeat(30_000))]
  for (const messages of [many, long]) {
    const refused = await client.post(PATH, { messages }, DRY)
    expect([refused.status, refused.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(refused.body.details).toMatchObject([
      { path: 'messages', message: expect.stringContaining('for a dry run') },
    ])
    expect((await client.post(PATH, { messages })).status).toBe(202)
  }
  for (const instructions of [' ', 'x'.repeat(2001), 7]) {
    const refused = await client.post(PATH, { messages: MESSAGES, instructions })
    expect(refused.body.details).toMatchObject([{ path: 'instructions' }])
  }
})
