import { expect, test } from 'bun:test'
import type { Json } from '../../test/support/client.ts'
import { service } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'
import { remember } from '../memories/consolidation/world.test-support.ts'

test('what a person does in the console is no use of the workspace, and what a key does is', async () => {
  const { account: accountOf } = await service()
  const { client, signIn } = await accountOf()
  const console = await signIn()
  const { id } = await remember(console, 'The lighthouse keeper collects barometers.')
  const figures = async () => {
    const [summary, quality, top, memory] = await Promise.all([
      console.get('/v1/dashboard/summary'),
      console.get('/v1/dashboard/quality'),
      console.get('/v1/dashboard/top-queries'),
      console.get(`/v1/memories/${id}`),
    ])
    return {
      requests: summary.body.requests.current,
      used: summary.body.quota.requests_used,
      searches: quality.body.total_searches,
      queries: top.body.data.map(({ query }: Json) => query),
      reads: memory.body.access_count,
    }
  }
  const before = await figures()
  const query = 'barometers of the keeper'
  expect((await console.post('/v1/memories/search', { query })).body.data[0].id).toBe(id)
  expect((await console.get('/v1/memories', { query: { search: query } })).body.data[0].id).toBe(id)
  expect((await console.get(`/v1/memories/${id}`)).status).toBe(200)
  expect((await console.post('/v1/context', { query, user_id: 'default' })).status).toBe(200)
  expect((await client.post('/v1/memories/search', { query: 'who collects barometers' })).status).toBe(200)
  // Whatever came before the search of the key is written no later.
  await until('the read and the search of the key', async () => {
    const { reads, searches } = await figures()
    return reads > before.reads && searches > before.searches
  })
  expect(await figures()).toEqual({
    requests: before.requests + 1,
    used: before.used + 1,
    searches: 1,
    queries: ['who collects barometers'],
    reads: before.reads + 1,
  })
})
