import { beforeAll, describe, expect, test } from 'bun:test'
import { ZepClient } from '@getzep/zep-cloud'
import type { Client } from '../../../test/support/client.ts'
import type { TestAccount } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { bridged, held, keyWith, processed, refusalOf } from '../world.test-support.ts'

let account: TestAccount
let mneme: Client
let zep: ZepClient
let baseUrl: string

beforeAll(async () => {
  const service = await bridged()
  baseUrl = `${service.origin}/bridges/zep`
  const made = await service.account()
  account = made
  mneme = made.client
  zep = new ZepClient({ apiKey: made.apiKey, baseUrl })
})

/** The client tries a refusal of 501 again otherwise. */
const ONCE = { maxRetries: 0 }

describe('users', () => {
  test('are noted, changed, listed and erased', async () => {
    const told = { userId: 'ada', email: 'ada@example.com', firstName: 'Ada', metadata: { plan: 'pro' } }
    expect(await zep.user.add(told)).toMatchObject(told)
    expect(await zep.user.update('ada', { lastName: 'Lovelace' })).toMatchObject({ ...told, lastName: 'Lovelace' })
    expect(await zep.user.get('ada')).toMatchObject({ ...told, lastName: 'Lovelace', createdAt: expect.any(String) })
    await zep.graph.add({ userId: 'ada', type: 'text', data: 'Ada keeps bees.' })
    await zep.user.delete('ada')
    await until('the person is erased', async () => (await held(mneme, { user_id: 'ada' })).length === 0)
    await until('what was noted is erased', async () => (await refusalOf(zep.user.get('ada'))) !== undefined)
    expect(await refusalOf(zep.user.get('ada'))).toMatchObject({ statusCode: 404 })
  })

  test('are there by their memories alone, too', async () => {
    await zep.graph.add({ userId: 'bob', type: 'text', data: 'Bob rows.' })
    expect(await zep.user.get('bob')).toMatchObject({ userId: 'bob' })
    expect(await refusalOf(zep.user.get('nobody'))).toMatchObject({ statusCode: 404 })
  })
})

describe('threads', () => {
  test('keep what is said of the user, and give context', async () => {
    expect(await zep.thread.create({ threadId: 't-1', userId: 'carl' })).toMatchObject({
      threadId: 't-1',
      userId: 'carl',
    })
    const { taskId, context } = await zep.thread.addMessages('t-1', {
      messages: [
        { role: 'user', name: 'Carl', content: 'I moved to Lisbon in May.', createdAt: '2026-06-02T08:15:00Z' },
        { role: 'assistant', content: 'How nice!' },
        { role: 'system', content: 'Be brief.' },
      ],
      ignoreRoles: ['system'],
      returnContext: true,
    })
    expect(typeof context).toBe('string')
    await until('the task is done', async () => (await zep.task.get(String(taskId))).status === 'succeeded')
    expect(await held(mneme, { user_id: 'carl' })).toMatchObject([
      { memory: 'I moved to Lisbon in May.', session_id: 't-1', metadata: { said_at: '2026-06-02T08:15:00.000Z' } },
    ])
    await processed(mneme)
    expect((await zep.thread.getUserContext('t-1')).context).toContain('Lisbon')
    const batch = await zep.thread.addMessagesBatch('t-1', {
      messages: [{ role: 'norole', content: 'I have two cats.' }],
    })
    await until('the task is done', async () => (await zep.task.get(String(batch.taskId))).status === 'succeeded')
    expect(await held(mneme, { user_id: 'carl' })).toHaveLength(2)
  })

  test('are deleted without their memories, and belong to one user', async () => {
    await zep.thread.create({ threadId: 't-2', userId: 'dora' })
    await zep.thread.create({ threadId: 't-3', userId: 'dora' })
    await zep.thread.delete('t-2')
    expect(await refusalOf(zep.thread.getUserContext('t-2'))).toMatchObject({ statusCode: 404 })
    expect(await zep.thread.getUserContext('t-3')).toMatchObject({ context: '' })
    expect(await refusalOf(zep.thread.create({ threadId: 't-3', userId: 'eva' }))).toMatchObject({ statusCode: 400 })
  })
})

