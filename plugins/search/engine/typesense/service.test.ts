import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ConfigError } from 'mneme/plugin'
import { type Kernel, startKernel } from '../../../../core/kernel.ts'
import { builtInPlugins } from '../../../../server/plugins.ts'
import { ENCRYPTION_KEY, openAccounts, type TestAccount } from '../../../../test/support/accounts.ts'
import { Client } from '../../../../test/support/client.ts'
import { ownDatabaseUrl } from '../../../../test/support/database.ts'
import { until } from '../../../../test/support/wait.ts'
import { FAKE_KEY, FakeTypesense } from './fake/cluster.test-support.ts'
import { INDEX_NAME } from './schema.ts'
import { openDatabase } from './world.test-support.ts'

const fake = new FakeTypesense(2, 'service.test')
let kernel: Kernel
let anonymous: Client
let accounts: ReturnType<typeof openAccounts>
let account: TestAccount

async function start(settings: Record<string, string>, url: string): Promise<Kernel> {
  return startKernel({
    environment: { DATABASE_URL: url, ENCRYPTION_KEY, RATE_LIMIT: 'off', LOG_LEVEL: 'silent', ...settings },
    builtIn: builtInPlugins,
    loadThirdParty: async () => [],
    role: 'server',
    verifyResponses: true,
    onFatal(error) {
      throw error
    },
  })
}

beforeAll(async () => {
  await fake.start()
  const url = await ownDatabaseUrl()
  const database = await openDatabase(url)
  // The service has waited for other processes already.
  await database.system(
    tx =>
      tx`insert into search.typesense_index (name, quiet_since) values (${INDEX_NAME}, now() - interval '1 minute')`,
  )
  kernel = await start({ TYPESENSE_URL: fake.urls.join(', '), TYPESENSE_API_KEY: FAKE_KEY }, url)
  anonymous = new Client(kernel.fetch, {})
  accounts = openAccounts(url, anonymous)
  account = await accounts.make()
})

// The sender must not continue while other tests replace the network.
afterAll(async () => {
  await kernel.stop()
  await accounts.close()
  await fake.stop()
})

const search = async (query: string, mode = 'hybrid') => {
  const { body } = await account.client.post('/v1/memories/search', { query, mode })
  return { texts: body.data.map(({ memory }: { memory: string }) => memory), warning: body.warning }
}
const metrics = async () => (await kernel.fetch(new Request('http://localhost/metrics'))).text()
const readiness = async () => (await anonymous.get('/ready')).body

describe('a service with TYPESENSE_URL', () => {
  test('fills the index automatically and searches it', async () => {
    await until('the first collection is searched', async () => (await search('anything')).warning === undefined)
    const { body: memory } = await account.client.post('/v1/memories', { memory: 'The xylophone is in the attic' })
    expect(await search('xylophone', 'keyword')).toEqual({
      texts: ['The xylophone is in the attic'],
      warning: undefined,
    })
    await until('it is in the index with its vector', async () =>
      fake
        .documents('mneme_memories_vectors')
        .some(document => Object.keys(document).some(name => name.startsWith('vector_'))),
    )
    const asked = fake.requests.length
    expect((await search('a musical instrument under the roof')).texts).toEqual(['The xylophone is in the attic'])
    expect(fake.requests.slice(asked).some(({ path }) => path === '/multi_search')).toBe(true)
    expect((await readiness()).checks.search).toBe('ok')
    await account.client.delete(`/v1/memories/${memory.id}`)
    expect((await search('xylophone')).texts).toEqual([])
    await until('it has left the index', async () => fake.documents('mneme_memories').length === 0)
  })

  test('continues without Typesense, reports it, and stays ready', async () => {
    fake.fail('closed')
    expect((await account.client.post('/v1/memories', { memory: 'Plums are ripe' })).status).toBe(201)
    const { texts, warning } = await search('plums')
    expect([texts, warning]).toEqual([['Plums are ripe'], expect.stringContaining('search index is not available')])
    await until('readiness shows it', async () => (await readiness()).checks.search === 'degraded')
    expect(await readiness()).toMatchObject({ status: 'ready' })
    await until('metrics count what waits', async () => /mneme_search_index_waiting [1-9]/.test(await metrics()))
    fake.fail(undefined)
    await until('it has caught up', async () => fake.documents('mneme_memories').length === 1)
    await until('searches go there again', async () => (await search('plums')).warning === undefined)
    await until('readiness shows it', async () => (await readiness()).checks.search === 'ok')
  })
})

test('TYPESENSE_URL without a key fails the start and names the setting', async () => {
  const started = start({ TYPESENSE_URL: 'http://typesense.test:8108' }, await ownDatabaseUrl())
  await expect(started).rejects.toThrow('TYPESENSE_API_KEY is required with TYPESENSE_URL.')
  await expect(started).rejects.toBeInstanceOf(ConfigError)
})

test('a malformed TYPESENSE_URL fails the start', async () => {
  const started = start({ TYPESENSE_URL: 'http://', TYPESENSE_API_KEY: FAKE_KEY }, await ownDatabaseUrl())
  await expect(started).rejects.toBeInstanceOf(ConfigError)
  const odd = start({ TYPESENSE_URL: 'http://node:port', TYPESENSE_API_KEY: FAKE_KEY }, await ownDatabaseUrl())
  await expect(odd).rejects.toThrow('TYPESENSE_URL must be addresses such as http://127.0.0.1:8108.')
})
