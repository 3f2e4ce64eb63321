import { expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

/** Notes of a user, each with the day of its event. */
const NOTES = [
  ['2024-03-11', 'Renewed the parking permit'],
  ['2024-03-12', 'Boiler pressure was low again'],
  ['2024-03-13', 'The quince tree has scale insects'],
] as const

async function world() {
  const { client } = await (await service()).account()
  const store = async (user: string, notes: readonly (readonly [string, string])[]) => {
    const memories = notes.map(([date, memory]) => ({ memory, user_id: user, metadata: { date } }))
    const { body } = await client.post('/v1/memories/batch', { memories })
    expect(body.results.map(({ status }: { status: number }) => status)).toEqual(memories.map(() => 201))
    // Without a vector a memory is found by its words alone.
    await until('all are processed', async () => {
      const { body: done } = await client.get('/v1/memories', { query: { user_id: user, status: 'COMPLETED' } })
      const { body: all } = await client.get('/v1/memories', { query: { user_id: user } })
      return done.total === all.total
    })
  }
  const found = async (query: string, user: string) => {
    const { body } = await client.post('/v1/memories/search', { query, user_id: user, explain: true, limit: 100 })
    return body.data
      .filter(
        ({ explanation }: { explanation: { evidence: { entities: number } } }) => explanation.evidence.entities > 0,
      )
      .map(({ memory }: { memory: string }) => memory)
  }
  return { store, found }
}

test('a date that a query names leads to the memories of that day, without a word or meaning in common', async () => {
  const { store, found } = await world()
  await store('ada', NOTES)
  await store('bob', [['2024-03-12', 'Ordered new brake pads']])
  expect(await found('What was going on with us on 12 March 2024?', 'ada')).toEqual(['Boiler pressure was low again'])
  expect(await found('Was war bei uns am 13.3.2024 los?', 'ada')).toEqual(['The quince tree has scale insects'])
  expect((await found('What was going on in March 2024?', 'ada')).toSorted()).toEqual(
    NOTES.map(([, memory]) => memory).toSorted(),
  )
  expect(await found('What was going on with us on 12 March 2023?', 'ada')).toEqual([])
})

test('a year, or a time of very many memories, leads to none of them', async () => {
  const { store, found } = await world()
  await store('ada', NOTES)
  expect(await found('What was going on with us in 2024?', 'ada')).toEqual([])
  await store(
    'ada',
    Array.from({ length: 60 }, (_, n) => ['2024-03-12', `Reading number ${n} of the boiler: ${n * 7} kPa`] as const),
  )
  expect(await found('What was going on with us on 12 March 2024?', 'ada')).toEqual([])
  expect(await found('What was going on with us on 11 March 2024?', 'ada')).toEqual(['Renewed the parking permit'])
})
