import { expect, test } from 'bun:test'
import { preparedStore, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

test('a plugin of a third party has routes, a table, settings, permissions and reactions like the built-in ones', async () => {
  const store = await preparedStore()
  const settings = { ...store, PLUGINS: './test/fixtures/guestbook/index.ts', GUESTBOOK_GREETING: 'Ahoy' }
  const server = await startServer(settings)
  const client = server.client()
  const made = await client.post('/v1/x/guestbook/entries', { words: 'I was here.' })
  expect(made).toMatchObject({ status: 201, body: { words: 'I was here.', greeting: 'Ahoy' } })
  expect((await client.post('/v1/x/guestbook/entries', { words: ' ' })).body.error_code).toBe('VALIDATION_ERROR')
  const memory = await client.post('/v1/memories', { memory: 'The guest book lies in the hall.' })
  await until('the plugin has seen the memory', async () =>
    (await client.get('/v1/x/guestbook/entries')).body.words.includes(`saw ${memory.body.id}`),
  )
  const { paths } = (await client.get('/openapi.json')).body
  expect(paths['/v1/x/guestbook/entries'].post['x-permission']).toBe('guestbook.use')
  const { groups } = (await client.get('/v1/api-keys/permissions')).body
  expect(groups.map(({ name }: { name: string }) => name)).toContain('Guestbook')
  expect(await server.stop()).toBe(0)

  // Without the plugin its data stays where it is, and everything else goes on.
  const without = await startServer(store)
  const later = without.client(server.apiKey)
  expect((await later.get('/v1/x/guestbook/entries')).body.error_code).toBe('NOT_FOUND')
  expect((await later.get(`/v1/memories/${memory.body.id}`)).status).toBe(200)
  expect(await without.stop()).toBe(0)
  const again = await startServer(settings)
  expect((await again.client(server.apiKey).get('/v1/x/guestbook/entries')).body.words).toContain('I was here.')
  expect(await again.stop()).toBe(0)
}, 120_000)

test('what requires a built-in plugin that is left out goes with it, and the rest works', async () => {
  const server = await startServer({ ...(await preparedStore()), PLUGINS_DISABLED: 'graph' })
  const client = server.client()
  for (const path of ['/v1/graph/entities', '/v1/knowledge']) {
    expect((await client.get(path)).body.error_code).toBe('FEATURE_NOT_ENABLED')
  }
  await client.post('/v1/memories', { memory: 'Alan keeps his mug chained to the radiator.' })
  expect((await client.get('/v1/memories', { query: { search: 'mug' } })).body.total).toBe(1)
  expect(server.stdout()).toContain('off: graph, knowledge')
  expect(await server.stop()).toBe(0)
})

test('a built-in plugin that is left out answers FEATURE_NOT_ENABLED, and the rest works', async () => {
  const server = await startServer({ ...(await preparedStore()), PLUGINS_DISABLED: 'search' })
  const client = server.client()
  const made = await client.post('/v1/memories', { memory: 'Alan keeps his mug chained to the radiator.' })
  expect(made.status).toBe(201)
  const off = await client.post('/v1/memories/search', { query: 'mug' })
  expect(off).toMatchObject({ status: 403, body: { error_code: 'FEATURE_NOT_ENABLED' } })
  expect((await client.get('/v1/memories')).body.total).toBe(1)
  await until(
    'the memory is processed',
    async () => (await client.get(`/v1/memories/${made.body.id}`)).body.status === 'COMPLETED',
  )
  expect((await client.with({ 'x-api-key': '' }).post('/v1/memories/search', {})).status).toBe(401)
  expect(server.stdout()).toContain('off: search')
  expect(await server.stop()).toBe(0)
})
