import { expect, test } from 'bun:test'
import { NATIVE_URL, temporaryFolder } from '../support/database.ts'
import { preparedStore, runToEnd, type Settings, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

const reset = (store: Settings, ...words: string[]) => runToEnd('server/main.ts', store, ['reset-password', ...words])

test('an operator who lost the password gets a new one, no lock, and every session ends', async () => {
  const store = await preparedStore()
  const first = await startServer(store)
  const { email, password, apiKey } = first
  const session = await first.client('').signIn(email, password)
  expect((await session.get('/v1/workspaces')).status).toBe(200)
  const guess = () => first.client('').post('/v1/auth/sign-in/email', { email, password: 'a wrong one' })
  for (let n = 0; n < 5; n++) expect((await guess()).status).toBe(401)
  expect((await guess()).status).toBe(429)
  // The embedded database belongs to the server alone; a shared one may be worked on beside it.
  const running = NATIVE_URL ? first : undefined
  if (!NATIVE_URL) {
    const refused = await reset(store, email)
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toMatch(/^Mneme cannot start: The database folder .* is in use by process \d+/)
    expect(await first.stop()).toBe(0)
  }

  const unknown = await reset(store, 'nobody@example.com')
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(unknown.stderr.trim()).toBe(`No account has the e-mail address nobody@example.com. There are: ${email}`)
  const done = await reset(store, email.toUpperCase())
  expect([done.code, done.stderr]).toEqual([0, ''])
  const made = / {2}password {3}([0-9A-Za-z]{20})\n$/.exec(done.stdout)?.[1] ?? ''

  const server = running ?? (await startServer(store))
  const anonymous = server.client('')
  expect((await anonymous.post('/v1/auth/sign-in/email', { email, password })).status).toBe(401)
  expect((await (await anonymous.signIn(email, made)).get('/v1/workspaces')).status).toBe(200)
  const stale = server.client('').with(session.headers)
  await until('the old session is over', async () => (await stale.get('/v1/workspaces')).status === 401)
  expect((await server.client(apiKey).get('/v1/memories')).status).toBe(200)
  expect(await server.stop()).toBe(0)
})

test('without a database, or called in another way, it says so and makes nothing', async () => {
  const folder = await temporaryFolder()
  const nowhere = await reset({ DATA_DIR: folder }, 'a@example.com')
  expect(nowhere).toMatchObject({ code: 1, stdout: '' })
  expect(nowhere.stderr.trim()).toBe(`Mneme cannot start: there is no database in DATA_DIR (${folder}).`)
  for (const words of [[], ['a@example.com', 'more']]) {
    const wrong = await reset({ DATA_DIR: folder }, ...words)
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toStartWith('Usage:')
  }
})
