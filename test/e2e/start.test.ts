import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { NATIVE_URL, temporaryFolder } from '../support/database.ts'
import { onStore } from '../support/lapse.ts'
import {
  emptyStore,
  preparedStore,
  runToEnd,
  type ServerProcess,
  type Settings,
  startServer,
} from '../support/process.ts'

/** Makes a start that must fail: exit code 1, one sentence on standard error, nothing on standard output. */
async function refusal(settings: Settings, entry = 'server/main.ts'): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(entry, { PORT: '0', ...settings })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  // The sentences are for people, without traces of the program.
  expect(stderr).not.toMatch(/^\s+at |node_modules|\.ts:\d/m)
  return stderr.trim()
}

describe('a server that cannot start says why in one sentence and ends with 1', () => {
  const native = NATIVE_URL
  let taken: Server
  let port = 0

  beforeAll(async () => {
    taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', () => resolve()))
    const address = taken.address()
    port = typeof address === 'object' && address ? address.port : 0
  })

  afterAll(() => {
    taken.close()
  })

  test('a port in use, after showing what the first start made', async () => {
    const store = await preparedStore()
    const first = await runToEnd('server/main.ts', { ...store, PORT: String(port) })
    expect(first.code).toBe(1)
    expect(first.stderr.trim()).toBe(`Mneme cannot start: port ${port} is in use. Stop what uses it or set PORT.`)
    expect(first.stdout).toMatch(/API key +mn_live_[0-9A-Za-z]{24,}/)
    expect(await refusal({ ...store, PORT: String(port) })).toBe(first.stderr.trim())
  })

  test('settings that are not right, all of them at once', async () => {
    const message = await refusal({ PORT: '99999', RATE_LIMIT: 'x', EMBEDDINGS: 'http', ADMIN_EMAIL: 'a@example.com' })
    expect(message.split('\n').toSorted()).toEqual([
      'ADMIN_PASSWORD is missing: ADMIN_EMAIL and ADMIN_PASSWORD go together.',
      'EMBEDDINGS_MODEL is required when EMBEDDINGS is http.',
      'EMBEDDINGS_URL is required when EMBEDDINGS is http.',
      'PORT must be a whole number from 0 to 65535.',
      'RATE_LIMIT must be one of: a whole number, off.',
      'Some settings are not right:',
    ])
  })

  test('a database that does not answer', async () => {
    const key = 'k'.repeat(32)
    const message = await refusal({ DATABASE_URL: 'postgres://u:S3CRET@127.0.0.1:1/mneme', ENCRYPTION_KEY: key })
    expect(message).toBe(
      'Mneme cannot start: the database at 127.0.0.1:1 cannot be reached. Check DATABASE_URL and that it runs.',
    )
  })

  test('plugins that do not exist, or are none, and other settings with them', async () => {
    const wrong = { PLUGINS: './no/such/plugin.ts,./test/support/wait.ts', PLUGINS_DISABLED: 'serch', PORT: 'x' }
    const [head = '', none = '', other, disabled = '', ...rest] = (await refusal(wrong)).split('\n')
    expect(head).toBe('Some settings are not right:')
    expect(none).toStartWith('PLUGINS names ./no/such/plugin.ts, which could not be loaded: ')
    expect(other).toBe(
      'PLUGINS names ./test/support/wait.ts, which has no default export (it exports until). Write `export default definePlugin({ … })`.',
    )
    expect(disabled).toStartWith('PLUGINS_DISABLED names serch, which is no built-in plugin (they are: ')
    expect(rest).toEqual(['PORT must be a whole number from 0 to 65535.'])
  })

  test('a plugin whose default export is undefined', async () => {
    const path = `${await temporaryFolder()}/plugin.ts`
    await writeFile(path, 'export default undefined\n')
    const message = await refusal({ PLUGINS: path })
    expect(message).toBe(`Mneme cannot start: plugin ${path}: its manifest must be an object, not undefined`)
  })

  test('workers without a database to share', async () => {
    expect(await refusal({}, 'workers/main.ts')).toBe(
      'Mneme cannot start: workers need DATABASE_URL: the embedded database belongs to the server alone.',
    )
  })

  test('an address to listen on that is none of this machine', async () => {
    const host = '192.0.2.1'
    const { code, stderr } = await runToEnd('server/main.ts', { ...(await preparedStore()), PORT: '0', HOST: host })
    expect(stderr.trim()).toBe(
      `Mneme cannot start: HOST (${host}) is no address of this machine. Set it to one, as 127.0.0.1, or 0.0.0.0 for all.`,
    )
    expect(code).toBe(1)
  })

  if (native) {
    test('a database that is not there', async () => {
      const url = new URL(native)
      url.pathname = '/no_such_database'
      expect(await refusal({ DATABASE_URL: url.href, ENCRYPTION_KEY: 'k'.repeat(32) })).toBe(
        `Mneme cannot start: the database at ${url.host} refuses: database "no_such_database" does not exist. Check DATABASE_URL.`,
      )
    })
  } else {
    test('a data folder that cannot be one', async () => {
      const file = `${await temporaryFolder()}/file`
      await writeFile(file, '')
      for (const dataDir of [file, `${file}/data`]) {
        expect(await refusal({ DATA_DIR: dataDir })).toBe(
          `Mneme cannot start: DATA_DIR (${dataDir}) is a file or lies in one. Set it to a folder.`,
        )
      }
      expect(await refusal({ DATA_DIR: '/proc/mneme' })).toStartWith(
        'Mneme cannot start: DATA_DIR (/proc/mneme) cannot be made',
      )
    })

    // The superuser may write everywhere.
    if (process.getuid?.() !== 0)
      test('a data folder of somebody else', async () => {
        const folder = await temporaryFolder()
        await chmod(folder, 0o500)
        expect(await refusal({ DATA_DIR: folder })).toBe(
          `Mneme cannot start: DATA_DIR (${folder}) may not be written by this user. Give the folder to it, or set DATA_DIR to another one.`,
        )
      })
  }
})

