import { expect, test } from 'bun:test'
import { service, type TestAccount } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

const USER = { query: { user_id: 'ana' } }

async function homes({ client }: TestAccount): Promise<string[]> {
  const { body } = await client.get('/v1/graph/entities', { query: { ...USER.query, type: 'PERSON' } })
  const [person] = body.data
  if (!person) return []
  const known = await client.get(`/v1/graph/entities/${person.id}/relationships`)
  return known.body.outgoing.map(({ target }: { target: { name: string } }) => target.name)
}

async function tell(account: TestAccount, memory: string, home: string): Promise<string> {
  const { body } = await account.client.post('/v1/memories', { memory, user_id: 'ana' })
  await until(`a home in ${home}`, async () => (await homes(account)).join() === home)
  return body.id
}

test('what is said again holds again, though its second telling was merged into the first', async () => {
  const account = await (await service()).account()
  await tell(account, 'I live in Berlin.', 'Berlin')
  const moved = await tell(account, 'I live in Porto.', 'Porto')
  const again = await tell(account, 'I live in Berlin', 'Berlin')
  expect((await account.client.get('/v1/memories', USER)).body.total).toBe(2)

  // Restored it speaks for itself; without it, nothing is known to have changed since the move.
  expect((await account.client.post(`/v1/memories/${again}/restore`)).status).toBe(200)
  await account.client.delete(`/v1/memories/${again}`)
  await until('a home in Porto', async () => (await homes(account)).join() === 'Porto')
  await account.client.delete(`/v1/memories/${moved}`)
  await until('a home in Berlin', async () => (await homes(account)).join() === 'Berlin')
})

test('a telling that is deleted counts no more', async () => {
  const account = await (await service()).account()
  await tell(account, 'I live in Berlin.', 'Berlin')
  await tell(account, 'I live in Porto.', 'Porto')
  const again = await tell(account, 'I live in Berlin', 'Berlin')
  expect((await account.client.delete(`/v1/memories/${again}`)).status).toBe(204)
  await until('a home in Porto', async () => (await homes(account)).join() === 'Porto')
})
