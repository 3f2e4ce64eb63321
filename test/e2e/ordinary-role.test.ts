import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import postgres from 'postgres'
import { ENCRYPTION_KEY } from '../support/accounts.ts'
import { onEnd } from '../support/closing.ts'
import { NATIVE_URL } from '../support/database.ts'
import { runToEnd, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

/** Runs statements as the superuser, in one database. */
async function administer(url: string, ...statements: string[]): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    for (const statement of statements) await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 2 })
  }
}

/** Makes a database with its owner, who is no superuser and may not make roles, and nothing in it. */
async function ownedDatabase(superuserUrl: string): Promise<{ url: string; asSuperuser: string; owner: string }> {
  const owner = `mneme_owner_${randomBytes(8).toString('hex')}`
  await administer(
    superuserUrl,
    `create role ${owner} login nosuperuser nocreaterole nocreatedb`,
    `create database ${owner} owner ${owner}`,
  )
  onEnd(() => administer(superuserUrl, `drop database ${owner} with (force)`, `drop role ${owner}`))
  const [url, asSuperuser] = [new URL(superuserUrl), new URL(superuserUrl)]
  url.username = owner
  url.pathname = `/${owner}`
  asSuperuser.pathname = `/${owner}`
  return { url: url.href, asSuperuser: asSuperuser.href, owner }
}

async function startsAsOwner(nativeUrl: string): Promise<void> {
  const { url, asSuperuser, owner } = await ownedDatabase(nativeUrl)
  const settings = { DATABASE_URL: url, ENCRYPTION_KEY }
  const refused = await runToEnd('server/main.ts', { ...settings, PORT: '0' })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^Mneme cannot start: the role in DATABASE_URL lacks a right: .*\n$/)

  // The README tells a superuser to run this.
  const roleMaybeThere = `do $$ begin create role mneme_app nologin; exception when duplicate_object then null; end $$`
  await administer(asSuperuser, roleMaybeThere, `grant mneme_app to ${owner}`, 'create extension vector')
  const server = await startServer(settings)
  const client = server.client()
  const { body } = await client.post('/v1/memories', { memory: 'Ada keeps bees on a roof in Lisbon.', user_id: 'ada' })
  await until('it is processed', async () => (await client.get(`/v1/memories/${body.id}`)).body.status === 'COMPLETED')
  const found = await client.post('/v1/memories/search', { query: 'who has beehives?', user_id: 'ada' })
  expect(found.body.data[0].id).toBe(body.id)
  expect((await client.put(`/v1/memories/${body.id}`, { memory: 'Ada keeps no bees any more.' })).status).toBe(200)
  const session = await server.client('').signIn(server.email, server.password)
  const made = await session.post('/v1/workspaces', { name: 'Second' })
  expect(made.status).toBe(201)
  const confirmed = { headers: { 'x-confirm-password': server.password } }
  expect((await session.delete(`/v1/workspaces/${made.body.id}`, confirmed)).status).toBe(204)
  expect((await client.delete('/v1/memories', confirmed)).status).toBe(204)
  expect((await client.get('/v1/memories')).body.total).toBe(0)
  expect((await server.client('').get('/ready')).status).toBe(200)
  expect(await server.stop()).toBe(0)
}

/** Runs the script of the containers under names of this run, as a superuser; the role of requests is the cluster's. */
async function preparedByScript(superuserUrl: string) {
  const name = `mneme_${randomBytes(8).toString('hex')}`
  const script = (await readFile(new URL('../../deploy/postgres.sql', import.meta.url), 'utf8'))
    .replace(/^\\getenv .*$/gm, '')
    .replace(/:'(?:owner|request)_password'/g, `'${name}'`)
    .replace('create role mneme_app nologin;', '')
    .replace(/\bmneme_request\b/g, `${name}_request`)
    .replace(/\bmneme\b/g, name)
  const [cluster = '', database = ''] = script.split(/^\\connect .*$/m)
  const urlFor = (username: string) => {
    const url = new URL(superuserUrl)
    url.username = username
    url.password = name
    url.pathname = `/${name}`
    return url.href
  }
  const inside = new URL(superuserUrl)
  inside.pathname = `/${name}`
  onEnd(() =>
    administer(superuserUrl, `drop database ${name} with (force)`, `drop role ${name}_request`, `drop role ${name}`),
  )
  const roleMaybeThere = `do $$ begin create role mneme_app nologin; exception when duplicate_object then null; end $$`
  const statements = cluster.replace(/^--.*$/gm, '').split(';')
  await administer(superuserUrl, roleMaybeThere, ...statements)
  await administer(inside.href, database)
  return { DATABASE_URL: urlFor(name), DATABASE_REQUEST_URL: urlFor(`${name}_request`), ENCRYPTION_KEY }
}

async function startsFromScript(nativeUrl: string): Promise<void> {
  const server = await startServer(await preparedByScript(nativeUrl))
  const client = server.client()
  expect((await client.post('/v1/memories', { memory: 'Ada keeps bees.' })).status).toBe(201)
  expect((await client.get('/v1/memories')).body.total).toBe(1)
  expect((await server.client('').get('/ready')).status).toBe(200)
  expect(await server.stop()).toBe(0)
}

if (NATIVE_URL) {
  const nativeUrl = NATIVE_URL
  test('deploy/postgres.sql makes all that a server with both URLs needs', () => startsFromScript(nativeUrl))

  test('a role that owns its database and nothing else is enough, once it is prepared', () => startsAsOwner(nativeUrl))
}
