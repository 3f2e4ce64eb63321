import { beforeAll, describe, expect, test } from 'bun:test'
import { service, type TestService } from '../../../test/support/service.ts'
import { allRead, edgesOf } from '../writing/writing.test-support.ts'

let running: TestService

beforeAll(async () => {
  running = await service()
})

describe('reading what memories say', () => {
  test('fills the graph with entities, mentions, edges and statements', async () => {
    const { client, workspaceId } = await running.account()
    await client.post('/v1/memories', { memory: 'My name is Noor. I work at Northwind Labs.', user_id: 'u7' })
    await client.post('/v1/memories', { memory: 'I live in Lisbon.', user_id: 'u7' })
    await allRead(running, workspaceId, 2)
    expect(await edgesOf(running, workspaceId)).toEqual(['Noor LIVES_IN Lisbon', 'Noor WORKS_AT Northwind Labs'])
  })

  test('closes what ended, and opens it again when the memory that said so goes', async () => {
    const { client, workspaceId } = await running.account()
    await client.post('/v1/memories', { memory: 'I live in Porto.', user_id: 'u7' })
    await allRead(running, workspaceId, 1)
    const { body } = await client.post('/v1/memories', { memory: 'I moved to Lisbon in March 2024.', user_id: 'u7' })
    await allRead(running, workspaceId, 2)
    expect(await edgesOf(running, workspaceId)).toEqual(['-u7 LIVES_IN Porto', 'u7 LIVES_IN Lisbon'])
    await client.delete(`/v1/memories/${body.id}`)
    expect(await edgesOf(running, workspaceId)).toEqual(['u7 LIVES_IN Porto'])
  })
})

describe('what may hold at once', () => {
  const edgesAfter = async (...texts: string[]) => {
    const { client, workspaceId } = await running.account()
    for (const [n, memory] of texts.entries()) {
      await client.post('/v1/memories', { memory, user_id: 'u7' })
      await allRead(running, workspaceId, n + 1)
    }
    return edgesOf(running, workspaceId)
  }

  test('a city and its country, but not another country', async () => {
    expect(await edgesAfter('I live in Lisbon.', 'I live in Portugal.')).toEqual([
      'u7 LIVES_IN Lisbon',
      'u7 LIVES_IN Portugal',
    ])
    expect(await edgesAfter('I live in Lisbon.', 'I live in Norway.')).toEqual([
      '-u7 LIVES_IN Lisbon',
      'u7 LIVES_IN Norway',
    ])
  })

  test('two jobs where the second is said to be one beside the first', async () => {
    expect(await edgesAfter('I work at Contoso.', 'I also work at Globex part-time.')).toEqual([
      'u7 WORKS_AT Contoso',
      'u7 WORKS_AT Globex',
    ])
    expect(await edgesAfter('I work at Contoso.', 'I joined Globex.')).toEqual([
      '-u7 WORKS_AT Contoso',
      'u7 WORKS_AT Globex',
    ])
  })
})
