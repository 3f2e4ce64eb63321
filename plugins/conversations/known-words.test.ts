import { describe, expect, test } from 'bun:test'
import { service } from '../../test/support/service.ts'
import { handIn, textsOf, user } from './world.test-support.ts'

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
