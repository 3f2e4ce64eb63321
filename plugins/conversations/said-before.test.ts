import { expect, test } from 'bun:test'
import { service } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'
import { handIn, user } from './world.test-support.ts'

/** As outgoing relationships of the user: type, other end, since when. */
async function known(account: Awaited<ReturnType<Awaited<ReturnType<typeof service>>['account']>>, userId: string) {
  const found = await account.client.get('/v1/graph/entities', { query: { user_id: userId, type: 'PERSON' } })
  const [user] = found.body.data
  if (!user) return []
  const { body } = await account.client.get(`/v1/graph/entities/${user.id}/relationships`)
  return body.outgoing.map(
    ({ type, target, valid_from }: { type: string; target: { name: string }; valid_from: string }) =>
      [type, target.name, valid_from?.slice(0, 10) ?? null].join(' '),
  )
}

test('what was said long before it is handed in is as old as it was said, and gives way to what was said after it', async () => {
  const account = await (await service()).account()
  const hand = async (content: string, created_at: string, talked: string) => {
    const messages = [{ role: 'user', content, created_at }]
    await account.client.post('/v1/memories/conversations', { user_id: 'ida', messages })
    await until(talked, async () => (await known(account, 'ida')).some((line: string) => line.includes(talked)))
  }
  await hand('I live in Berlin.', '2024-05-01T09:00:00Z', 'Berlin')
  await hand('I live in Paris and I love Camembert.', '2020-05-01T09:00:00Z', 'Camembert')
  await hand('I started at Initech last year.', '2022-05-01T09:00:00Z', 'Initech')
  const now = await known(account, 'ida')
  expect(now).toContain('LIVES_IN Berlin ')
  expect(now.join()).not.toContain('Paris')
  expect(now).toContain('WORKS_AT Initech 2021-01-01')
})

test('what is said again word for word holds again, though no second memory is made of it', async () => {
  const account = await (await service()).account()
  const hand = async (content: string, created_at: string, home: string) => {
    const handed = await handIn(account.client, [user(content, created_at)], { user_id: 'ida' })
    await until(`a home in ${home}`, async () => (await known(account, 'ida')).join() === `LIVES_IN ${home} `)
    return handed
  }
  const first = await hand('I live in Berlin.', '2024-01-10T09:00:00Z', 'Berlin')
  await hand('I live in Porto now.', '2024-03-10T09:00:00Z', 'Porto')
  const again = await hand('I live in Berlin.', '2024-06-10T09:00:00Z', 'Berlin')
  expect(again).toMatchObject({ memories: first.memories, memories_created: 0, memories_known: 1 })
})

test('what is said again word for word in one submission holds again too', async () => {
  const account = await (await service()).account()
  const told = await handIn(
    account.client,
    [
      user('I live in Berlin.', '2024-01-10T09:00:00Z'),
      user('I moved to Porto.', '2024-03-10T09:00:00Z'),
      user('I live in Berlin.', '2024-06-10T09:00:00Z'),
    ],
    { user_id: 'ida' },
  )
  expect(told).toMatchObject({ memories_created: 2, memories_known: 0 })
  await until('both are read', async () => {
    const { body } = await account.client.get('/v1/graph/entities', { query: { user_id: 'ida' } })
    return ['Berlin', 'Porto'].every(name => body.data.some((entity: { name: string }) => entity.name === name))
  })
  await until('a home in Berlin', async () => (await known(account, 'ida')).join() === 'LIVES_IN Berlin ')
})

test('a change of the priority leaves a memory as old as it was said, one of the text makes it new', async () => {
  const { client } = await (await service()).account()
  const { memories } = await handIn(client, [user('I play the oboe.', '2024-01-10T09:00:00Z')], { user_id: 'ida' })
  const dayOfOboe = async () => {
    const { body } = await client.post('/v1/context', { query: 'oboe', user_id: 'ida' })
    return /- (\S+): I play the oboe/.exec(body.context)?.[1]
  }
  const change = (memory: string, priority: string) => client.put(`/v1/memories/${memories[0]}`, { memory, priority })
  await change('I play the oboe.', 'HIGH')
  expect(await dayOfOboe()).toBe('2024-01-10')
  const { body } = await change('I play the oboe again.', 'LOW')
  expect(await dayOfOboe()).toBe(body.updated_at.slice(0, 10))
  await change('I play the oboe again.', 'HIGH')
  expect(await dayOfOboe()).toBe(body.updated_at.slice(0, 10))
})
