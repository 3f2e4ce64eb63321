import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, ClientResponse, Json } from '../support/client.ts'
import { ownDatabaseUrl } from '../support/database.ts'
import { type Operation, operationsOf, type Said, sendExample, text } from '../support/operations.ts'
import { exportAll, keepAll, type Person, person, sent, settled } from '../support/person.ts'
import { rowsThatTell, type TellingRow } from '../support/rows-that-tell.ts'
import { startService, type TestAccount, type TestService } from '../support/service.ts'
import { until } from '../support/wait.ts'

let running: TestService
let account: TestAccount
let document: Json
/** An export of the whole workspace, which is written again whenever anybody's memories are deleted. */
let ofAll: string
/** Every permission that a bound key may have. */
let permissions: string[]
const own = person()
const other = person()

beforeAll(async () => {
  running = await startService({ KNOWLEDGE_DEBOUNCE_MS: '100' }, { url: await ownDatabaseUrl() })
  account = await running.account()
  document = (await account.client.get('/openapi.json')).body
  permissions = await allowed(account)
  for (const one of [own, other]) await keepAll(account.client, one)
  await rest()
  for (const one of [own, other]) await exportAll(account.client, { user_id: one.id })
  ofAll = (await exportAll(account.client, {})).id
  await rest()
}, 240_000)

/** Makes a key of everything and drops what is refused. */
async function allowed({ signIn, client }: TestAccount): Promise<string[]> {
  const { groups } = (await client.get('/v1/api-keys/permissions')).body
  const all: string[] = groups.flatMap((group: Json) => group.permissions.map(({ name }: Json) => name))
  const refused = await (await signIn()).post('/v1/api-keys', { name: 'x', user_id: own.id, permissions: all })
  const places = new Set(refused.body.details.map(({ path }: Json) => Number(path.split('.')[1])))
  return all.filter((_, place) => !places.has(place))
}

async function rest(): Promise<void> {
  await until('all jobs are done', async () => {
    const [row] = await running.database.system(
      tx => tx<{ busy: number }[]>`
        select count(*)::int as busy
        from graphile_worker._private_jobs
        where attempts < max_attempts and run_at < now() + interval '5 seconds'`,
    )
    return row?.busy === 0
  })
}

/** @param id for what is neither a user nor a workspace */
function inPathOf({ params }: Operation, { id: userId }: Person, id: string): Record<string, string> {
  const value = (name: string) => (/user/i.test(name) ? userId : /workspace/i.test(name) ? account.workspaceId : id)
  return Object.fromEntries(params.map(name => [name, value(name)]))
}

/** Ids of everything that is a user's, by whichever table. */
async function idsOf({ id }: Person): Promise<string[]> {
  const tables = await running.database.system(
    tx => tx<{ name: string; key: string }[]>`
      select named.attrelid::regclass::text as name, key.attname as key
      from pg_attribute as named
      join pg_class as tables on tables.oid = named.attrelid and tables.relkind = 'r'
      join pg_attribute as key on key.attrelid = tables.oid and key.attname in ('id', 'memory_id') and key.atttypid = 'uuid'::regtype
      where named.attname = 'user_id' and tables.relnamespace::regnamespace::text !~ '^(pg_|information_schema|core)'`,
  )
  const ids = await Promise.all(
    tables.map(({ name, key }) =>
      running.database.system(tx =>
        tx.unsafe<{ id: string }[]>(`select ${key}::text as id from ${name} where user_id = $1`, [id]),
      ),
    ),
  )
  return [...new Set(ids.flat().map(row => row.id))]
}

/** One id of each kind of thing that routes name, as an administrator finds them. */
async function thingsOf({ client }: TestAccount, { id }: Person): Promise<string[]> {
  const query = { user_id: id, page_size: '3' }
  const first = async (path: string) => (await client.get(path, { query })).body.data.map((item: Json) => item.id)
  const exports = (await client.get('/v1/exports')).body.data.filter((item: Json) => item.user_id === id)
  const rows = await running.database.system(
    tx => tx<{ id: string }[]>`
      select id::text from conversations.conversation where user_id = ${id}
      union all select id::text from exports.import where user_id = ${id}
      union all (select id::text from search.query_log where user_id = ${id} limit 1)`,
  )
  const paths = ['/v1/memories', '/v1/ingest-jobs', '/v1/graph/entities', '/v1/knowledge']
  return [
    ...(await Promise.all(paths.map(first))).flat(),
    ...exports.map((item: Json) => item.id),
    ...rows.map(row => row.id),
  ]
}