describe('the graph', () => {
  beforeAll(async () => {
    await zep.graph.add({
      userId: 'eva',
      type: 'text',
      data: 'I work at Acme.',
      createdAt: '2026-01-05T09:00:00Z',
      metadata: { a: 1 },
    })
    await zep.graph.addBatch({
      userId: 'eva',
      episodes: [
        { type: 'text', data: 'My sister Grace lives in Porto.' },
        { type: 'message', data: 'I love surfing.', sourceDescription: 'chat' },
      ],
    })
    await processed(mneme)
    await until('the graph is drawn', async () => {
      const { body } = await mneme.get('/v1/graph/entities', { query: { user_id: 'eva' } })
      return body.data.length >= 4
    })
  })

  test('is read from what is added', async () => {
    const memories = await held(mneme, { user_id: 'eva' })
    expect(memories.map(({ memory, metadata }) => [memory, metadata])).toEqual(
      expect.arrayContaining([
        ['I work at Acme.', { a: 1, said_at: '2026-01-05T09:00:00Z' }],
        ['I love surfing.', { source_description: 'chat' }],
      ]),
    )
  })

  test('is searched for edges, nodes and episodes', async () => {
    const { edges = [] } = await zep.graph.search({ userId: 'eva', query: 'Acme' })
    expect(edges).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'WORKS_AT', targetNodeName: 'Acme' })]),
    )
    const edge = edges.find(({ name }) => name === 'WORKS_AT')
    expect(edge?.fact).toMatch(/ works at Acme$/)
    const { nodes = [] } = await zep.graph.search({ userId: 'eva', query: 'Acme', scope: 'nodes' })
    expect(nodes[0]).toMatchObject({ name: 'Acme', labels: ['ORGANIZATION'] })
    const { episodes = [] } = await zep.graph.search({
      userId: 'eva',
      query: 'Where does she work?',
      scope: 'episodes',
      limit: 1,
    })
    expect(episodes).toMatchObject([{ content: 'I work at Acme.', metadata: { a: 1 } }])
    expect(await refusalOf(zep.graph.search({ graphId: 'x', query: 'Acme' }, ONCE))).toMatchObject({ statusCode: 501 })
    const observations = zep.graph.search({ userId: 'eva', query: 'Acme', scope: 'observations' }, ONCE)
    expect(await refusalOf(observations)).toMatchObject({ statusCode: 400 })
  })

  test('has nodes with edges', async () => {
    const nodes = await zep.graph.node.getByUserId('eva', {})
    const acme = nodes.find(({ name }) => name === 'Acme')
    expect(await zep.graph.node.get(String(acme?.uuid))).toMatchObject({ name: 'Acme' })
    const edges = await zep.graph.node.getEdges(String(acme?.uuid))
    expect(edges).toMatchObject([{ name: 'WORKS_AT', targetNodeUuid: acme?.uuid }])
    const [memory] = (await held(mneme, { user_id: 'eva' })).filter(({ memory }) => memory === 'I work at Acme.')
    expect(edges[0]?.episodes).toEqual([memory?.id])
  })

  test('has episodes, which are memories', async () => {
    const { episodes = [] } = await zep.graph.episode.getByUserId('eva', { lastn: 2 })
    expect(episodes).toHaveLength(2)
    const uuid = String(episodes[0]?.uuid)
    expect(await zep.graph.episode.get(uuid)).toMatchObject({ uuid, content: episodes[0]?.content })
    await zep.graph.episode.delete(uuid)
    expect((await mneme.get(`/v1/memories/${uuid}`)).status).toBe(404)
  })
})

test.each([
  ['messages of a thread', () => zep.thread.get('t-1', {}, ONCE)],
  ['triples', () => zep.graph.addFactTriple({ userId: 'eva', fact: 'Eva knows Grace', factName: 'KNOWS' }, ONCE)],
  ['graphs without a user', () => zep.graph.create({ graphId: 'x' }, ONCE)],
  ['lists of threads', () => zep.thread.listAll({}, ONCE)],
  ['templates', () => zep.context.listContextTemplates(ONCE)],
])('%s are refused with a sentence', async (_, call) => {
  expect(await refusalOf(call())).toMatchObject({
    statusCode: 501,
    body: { message: expect.stringMatching(/^[A-Z].*\.$/) },
  })
})

test('a key that may only read notes nothing', async () => {
  const apiKey = await keyWith(account, { permissions: ['memory.read'] })
  const reader = new ZepClient({ apiKey, baseUrl })
  expect(await refusalOf(reader.thread.create({ threadId: 't-9', userId: 'carl' }))).toMatchObject({ statusCode: 403 })
  expect(await refusalOf(reader.user.add({ userId: 'zoe' }))).toMatchObject({ statusCode: 403 })
  expect(await reader.thread.getUserContext('t-3')).toMatchObject({ context: '' })
  const blind = new ZepClient({ apiKey: await keyWith(account, { permissions: ['memory.write'] }), baseUrl })
  expect(await refusalOf(blind.thread.getUserContext('t-3'))).toMatchObject({ statusCode: 403 })
})
