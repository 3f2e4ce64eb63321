import { describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { definePlugin, extend, routesOf, Type, textArray } from 'mneme/plugin'
import { memoryParts, removesRowsOfDeletedMemories } from 'mneme/plugin/memories'
import { createJobQueue } from '../../core/jobs/queue.ts'
import { eraseTypes } from '../../core/plugin.ts'
import { allRead, edgesOf } from '../../plugins/graph/writing/writing.test-support.ts'
import { Client } from '../support/client.ts'
import { emptyDatabaseUrl, ownDatabaseUrl, temporaryFolder } from '../support/database.ts'
import { startService, type TestAccount, type TestService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const SETTINGS = { KNOWLEDGE_DEBOUNCE_MS: '0' }
const WAIT_MS = 60_000

/** Runs work on a service without a plugin, a built-in one by default, and stops it once the database knows what was missing. */
async function without<T>(
  plugin: string,
  url: string,
  work: (service: TestService) => Promise<T>,
  settings: Record<string, string> = { PLUGINS_DISABLED: plugin },
): Promise<T> {
  const service = await startService({ ...SETTINGS, ...settings }, { url })
  const done = await work(service)
  await until('the absence is noted', async () => {
    const rows = await service.database.system(
      tx => tx`select from memories.part where part.id = ${plugin} and part.absent_at is not null`,
    )
    return plugin === 'knowledge' || rows.length > 0
  })
  // Ends the rest after the pass of the first start, which is the longer the slower that was.
  await service.database.system(tx => tx`update memories.part set rest_until = null`)
  await service.kernel.stop()
  return done
}

/** Makes the account's client on a later service over the same database. */
function clientOn(service: TestService, { client }: TestAccount): Client {
  return new Client(service.anonymous.fetch, client.headers)
}

async function store(client: Client, memory: string): Promise<string> {
  const { status, body } = await client.post('/v1/memories', { memory, user_id: 'u7' })
  expect(status).toBe(201)
  await completed(client, body.id)
  return body.id
}

function completed(client: Client, id: string): Promise<unknown> {
  return until(
    'the memory is processed',
    async () => (await client.get(`/v1/memories/${id}`)).body.status === 'COMPLETED',
    WAIT_MS,
  )
}

async function knowledgeOf(client: Client): Promise<string> {
  const { body } = await client.get('/v1/knowledge', { query: { user_id: 'u7' } })
  return JSON.stringify(body.data.map((entry: { content: string }) => entry.content))
}

function runNow({ database }: TestService, task: string): Promise<void> {
  return database.system(tx => createJobQueue().enqueue(tx, [{ task, payload: {} }]))
}

describe('what was stored while a plugin was switched off', () => {
  test('is in the graph and in the knowledge once the graph is back; what changed or went meanwhile is not', async () => {
    const url = await ownDatabaseUrl()
    const first = await startService(SETTINGS, { url })
    const account = await first.account()
    const { workspaceId } = account
    const moved = await store(account.client, 'I live in Porto.')
    const deleted = await store(account.client, 'I work at Contoso.')
    await allRead(first, workspaceId, 2)
    await until('all is compiled', async () => (await knowledgeOf(account.client)).includes('Contoso'), WAIT_MS)
    await first.kernel.stop()
    await without('graph', url, async service => {
      const client = clientOn(service, account)
      await store(client, 'I work at Northwind Labs.')
      await client.put(`/v1/memories/${moved}`, { memory: 'I live in Lisbon.' })
      await completed(client, moved)
      expect((await client.delete(`/v1/memories/${deleted}`)).status).toBe(204)
    })
    const last = await startService(SETTINGS, { url })
    const expected = ['u7 LIVES_IN Lisbon', 'u7 WORKS_AT Northwind Labs']
    const edges = async () => JSON.stringify(await edgesOf(last, workspaceId)) === JSON.stringify(expected)
    await until('the graph is as if it had never been off', edges, WAIT_MS)
    const client = clientOn(last, account)
    await until(
      'the knowledge follows',
      async () => {
        const content = await knowledgeOf(client)
        const has = (word: string) => content.includes(word)
        return has('Northwind') && has('Lisbon') && !has('Porto') && !has('Contoso')
      },
      WAIT_MS,
    )
    const { body: metrics } = await last.anonymous.get('/metrics')
    expect(metrics).toMatch(/mneme_catch_up_memories\{part="graph",state="made"\} [12]/)
    await last.kernel.stop()
  }, 240_000)

  test('is found by words and by meaning once search is back; words of former texts and of deleted ones are gone', async () => {
    const url = await ownDatabaseUrl()
    const first = await startService(SETTINGS, { url })
    const account = await first.account()
    const changed = await store(account.client, 'The ferry leaves at noon.')
    const deleted = await store(account.client, 'The spare key lies under the mat.')
    await first.kernel.stop()
    const added = await without('search', url, async service => {
      const client = clientOn(service, account)
      await client.put(`/v1/memories/${changed}`, { memory: 'The tram leaves at midnight.' })
      await completed(client, changed)
      expect((await client.delete(`/v1/memories/${deleted}`)).status).toBe(204)
      return store(client, 'Grandmother bakes rhubarb pie on Sundays.')
    })
    const last = await startService(SETTINGS, { url })
    const client = clientOn(last, account)
    const found = async (query: string, mode: string) => {
      const { body } = await client.post('/v1/memories/search', { query, mode, user_id: 'u7' })
      return body.data.map(({ id }: { id: string }) => id)
    }
    const index = () =>
      last.database.workspace(
        account.workspaceId,
        tx => tx<{ id: string; vectors: number }[]>`
          select document.memory_id as id, (
            select count(*)::integer
            from search.embedding
            where embedding.memory_id = document.memory_id
          ) as vectors
          from search.document
          order by 1`,
      )
    const whole = [changed, added].sort().map(id => ({ id, vectors: 1 }))
    const isWhole = async () => JSON.stringify(await index()) === JSON.stringify(whole)
    await until('documents and vectors are those of the memories', isWhole, WAIT_MS)
    expect(await found('rhubarb', 'keyword')).toEqual([added])
    expect(await found('tram', 'keyword')).toEqual([changed])
    expect(await found('ferry', 'keyword')).toEqual([])
    expect((await found('what cake does granny make?', 'semantic'))[0]).toBe(added)
    await last.kernel.stop()
  }, 240_000)

  test('by a third party, goes with memories deleted meanwhile; what is about others stays, expired ones included', async () => {
    const folder = await temporaryFolder()
    await writeFile(
      join(folder, '0001_create_note.sql'),
      `create table x_notes.note (workspace_id uuid, memory_id uuid, primary key (workspace_id, memory_id));
      select core.protect_tenant_table('x_notes.note');`,
    )
    const notes = definePlugin({
      id: 'notes',
      version: '1.0.0',
      apiVersion: 1,
      requires: ['memories'],
      migrations: pathToFileURL(`${folder}/`),
      setup: () => ({
        scope: undefined,
        extensions: [extend(memoryParts, removesRowsOfDeletedMemories({ id: 'notes', table: 'x_notes.note' }))],
      }),
    })
    const options = { url: await ownDatabaseUrl(), thirdParty: [eraseTypes(notes)] }
    const first = await startService(SETTINGS, options)
    const account = await first.account()
    const { workspaceId } = account
    const kept = await store(account.client, 'The ferry leaves at noon.')
    const expired = await store(account.client, 'The tram is late today.')
    const deleted = await store(account.client, 'The spare key lies under the mat.')
    await first.database.system(
      tx => tx`
        insert into x_notes.note (workspace_id, memory_id)
        select ${workspaceId}, id
        from unnest(${textArray([kept, expired, deleted])}::uuid[]) as id`,
    )
    await first.kernel.stop()
    const work = async (service: TestService) => {
      const client = clientOn(service, account)
      expect((await client.delete(`/v1/memories/${deleted}`)).status).toBe(204)
      await service.database.system(
        tx => tx`
          update memories.memory
          set layer = 'TASK', expires_at = now()
          where memory.workspace_id = ${workspaceId} and memory.id = ${expired}`,
      )
    }
    await without('notes', options.url, work, {})
    const last = await startService(SETTINGS, options)
    const noted = () =>
      last.database.system(
        tx => tx<{ memory_id: string }[]>`select memory_id from x_notes.note where note.workspace_id = ${workspaceId}`,
      )
    await until('the note of the deleted one is gone', async () => (await noted()).length < 3, WAIT_MS)
    expect((await noted()).map(({ memory_id }) => memory_id).sort()).toEqual([kept, expired].sort())
    await last.kernel.stop()
  }, 240_000)

  test('is compiled once knowledge is back', async () => {
    const url = await emptyDatabaseUrl()
    const { account, workspaceId } = await without('knowledge', url, async service => {
      const account = await service.account()
      await store(account.client, 'I live in Porto.')
      await allRead(service, account.workspaceId, 1)
      return { account, workspaceId: account.workspaceId }
    })
    const last = await startService(SETTINGS, { url })
    await longAgo(last, workspaceId)
    await runNow(last, 'knowledge:resume')
    const client = clientOn(last, account)
    await until('it is compiled', async () => (await knowledgeOf(client)).includes('Porto'), WAIT_MS)
    await last.kernel.stop()
  }, 240_000)
})

test('a third party that requires what is off is off as well, and the start says why', async () => {
  const digest = definePlugin({
    id: 'digest',
    version: '1.0.0',
    apiVersion: 1,
    requires: ['knowledge'],
    routes: [
      routesOf<unknown>()({
        method: 'GET',
        path: '/v1/x/digest/today',
        access: 'public',
        summary: 'Show the digest',
        tag: 'Digest',
        responses: { 200: Type.Object({}) },
        handle: () => ({ status: 200, body: {} }),
      }),
    ],
    setup: () => ({ scope: undefined }),
  })
  const thirdParty = [eraseTypes(digest)]
  const { kernel, anonymous } = await startService({ PLUGINS_DISABLED: 'graph' }, { thirdParty })
  expect(kernel.summary.join('\n')).toContain('; off: graph, knowledge (requires graph), digest (requires knowledge)\n')
  expect((await anonymous.get('/v1/x/digest/today')).body.error_code).toBe('FEATURE_NOT_ENABLED')
  await kernel.stop()
})

describe('what was stored before the plan had the feature', () => {
  test('is read and compiled once it has', async () => {
    const url = await ownDatabaseUrl()
    const service = await startService(SETTINGS, { url })
    const account = await service.account({ plan: 'free' })
    await store(account.client, 'I live in Porto.')
    await service.database.system(tx => tx`update core.workspace set plan = 'pro' where id = ${account.workspaceId}`)
    await until(
      'the plan counts',
      async () => (await account.client.get('/v1/knowledge', { query: { user_id: 'u7' } })).status === 200,
    )
    await runNow(service, 'graph:sweep')
    await until('it is compiled', async () => (await knowledgeOf(account.client)).includes('Porto'), WAIT_MS)
    expect(await edgesOf(service, account.workspaceId)).toEqual(['u7 LIVES_IN Porto'])
    await service.kernel.stop()
  }, 120_000)
})

/** Recent changes may still be on their way to their listeners, and are left alone for some minutes. */
async function longAgo({ database }: TestService, workspaceId: string): Promise<void> {
  await database.workspace(
    workspaceId,
    tx => tx`
      update graph.changed_user
      set changed_at = changed_user.changed_at - interval '1 hour'
      where changed_user.workspace_id = ${workspaceId}`,
  )
}
