import { expect, test } from 'bun:test'
import { ownDatabaseUrl } from '../support/database.ts'
import { documentedFile } from '../support/documented.ts'
import { runToEnd } from '../support/process.ts'
import { startService } from '../support/service.ts'

const [former, present] = ['former-key-0123456789abcdef012345', 'present-key-0123456789abcdef01234']

test('the key is changed while servers run: secrets stay readable everywhere, sessions end, keys go on', async () => {
  const url = await ownDatabaseUrl()
  const file = await documentedFile('vault.ts')
  const vault = (await import(file)).default
  const start = (ENCRYPTION_KEY: string, previous?: string) =>
    startService(
      { ENCRYPTION_KEY, WORKERS: 'none', ...(previous ? { ENCRYPTION_KEY_PREVIOUS: previous } : {}) },
      { url, thirdParty: [vault] },
    )
  const first = await start(former)
  const account = await first.account()
  const session = await account.signIn()
  type Server = typeof first
  // The same account on any of the servers.
  const on = (server: Server) => server.anonymous.with(account.client.headers)
  const keep = async (server: Server, name: string) =>
    expect((await on(server).put(`/v1/x/vault/tokens/${name}`, { token: `the token ${name}` })).status).toBe(204)
  const reads = async (server: Server, ...names: string[]) => {
    for (const name of names) {
      expect((await on(server).get(`/v1/x/vault/tokens/${name}`)).body).toEqual({ token: `the token ${name}` })
    }
  }
  await keep(first, 'one')

  // Every server learns of the next key before any of them seals under it.
  const prepared = await start(former, present)
  const changed = await start(present, former)
  await keep(changed, 'two')
  await keep(prepared, 'three')
  await reads(prepared, 'one', 'two', 'three')
  await reads(changed, 'one', 'two', 'three')
  // A server that was left out cannot read what it has no key for, and says so without a word of it.
  const unread = await on(first).get('/v1/x/vault/tokens/two')
  expect([unread.status, unread.body.error_code]).toEqual([500, 'INTERNAL_ERROR'])
  expect((await changed.anonymous.with(session.headers).get('/v1/workspaces')).status).toBe(401)
  await expect(start(present)).rejects.toThrow('does not name it')
  for (const server of [first, prepared]) await server.kernel.stop()

  const settings = { DATABASE_URL: url, ENCRYPTION_KEY: present, ENCRYPTION_KEY_PREVIOUS: former }
  const withoutPlugin = await runToEnd('server/main.ts', settings, ['reseal'])
  expect(withoutPlugin.code).toBe(1)
  expect(withoutPlugin.stdout).toContain('not reached: x_vault.token.sealed, whose plugin PLUGINS does not name')
  const done = await runToEnd('server/main.ts', { ...settings, PLUGINS: file }, ['reseal'])
  expect([done.code, done.stderr]).toEqual([0, ''])
  expect(done.stdout).toBe(
    'Sealed again under ENCRYPTION_KEY: 2\nNothing is sealed under another key (1 retired). ENCRYPTION_KEY_PREVIOUS can go.\n',
  )
  const last = await start(present)
  await reads(last, 'one', 'two', 'three')
  await reads(changed, 'one', 'two', 'three')
  await expect(start(former)).rejects.toThrow('is not the key of this database')
})