describe('a start', () => {
  let store: Settings
  let server: ServerProcess

  beforeAll(async () => {
    store = { ...(await emptyStore()), ANTHROPIC_API_KEY: 'sk-ant-of-another-program' }
    server = await startServer(store)
  })

  test('prints the account and the key on the first time and never again', async () => {
    expect(server.apiKey).toMatch(/^mn_live_[0-9A-Za-z]{24,}$/)
    expect(server.email).toContain('@')
    expect(server.password.length).toBeGreaterThanOrEqual(16)
    const { apiKey, password } = server
    const first = server.stdout()
    expect(server.stderr()).not.toContain(apiKey)
    expect(await server.stop()).toBe(0)
    server = await startServer(store)
    expect(server.stdout()).not.toMatch(/mn_live_|API key|password/)
    expect((await server.client(apiKey).get('/v1/memories')).status).toBe(200)
    const session = await server.client('').signIn('admin@mneme.local', password)
    expect((await session.get('/v1/workspaces')).body.total).toBe(1)
    expect(first).toContain('database')
  })

  test('says what it uses and where the reference is', () => {
    const printed = server.stdout()
    for (const word of ['database', 'embedder', 'jobs', 'plugins', `${server.url}/docs`])
      expect(printed).toContain(word)
    expect(printed).not.toMatch(/postgres:\/\/|password/)
    expect(printed).toContain('local means only; LANGUAGE_MODEL=claude sends texts to Claude with ANTHROPIC_API_KEY')
  })

  if (!NATIVE_URL) {
    test('on a folder that another server holds is refused, and the other goes on', async () => {
      const message = await refusal(store)
      expect(message).toMatch(/^Mneme cannot start: The database folder .* is in use by process \d+/)
      expect((await server.client().get('/health')).status).toBe(200)
    })
  }

  test('takes account and key from the environment and prints neither', async () => {
    const apiKey = `mn_live_${'a1B2'.repeat(6)}`
    const given = { ADMIN_EMAIL: 'Ada@Example.com', ADMIN_PASSWORD: 'tea without sugar', BOOTSTRAP_API_KEY: apiKey }
    const own = await startServer({ ...(await preparedStore()), ...given })
    expect((await own.client(apiKey).get('/v1/memories')).status).toBe(200)
    expect(
      (await (await own.client('').signIn('ada@example.com', 'tea without sugar')).get('/v1/workspaces')).status,
    ).toBe(200)
    for (const secret of [apiKey, 'tea without sugar']) expect(own.stdout() + own.stderr()).not.toContain(secret)
    expect(await own.stop()).toBe(0)
  })

  test('is refused by a database that is newer than the code, or whose migrations were edited', async () => {
    const own = await preparedStore()
    const first = await startServer(own)
    await first.stop()
    const change = (statement: string) => onStore(own, sql => sql.unsafe(statement))
    await change(`insert into core.migration (owner, name, hash) values ('core', '9999_from_the_future.sql', 'x')`)
    expect(await refusal(own)).toBe(
      'Mneme cannot start: the database is newer than this version of Mneme: it has core/9999_from_the_future.sql. Start a version that knows it.',
    )
    await change(`delete from core.migration where name = '9999_from_the_future.sql'`)
    await change(`update core.migration set hash = 'edited' where name like '0001%' and owner = 'core'`)
    const refused = await refusal(own)
    expect(refused).toStartWith('Mneme cannot start: core/0001_create_core.sql was edited after it was applied.')
    expect(refused).toContain('The database was made by another version of Mneme')
  })

  test('is refused to another ENCRYPTION_KEY than that of the first', async () => {
    const own = { ...(await preparedStore()), ENCRYPTION_KEY: 'a'.repeat(32) }
    await (await startServer(own)).stop()
    expect(await refusal({ ...own, ENCRYPTION_KEY: 'b'.repeat(32) })).toBe(
      'Mneme cannot start: ENCRYPTION_KEY is not the key of this database. Use that one, or name it in ENCRYPTION_KEY_PREVIOUS to change the key: what it protects cannot be read with another.',
    )
    expect(await (await startServer(own)).stop()).toBe(0)
  })

  afterAll(async () => {
    expect(await server.stop()).toBe(0)
  })
})

test('a start on a folder in a folder that is not there makes both', async () => {
  if (NATIVE_URL) return
  const server = await startServer({ DATA_DIR: `${await temporaryFolder()}/deep/data` })
  expect(await server.stop()).toBe(0)
})