/** Counts of words, which all texts of a workspace have in common, and times at which keys were used. */
const SHARED = new Set(['search.term_stat', 'search.term_delta', 'core.api_key'])

/** Rows with a word of the other user that are not of the user who attacks. */
async function rowsOfOther(): Promise<TellingRow[]> {
  const rows = await rowsThatTell(running.database, other.markers)
  return rows.filter(({ table, row }) => !SHARED.has(table) && !row.includes(own.id) && !row.includes(ofAll))
}

/** Operations that a bound key with all permissions can use on things of its user. */
const SERVED = `
  askGraph assembleContext callMcp compileKnowledge createConversation createExport createMemory createMemoryBatch
  downloadExport explainSearch getConversation getEntity getExport getGraphOverview getIngestJob getKnowledge
  getMemory getProfile giveFeedback ingestDocument listCategories listEntities listExports listIngestJobMemories
  listIngestJobs listKnowledge listKnowledgeVersions listMemories listMemoryHistory listPermissions listRelationships
  listUsers listUsersAndAgents reprocessConversation reprocessMemories reprocessMemory searchEntities searchMemories
  searchMemoriesByQuery traverseGraph updateKnowledge updateMemory
`

describe('a key that is bound to a user', () => {
  let bound: Client
  let agents: Client
  let secrets: string[]
  let before: TellingRow[]
  let things: string[]

  beforeAll(async () => {
    bound = await account.key({ permissions, subject: { userId: own.id } })
    agents = await account.key({ permissions, subject: { userId: own.id, agentId: 'no agent of theirs' } })
    things = await thingsOf(account, other)
    secrets = [...other.markers, ...(await idsOf(other))]
    before = await rowsOfOther()
    expect([things.length > 8, secrets.length > 60, before.length > 40]).toEqual([true, true, true])
  }, 60_000)

  const told = ({ body, status }: ClientResponse) => {
    const text = JSON.stringify(body) ?? ''
    return { status, secrets: secrets.filter(secret => text.includes(secret)) }
  }

  /** Requests that name the other user, or something of theirs, in any place where the operation takes it. */
  function* attacks(operation: Operation): Generator<Said> {
    const { params, query, fields } = operation
    const inPath = (id: string) => inPathOf(operation, other, id)
    for (const id of params.length > 0 ? things : ['']) {
      const said = { params: inPath(id) }
      if (params.length > 0) yield said
      if (query.includes('user_id')) yield { ...said, query: { user_id: other.id } }
      if (fields.includes('user_id')) yield { ...said, body: { user_id: other.id } }
    }
    for (const id of things) {
      for (const name of query.filter(one => /^from$|(?<!workspace|user|agent|session)_id$/.test(one)))
        yield { params: inPath(id), query: { [name]: id } }
      for (const name of fields.filter(one => /(?<!workspace|user|agent|session)_id$/.test(one)))
        yield { params: inPath(id), body: { [name]: id } }
    }
    if (fields.includes('memories'))
      yield { params: inPath(''), body: { memories: [{ memory: 'Not mine.', user_id: other.id }] } }
  }

  test('gets nothing of another user out of any operation that names them', async () => {
    const tried: string[] = []
    for (const operation of operationsOf(document)) {
      for (const said of attacks(operation)) {
        for (const client of [bound, agents]) {
          const response = await sendExample(client, operation, said, account.password)
          const { status, secrets } = told(response)
          const what = `${operation.method} ${operation.path} ${JSON.stringify(said)}`
          // A filter by something of another user lets nothing pass.
          const isNothing = (status >= 400 && status < 500) || response.body.total === 0
          expect([what, secrets, isNothing]).toEqual([what, [], true])
        }
        tried.push(operation.id)
      }
    }
    expect(new Set(tried).size).toBeGreaterThan(50)
  }, 120_000)

  test('gets only what is of its own user out of every operation that names nobody', async () => {
    const mine = await thingsOf(account, own)
    const served = new Set<string>()
    for (const operation of operationsOf(document)) {
      // Things are removed last, in a test of its own.
      if (operation.method === 'DELETE') continue
      const isNamed = [...operation.params, ...operation.query, ...operation.fields].some(name =>
        /^id$|^from$|^memory_id$/.test(name),
      )
      for (const id of isNamed ? mine : ['']) {
        const said = {
          params: inPathOf(operation, own, id),
          query: operation.query.includes('from') ? { from: id } : {},
          body: operation.fields.includes('memory_id') ? { memory_id: id } : {},
        }
        const response = await sendExample(bound, operation, said, account.password)
        expect([operation.id, told(response).secrets]).toEqual([operation.id, []])
        if (response.status < 300) served.add(operation.id)
        expect([operation.id, told(await sendExample(agents, operation, said, account.password)).secrets]).toEqual([
          operation.id,
          [],
        ])
      }
    }
    expect([...served].toSorted()).toEqual(SERVED.trim().split(/\s+/))
  }, 120_000)

  test('finds nothing by the words of another user', async () => {
    for (const word of other.markers.filter((_, n) => n % 4 === 0)) {
      const query = `what about ${word}`
      for (const response of [
        await bound.post('/v1/memories/search', { query, explain: true, expand: true, mode: 'hybrid' }),
        await bound.get('/v1/memories', { query: { search: query, explain: 'true' } }),
        await bound.get('/v1/graph/search', { query: { query } }),
        await bound.post('/v1/graph/query', { query }),
        await bound.post('/v1/context', { query }),
      ]) {
        // An answer may name what was asked for.
        expect([query, told(response).secrets.filter(secret => secret !== word)]).toEqual([query, []])
      }
    }
  }, 60_000)

  test('is told of no memory of another user that has a text already', async () => {
    const taken = `I like ${other.mark()}.`
    const { id } = await sent(account.client, 'POST', '/v1/memories', { body: { memory: taken, user_id: other.id } })
    secrets.push(id)
    await rest()
    before = await rowsOfOther()
    const mine = await sent(bound, 'POST', '/v1/memories', { body: { memory: text() } })
    const responses = [
      await bound.post('/v1/memories', { memory: taken }),
      await bound.put(`/v1/memories/${mine.id}`, { memory: taken }),
      await bound.post('/v1/memories/batch', { memories: [{ memory: taken }] }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([409, 409, 207])
    expect(responses[2]?.body.results[0]).toMatchObject({ status: 409, error: { error_code: 'DUPLICATE_MEMORY' } })
    const conversation = await sent(bound, 'POST', '/v1/memories/conversations', {
      body: { messages: [{ role: 'user', content: taken }] },
    })
    const form = new FormData()
    form.set('file', new Blob([taken]), 'taken.txt')
    const job = await sent(bound, 'POST', '/v1/memories/ingest', { raw: form })
    responses.push({ ...(await bound.get('/v1/memories')), body: await settled(bound, `/v1/ingest-jobs/${job.id}`) })
    await settled(bound, `/v1/memories/conversations/${conversation.id}`)
    responses.push(await bound.get(`/v1/memories/conversations/${conversation.id}`))
    responses.push(await bound.get(`/v1/ingest-jobs/${job.id}/memories`))
    for (const response of responses) expect(JSON.stringify(response.body)).not.toContain(id)
    const named = await account.client.post('/v1/memories', { memory: taken, user_id: own.id })
    expect(named.body.message).toContain(id)
  })

  test('calls tools for its own user alone', async () => {
    const call = async (name: string, given: object, query = {}) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
      return bound.request('POST', '/v1/mcp', { body, query })
    }
    const [id] = things
    for (const [name, given] of [
      ['search_memories', { query: 'where', user_id: other.id }],
      ['add_memory', { memory: text(), user_id: other.id }],
      ['list_memories', { user_id: other.id }],
      ['get_profile', { user_id: other.id }],
      ['ask_graph', { query: 'Where do I live?', user_id: other.id }],
      ['get_knowledge', { user_id: other.id }],
      ['get_memory', { memory_id: id }],
      ['update_memory', { memory_id: id, memory: text() }],
      ['delete_memory', { memory_id: id }],
    ] as const) {
      const response = await call(name, given)
      expect([name, told(response).secrets, response.body.result?.isError]).toEqual([name, [], true])
    }
    const found = await call('list_memories', {})
    expect([found.body.result.isError, told(found).secrets]).toEqual([false, []])
    expect(found.body.result.content[0].text).toContain(own.id)
    expect((await call('list_memories', {}, { user_id: other.id })).body.error_code).toBe('FORBIDDEN')
  })

  test('has kept responses of its own', async () => {
    const body = { memory: text() }
    const headers = { 'idempotency-key': 'the same' }
    const first = await account.key({ permissions, subject: { userId: other.id } })
    expect((await first.post('/v1/memories', body, { headers })).status).toBe(201)
    const second = await bound.post('/v1/memories', body, { headers })
    expect([second.status, second.headers.has('idempotent-replayed'), told(second).secrets]).toEqual([409, false, []])
    await rest()
    before = await rowsOfOther()
  })

  test('sees of its user what one agent stored, where it is bound to that, too', async () => {
    const agentId = own.markers[1] ?? ''
    const one = await account.key({ permissions, subject: { userId: own.id, agentId } })
    const made = await sent(one, 'POST', '/v1/memories', { body: { memory: text() } })
    const { data, total } = (await one.get('/v1/memories', { query: { page_size: 100 } })).body
    expect(data.map((item: Json) => item.id)).toContain(made.id)
    expect(new Set(data.map((item: Json) => `${item.user_id} ${item.agent_id}`))).toEqual(
      new Set([`${own.id} ${agentId}`]),
    )
    expect((await bound.get('/v1/memories')).body.total).toBeGreaterThan(total)
    expect((await one.get('/v1/memories', { query: { agent_id: 'another' } })).body.error_code).toBe('FORBIDDEN')
    // Facts, knowledge and documents are a user's, whichever agent stored what they are made of.
    for (const path of ['/v1/knowledge', '/v1/graph/entities', '/v1/ingest-jobs', '/v1/exports', '/v1/users'])
      expect([path, (await one.get(path)).status]).toEqual([path, 403])
  })

  test('removes what is of its own user', async () => {
    const { data } = (await bound.get('/v1/memories')).body
    expect((await bound.delete(`/v1/memories/${data[0].id}`)).status).toBe(204)
    const [job] = (await bound.get('/v1/ingest-jobs')).body.data
    expect((await bound.delete(`/v1/ingest-jobs/${job.id}`, { query: { memories: 'true' } })).status).toBe(204)
    const [file] = (await bound.get('/v1/exports')).body.data
    expect((await bound.delete(`/v1/exports/${file.id}`)).status).toBe(204)
    const headers = { 'x-confirm-password': account.password }
    expect((await bound.delete('/v1/memories', { headers })).status).toBe(204)
    const erasure = await sent(bound, 'DELETE', `/v1/users/${own.id}`, {})
    await until('it has ended with its user', async () => (await bound.get('/v1/memories')).status === 401)
    const again = await account.key({ permissions, subject: { userId: own.id } })
    expect(await settled(again, `/v1/users/erasures/${erasure.id}`)).toMatchObject({ status: 'COMPLETED' })
    const others = await sent(account.client, 'DELETE', '/v1/users/nobody', {})
    expect((await again.get(`/v1/users/erasures/${others.id}`)).status).toBe(404)
  })

  test('changes nothing that is of another user', async () => {
    await rest()
    const after = new Set((await rowsOfOther()).map(({ row }) => row))
    expect(before.filter(({ row }) => !after.has(row))).toEqual([])
  })
})
