import { describe, expect, test } from 'bun:test'
import { service } from '../../test/support/service.ts'
import { assistant, handIn, textsOf, user } from './world.test-support.ts'

const client = async () => (await (await service()).account()).client

describe('words that depend on the day', () => {
  const DENTIST = 'I have a dentist appointment tomorrow.'

  test('are stored once more on a later day, with it before them, and once on that day', async () => {
    const ada = await client()
    const hand = (at: string) => handIn(ada, [user(DENTIST, at)], { user_id: 'ada', session_id: at })
    const first = await hand('2026-06-01T09:00:00Z')
    expect(await textsOf(ada, first.memories)).toEqual([DENTIST])
    const sameHour = await hand('2026-06-01T09:40:00Z')
    expect(sameHour).toMatchObject({ memories: first.memories, memories_created: 0 })
    const later = await hand('2026-07-09T09:00:00Z')
    expect(await textsOf(ada, later.memories)).toEqual([`2026-07-09: ${DENTIST}`])
    const again = await hand('2026-07-09T15:00:00Z')
    expect(again).toMatchObject({ memories: later.memories, memories_created: 0, memories_known: 1 })
    const { body } = await ada.post('/v1/context', { user_id: 'ada', query: 'When is my dentist appointment?' })
    expect(body.context).toContain(`- 2026-07-09: ${DENTIST}`)
  })

  test('are stored for each day that one submission says them on', async () => {
    const ada = await client()
    const turns = ['2026-06-01T09:00:00Z', '2026-07-09T09:00:00Z'].map(at => user(DENTIST, at))
    const { memories } = await handIn(ada, turns, { user_id: 'ada' })
    expect(await textsOf(ada, memories)).toEqual([DENTIST, `2026-07-09: ${DENTIST}`])
  })

  test('are stored once where the clock of the client runs ahead', async () => {
    const ada = await client()
    const ahead = new Date(Date.now() + 9 * 3_600_000).toISOString()
    const turns = [DENTIST, 'I play the oboe.', DENTIST].map(text => user(text, ahead))
    const first = await handIn(ada, turns, { user_id: 'ada' })
    expect(await textsOf(ada, first.memories)).toEqual([DENTIST, 'I play the oboe.'])
    const again = await handIn(ada, [user(DENTIST, ahead)], { user_id: 'ada', session_id: 'again' })
    expect(again).toMatchObject({ memories: first.memories.slice(0, 1), memories_created: 0 })
  })

  test('are stored once where a talk without times is sent again with what followed, and again where they are its end', async () => {
    const { client: ada, workspaceId } = await (await service()).account()
    const first = await handIn(ada, [user(DENTIST)], { user_id: 'ada' })
    await (await service()).database.workspace(
      workspaceId,
      tx => tx`
        update memories.memory
        set created_at = memory.created_at - interval '1 day', metadata = memory.metadata - 'said_at'
        where memory.workspace_id = ${workspaceId}`,
    )
    const rest = [assistant('Noted.'), user('I play the oboe.'), assistant('Nice.')]
    const grown = await handIn(ada, [user(DENTIST), ...rest], { user_id: 'ada' })
    expect(grown).toMatchObject({ memories_created: 1, memories_known: 1 })
    expect(grown.memories[0]).toBe(first.memories[0])
    const end = await handIn(ada, [user('I play the oboe.'), user(DENTIST), assistant('Noted.')], { user_id: 'ada' })
    const day = end.created_at.slice(0, 10)
    expect((await textsOf(ada, end.memories)).toSorted()).toEqual([`${day}: ${DENTIST}`, 'I play the oboe.'])
    const dated = await handIn(ada, [user(DENTIST, '2026-06-01T09:00:00Z'), user('I play the oboe.')], {
      user_id: 'ada',
    })
    expect(await textsOf(ada, dated.memories)).toContain(`2026-06-01: ${DENTIST}`)
  })

  test('of another user and another day have both before them', async () => {
    const ada = await client()
    const hand = (user_id: string, at: string) => handIn(ada, [user(DENTIST, at)], { user_id })
    await hand('bob', '2026-06-01T09:00:00Z')
    const own = await hand('ada', '2026-06-02T09:00:00Z')
    const later = await hand('ada', '2026-07-09T09:00:00Z')
    expect(await textsOf(ada, [...own.memories, ...later.memories])).toEqual([
      `ada: ${DENTIST}`,
      `ada: 2026-07-09: ${DENTIST}`,
    ])
  })
})

describe('a statement whose words a memory has that is to expire', () => {
  test('makes it permanent', async () => {
    const ada = await client()
    const task = { memory: 'I live in Ghent.', user_id: 'ada', layer: 'TASK' }
    const { body } = await ada.post('/v1/memories', task)
    const told = await handIn(ada, [user('I live in Ghent.')], { user_id: 'ada' })
    expect(told).toMatchObject({ memories: [body.id], memories_created: 0, memories_known: 1 })
    expect((await ada.get(`/v1/memories/${body.id}`)).body).toMatchObject({ layer: 'RAW', expires_at: null })
  })

  test('leaves that of another user to expire', async () => {
    const ada = await client()
    const { body } = await ada.post('/v1/memories', { memory: 'I live in Ghent.', user_id: 'bob', layer: 'TASK' })
    const { memories } = await handIn(ada, [user('I live in Ghent.')], { user_id: 'ada' })
    expect(await textsOf(ada, memories)).toEqual(['ada: I live in Ghent.'])
    expect((await ada.get(`/v1/memories/${body.id}`)).body.layer).toBe('TASK')
  })
})
