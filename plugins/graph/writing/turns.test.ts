import { beforeAll, describe, expect, test } from 'bun:test'
import { service, type TestService } from '../../../test/support/service.ts'
import { storedFacts } from './graph-facts.ts'
import { allRead, edgesOf, faultsOf } from './writing.test-support.ts'

let running: TestService

beforeAll(async () => {
  running = await service()
})

describe('what one memory tells in turn', () => {
  test.each([
    ['I work at Acme. I got laid off.', ['-u7 WORKS_AT Acme']],
    ['I got laid off. I work at Acme.', ['u7 WORKS_AT Acme']],
    ['I work at Acme. I got laid off. I joined Contoso as an engineer.', ['-u7 WORKS_AT Acme', 'u7 WORKS_AT Contoso']],
    ['I joined Acme after I got laid off.', ['u7 WORKS_AT Acme']],
    ['I work at Acme. I got laid off in 2019.', ['u7 WORKS_AT Acme']],
    ['Marta works at Contoso. She quit yesterday.', ['-Marta WORKS_AT Contoso']],
    ['Marta Silva is married to Pedro Costa. Marta Silva is single again.', ['-Marta Silva MARRIED_TO Pedro Costa']],
  ])('"%s" leaves what holds at its end', async (memory, edges) => {
    const { client, workspaceId } = await running.account()
    await client.post('/v1/memories', { memory, user_id: 'u7' })
    await allRead(running, workspaceId, 1)
    expect(await edgesOf(running, workspaceId)).toEqual(edges)
    expect(await faultsOf(running, workspaceId)).toEqual([])
  })

  test('is over in the words that told it, too', async () => {
    const { client, workspaceId } = await running.account()
    await client.post('/v1/memories', { memory: 'I work at Acme. I got laid off.', user_id: 'u7' })
    await allRead(running, workspaceId, 1)
    const statements = await running.database.workspace(workspaceId, tx =>
      storedFacts.statements(tx, { userId: 'u7', limit: 10 }),
    )
    expect(statements.map(({ text, ended }) => [text, ended])).toEqual([
      ['I work at Acme.', true],
      ['I got laid off.', false],
    ])
  })
})
