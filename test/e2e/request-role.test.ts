import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { onEnd } from '../support/closing.ts'
import { NATIVE_URL } from '../support/database.ts'
import { preparedStore, runToEnd, type Settings, startServer } from '../support/process.ts'

const SECRET = 'The safe opens with 4711.'

async function administer(url: string, ...statements: string[]): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    for (const statement of statements) await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 2 })
  }
}

/** Makes a role that may log in, and the URL of a store's database for it. */
async function login(store: Settings, attributes: string): Promise<string> {
  const role = `mneme_request_${randomBytes(8).toString('hex')}`
  const asSuperuser = store.DATABASE_URL ?? ''
  await administer(asSuperuser, `create role ${role} login ${attributes}`)
  onEnd(() => administer(asSuperuser, `drop owned by ${role}`, `drop role ${role}`))
  const url = new URL(asSuperuser)
  url.username = role
  return url.href
}

async function containsInjection(settings: Settings): Promise<void> {
  const server = await startServer({ ...settings, PLUGINS: './test/fixtures/injectable/index.ts' })
  const victim = server.client()
  expect((await victim.post('/v1/memories', { memory: SECRET })).status).toBe(201)
  const session = await server.client('').signIn(server.email, server.password)
  const { body: second } = await session.post('/v1/workspaces', { name: 'Second' })
  const run = async (sql: string): Promise<string> => {
    const response = await session.post('/v1/x/injectable/statements', { sql }, { query: { workspace_id: second.id } })
    expect(response.status).toBe(200)
    return response.body.result
  }
  const loot = 'select text from memories.memory'
  for (const attack of [
    'reset role',
    'reset session authorization',
    'commit; discard all',
    'set role none',
    'commit',
  ]) {
    expect(await run(`${attack}; ${loot}`)).not.toContain(SECRET)
  }
  // The hole works, and the requests that it was let into go on as before.
  expect(await run("select 'reached' as word")).toContain('reached')
  expect((await session.post('/v1/memories', { memory: SECRET }, { query: { workspace_id: second.id } })).status).toBe(
    201,
  )
  expect(await run(loot)).toContain(SECRET)
  expect((await victim.get('/v1/memories')).body.total).toBe(1)
  expect((await server.client('').get('/ready')).status).toBe(200)
  expect(await server.stop()).toBe(0)
}

async function refusal(settings: Settings): Promise<string> {
  const ended = await runToEnd('server/main.ts', { ...settings, PORT: '0' })
  expect(ended.code).toBe(1)
  return ended.stderr
}

if (NATIVE_URL) {
  describe('with DATABASE_REQUEST_URL', () => {
    test('an injected statement cannot leave the role of requests', async () => {
      const store = await preparedStore()
      await containsInjection({ ...store, DATABASE_REQUEST_URL: await login(store, 'in role mneme_app') })
    })

    test('a role that is more than requests may be is refused with a sentence', async () => {
      const store = await preparedStore()
      const start = async (url: string) => refusal({ ...store, DATABASE_REQUEST_URL: url })
      const superuser = await start(store.DATABASE_URL ?? '')
      expect(superuser).toMatch(
        /^Mneme cannot start: the role in DATABASE_REQUEST_URL is a superuser or may become one\. .*\n$/,
      )
      const bypassing = await start(await login(store, 'bypassrls in role mneme_app'))
      expect(bypassing).toContain('the role in DATABASE_REQUEST_URL may bypass row-level security.')
      const stranger = await start(await login(store, ''))
      expect(stranger).toContain(
        'the role in DATABASE_REQUEST_URL cannot be used: permission denied to set role "mneme_app".',
      )
      const url = new URL(await login(store, 'in role mneme_app'))
      await administer(store.DATABASE_URL ?? '', `create schema of_its_own authorization ${url.username}`)
      await administer(url.href, 'create table of_its_own.thing (a int)')
      expect(await start(url.href)).toContain(
        'the role in DATABASE_REQUEST_URL owns tables, or may become who owns them.',
      )
      url.pathname = '/postgres'
      expect(await start(url.href)).toContain('leads to another database than DATABASE_URL')
      url.pathname = '/nowhere'
      expect(await start(url.href)).toContain('DATABASE_REQUEST_URL')
    })
  })
} else {
  test('embedded, an injected statement cannot leave the role of requests', async () => {
    await containsInjection(await preparedStore())
  })
}
