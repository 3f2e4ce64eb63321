import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ENCRYPTION_KEY } from '../../../../test/support/accounts.ts'
import { ownDatabaseUrl } from '../../../../test/support/database.ts'
import { type HttpServer, serveHttp } from '../../../../test/support/http-server.ts'
import { Corpus } from '../conformance/corpus.test-support.ts'
import { FAKE_KEY, FakeTypesense } from './fake/cluster.test-support.ts'
import { openDatabase, openOn, settle, type TypesenseWorld } from './world.test-support.ts'

// Commands run as separate processes, which reach the fake over a socket.

const COMMAND = fileURLToPath(new URL('../../../../server/command.ts', import.meta.url))

const fake = new FakeTypesense(1, 'commands.test')
let server: HttpServer
let databaseUrl: string
let world: Pick<TypesenseWorld, 'engine' | 'database'>

beforeAll(async () => {
  server = await serveHttp(request => fake.response(0, request))
  databaseUrl = await ownDatabaseUrl()
  const database = await openDatabase(databaseUrl)
  world = { database, engine: await openOn(database, [server.origin], FAKE_KEY) }
})

afterAll(() => server.close())

function command(...args: string[]) {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(process.execPath, [COMMAND, 'search', ...args], {
    env: {
      ...Object.fromEntries(Object.entries({ PATH, HOME, TMPDIR }).filter(([, value]) => value !== undefined)),
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY,
      TYPESENSE_URL: server.origin,
      TYPESENSE_API_KEY: FAKE_KEY,
    },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (text += chunk))
  const ended = new Promise<{ code: number | null; text: string }>(resolve =>
    child.once('close', code => resolve({ code, text })),
  )
  return { child, ended }
}

test('a killed rebuild is completed by the next one, and verify finds no drift', async () => {
  const corpus = await Corpus.of(world, ...Array.from({ length: 450 }, (_, n) => `memory number ${n}`))
  await settle(world.engine)
  const before = fake.store.aliases.get('mneme_memories')

  const killed = command('rebuild')
  let imports = 0
  const reached = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  fake.onRequest = async ({ path }) => {
    if (!path.endsWith('/import') || ++imports < 2) return
    reached.resolve()
    await release.promise
  }
  await reached.promise
  killed.child.kill('SIGKILL')
  expect((await killed.ended).code).toBeNull()
  release.resolve()
  fake.onRequest = () => undefined

  expect(fake.store.aliases.get('mneme_memories')).toBe(before)
  expect((await corpus.candidates('number', { mode: 'keyword' })).total).toBe(450)
  // Claims of the killed process expire after some time.
  await world.database.system(
    tx => tx`update search.typesense_queue set due_at = now() - interval '1 second' where lease is not null`,
  )

  const next = await command('rebuild').ended
  expect(next).toMatchObject({ code: 0, text: expect.stringContaining('Done: searches use the new collection.') })
  expect(fake.store.aliases.get('mneme_memories')).not.toBe(before)
  expect(fake.store.collections.size).toBe(2)
  expect(await command('verify').ended).toEqual({
    code: 0,
    text: '450 memories of 1 workspace compared: 0 differ, 0 are on their way\n',
  })
})

test('unknown arguments of a command are refused', async () => {
  for (const name of ['rebuild', 'verify']) {
    const { code, text } = await command(name, '--now').ended
    expect([code, text]).toEqual([2, expect.stringContaining(`Usage: bun run search ${name}`)])
  }
})

test('an unknown command lists the existing ones', async () => {
  const { code, text } = await command('rebuilt').ended
  expect(code).toBe(2)
  for (const name of ['eval', 'rebuild', 'verify']) expect(text).toContain(`bun run command search ${name}`)
})
