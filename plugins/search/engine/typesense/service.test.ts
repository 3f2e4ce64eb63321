import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ConfigError } from '../../../../core/config.ts'
import { ownDatabaseUrl } from '../../../../test/support/control-plane.ts'
import { startService, type TestAccount, type TestService } from '../../../../test/support/service.ts'
import { until } from '../../../../test/support/wait.ts'
import { FAKE_KEY, FakeTypesense } from './fake/cluster.ts'

const fake = new FakeTypesense(2, 'service.test')
let running: TestService
let account: TestAccount

beforeAll(async () => {
  await fake.start()
  const settings = { TYPESENSE_URL: fake.urls.join(', '), TYPESENSE_API_KEY: FAKE_KEY }
  running = await startService(settings, { url: await ownDatabaseUrl() })
  account = await running.account()
})

afterAll(() => fake.stop())

const search = async (query: string, mode = 'hybrid') => {
  const { body } = await account.client.post('/v1/memories/search', { query, mode })
  return { texts: body.data.map(({ memory }: { memory: string }) => memory), warning: body.warning }
}
const readiness = async () => (await running.anonymous.get('/ready')).body

describe('a service with TYPESENSE_URL', () => {
  test('fills the index by itself and searches it', async () => {
    await until('the first collection is searched', async () => fake.store.aliases.has('mneme_memories'))
    const { body: memory } = await account.client.post('/v1/memories', { memory: 'The xylophone is in the attic' })
    expect(await search('xylophone', 'keyword')).toEqual({
      texts: ['The xylophone is in the attic'],
      warning: undefined,
    })
    await until('it is in the index with its vector', async () =>
      fake.documents('mneme_memories').some(document => Object.keys(document).some(name => name.startsWith('vector_'))),
    )
    const asked = fake.requests.length
    expect((await search('a musical instrument under the roof')).texts).toEqual(['The xylophone is in the attic'])
    expect(fake.requests.slice(asked).some(({ path }) => path === '/multi_search')).toBe(true)
    expect((await readiness()).checks.search).toBe('ok')
    await account.client.delete(`/v1/memories/${memory.id}`)
    expect((await search('xylophone')).texts).toEqual([])
    await until('it has left the index', async () => fake.documents('mneme_memories').length === 0)
  })

  test('goes on without Typesense, says so, and is ready all the same', async () => {
    fake.fail('closed')
    expect((await account.client.post('/v1/memories', { memory: 'Plums are ripe' })).status).toBe(201)
    const { texts, warning } = await search('plums')
    expect([texts, warning]).toEqual([['Plums are ripe'], expect.stringContaining('search index is not available')])
    await until('readiness shows it', async () => (await readiness()).checks.search === 'degraded')
    expect(await readiness()).toMatchObject({ status: 'ready' })
    const metrics = await running.kernel.fetch(new Request('http://localhost/metrics'))
    expect(await metrics.text()).toMatch(/mneme_search_index_waiting [1-9]/)
    fake.fail(undefined)
    await until('it has caught up', async () => fake.documents('mneme_memories').length === 1)
    await until('searches go there again', async () => (await search('plums')).warning === undefined)
    await until('readiness shows it', async () => (await readiness()).checks.search === 'ok')
  })
})

test('TYPESENSE_URL without a key ends the start with its name', async () => {
  const start = startService({ TYPESENSE_URL: 'http://typesense.test:8108' }, { url: await ownDatabaseUrl() })
  await expect(start).rejects.toThrow('TYPESENSE_API_KEY is required with TYPESENSE_URL.')
  await expect(start).rejects.toBeInstanceOf(ConfigError)
})
