import { beforeAll, describe, expect, test } from 'bun:test'
import type { Tx } from 'mneme/plugin'
import { service, type TestService } from '../../../test/support/service.ts'
import { storedFacts } from './graph-facts.ts'
import { allRead, edgesOf, faultsOf } from './writing.test-support.ts'

let running: TestService

beforeAll(async () => {
  running = await service()
})

async function world() {
  const { client, workspaceId, password } = await running.account()
  let stored = 0
  return {
    client,
    workspaceId,
    password,
    async remember(memory: string, fields: object = {}) {
      const { body } = await client.post('/v1/memories', { memory, user_id: 'u7', ...fields })
      await allRead(running, workspaceId, ++stored)
      return body.id
    },
    read: <T>(work: (tx: Tx) => Promise<T>) => running.database.workspace(workspaceId, work),
  }
}

describe('the facts of a user, for other plugins', () => {
  test('are its sentences, oldest first, the newest within the limit, filed by the memory or by what they say', async () => {
    const { remember, read } = await world()
    const first = await remember('I live in Lisbon.')
    const second = await remember('I like jazz.', { categories: ['music', 'evenings'] })
    const all = await read(tx => storedFacts.statements(tx, { userId: 'u7', limit: 10 }))
    expect(all).toMatchObject([
      { memoryId: first, ordinal: 0, text: 'I live in Lisbon.', ended: false, statedAt: expect.any(Date) },
      { memoryId: second, ordinal: 0, text: 'I like jazz.', categories: ['music', 'evenings'] },
    ])
    const music = await read(tx => storedFacts.statements(tx, { userId: 'u7', category: 'music', limit: 10 }))
    expect(music.map(({ memoryId }) => memoryId)).toEqual([second])
    const newest = await read(tx => storedFacts.statements(tx, { userId: 'u7', limit: 1 }))
    expect(newest.map(({ memoryId }) => memoryId)).toEqual([second])
    expect(await read(tx => storedFacts.statements(tx, { userId: 'another', limit: 1 }))).toEqual([])
  })

  test('tell which sentences hold no more, and a sentence that says so itself is none of them', async () => {
    const { remember, read, client } = await world()
    await remember('I work at Contoso.')
    const left = await remember('I left Contoso.')
    const ended = async () =>
      (await read(tx => storedFacts.statements(tx, { userId: 'u7', limit: 10 }))).map(one => [one.text, one.ended])
    expect(await ended()).toEqual([
      ['I work at Contoso.', true],
      ['I left Contoso.', false],
    ])
    await client.delete(`/v1/memories/${left}`)
    expect(await ended()).toEqual([['I work at Contoso.', false]])
  })

  test('hold until the end that a sentence tells of the future, however it is put', async () => {
    const { remember, read, workspaceId } = await world()
    await remember('I work at Contoso.')
    await remember('I am leaving Contoso in June 2099.')
    const statements = await read(tx => storedFacts.statements(tx, { userId: 'u7', limit: 10 }))
    expect(statements.map(({ ended }) => ended)).toEqual([false, false])
    const edges = await read(
      tx => tx<{ known_to: Date | null; valid_to: Date }[]>`
        select known_to, valid_to from graph.edge where workspace_id = ${workspaceId}`,
    )
    expect([...edges]).toEqual([{ known_to: null, valid_to: new Date('2099-06-01') }])
  })

  test('tell which memories state the name of the user, greetings too', async () => {
    const { remember, read } = await world()
    const greeting = await remember("Hi, I'm Marta.")
    await remember('I live in Porto.')
    await remember('Marta lives in Porto.')
    const entities = await read(tx => storedFacts.entities(tx, { userId: 'u7', limit: 9 }))
    expect(entities.find(({ isUser }) => isUser)).toMatchObject({ name: 'Marta', namedBy: [greeting] })
    expect(entities.find(({ name }) => name === 'Porto')?.namedBy).toEqual([])
  })

  test('are its entities, those first that most memories name', async () => {
    const { remember, read } = await world()
    await remember('Marta Silva lives in Porto.')
    await remember('Marta Silva likes jazz.')
    const entities = await read(tx => storedFacts.entities(tx, { userId: 'u7', limit: 2 }))
    expect(entities[0]).toMatchObject({ name: 'Marta Silva', type: 'PERSON', isUser: false, memories: 2 })
    expect(entities).toHaveLength(2)
    expect(await read(tx => storedFacts.countEntities(tx, 'u7'))).toBe(3)
    expect(await read(tx => storedFacts.countEntities(tx, 'another'))).toBe(0)
  })

  test('change with one event, which names the categories of all sentences that are concerned', async () => {
    const { remember, read, workspaceId } = await world()
    await remember('I live in Porto.', { categories: ['home'] })
    await remember('I moved to Lisbon.', { categories: ['news'] })
    const events = await read(
      tx => tx<{ user_id: string; categories: string }[]>`
        select user_id, data ->> 'categories' as categories from core.event
        where workspace_id = ${workspaceId} and kind = 'graph.factsChanged' order by id`,
    )
    expect(events.map(row => [row.user_id, JSON.parse(row.categories)])).toEqual([
      ['u7', ['home']],
      ['u7', ['home', 'news']],
    ])
  })
})

describe('deleting everything', () => {
  test('leaves nothing in the graph', async () => {
    const { client, workspaceId, password, read } = await world()
    const memories = Array.from({ length: 300 }, (_, n) => ({
      memory: `On day ${n} Marta Silva moved to ${n % 2 ? 'Porto' : 'Lisbon'} and Pedro Costa works at Company ${n}.`,
      user_id: `u${n % 3}`,
    }))
    await client.post('/v1/memories/batch', { memories })
    await allRead(running, workspaceId, memories.length)
    expect((await edgesOf(running, workspaceId)).length).toBeGreaterThan(6)
    expect(await faultsOf(running, workspaceId)).toEqual([])
    const { status } = await client.request('DELETE', '/v1/memories', { headers: { 'x-confirm-password': password } })
    expect(status).toBe(204)
    const left = await read(
      tx => tx<{ rows: number }[]>`
        select (
          (select count(*) from graph.entity where workspace_id = ${workspaceId})
          + (select count(*) from graph.name where workspace_id = ${workspaceId})
          + (select count(*) from graph.mention where workspace_id = ${workspaceId})
          + (select count(*) from graph.edge where workspace_id = ${workspaceId})
          + (select count(*) from graph.evidence where workspace_id = ${workspaceId})
          + (select count(*) from graph.statement where workspace_id = ${workspaceId})
          + (select count(*) from graph.reading where workspace_id = ${workspaceId})
        )::integer as rows`,
    )
    expect(left[0]?.rows).toBe(0)
  })
})
