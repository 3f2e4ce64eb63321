import { beforeAll, describe, expect, test } from 'bun:test'
import { type Internet, openInternet } from '../../core/outgoing/internet.test-support.ts'
import type { Client, Json } from '../support/client.ts'
import { ownDatabaseUrl } from '../support/database.ts'
import { download, exportAll, keepAll, marker, person, sent, settled } from '../support/person.ts'
import { rowsOfUser, rowsThatTell, type TellingRow } from '../support/rows-that-tell.ts'
import { startService, type TestAccount, type TestService } from '../support/service.ts'
import { until } from '../support/wait.ts'

let running: TestService
let internet: Internet

beforeAll(async () => {
  internet = openInternet()
  running = await startService(
    { KNOWLEDGE_DEBOUNCE_MS: '100' },
    { url: await ownDatabaseUrl(), network: internet.network },
  )
})

/** A receiver that repeats what it got in its responses. */
async function receiver(name = 'echo.test', status = 200): Promise<{ url: string; bodies: Json[] }> {
  const bodies: Json[] = []
  const address = `93.184.216.${40 + internet.names.size}`
  internet.names.set(name, [address])
  await internet.serve(address, (request, response) => {
    response.statusCode = status
    let text = ''
    request.setEncoding('utf8')
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      bodies.push(JSON.parse(text))
      response.end(text)
    })
  })
  return { url: `http://${name}/hook`, bodies }
}

/** Waits until no job is due any more and nothing buffered is unwritten. */
async function rest(): Promise<void> {
  await until('all jobs are done', async () => {
    const [row] = await running.database.system(
      tx => tx<{ busy: number }[]>`
        select (
          (select count(*) from graphile_worker._private_jobs where attempts < max_attempts and run_at < now() + interval '5 seconds')
          + (select count(*) from search.term_delta)
        )::int as busy`,
    )
    return row?.busy === 0
  })
}

async function erased(client: Client, userId: string): Promise<Json> {
  const begun = await sent(client, 'DELETE', '/v1/users', { query: { user_id: userId } })
  return settled(client, `/v1/users/erasures/${begun.id}`)
}

const remember = (client: Client, userId: string, memory = `I like ${marker()}.`) =>
  sent(client, 'POST', '/v1/memories', { body: { memory, user_id: userId } })

describe('the erasure of a user', () => {
  let account: TestAccount
  const gone = person()
  const other = person()
  let hook: Awaited<ReturnType<typeof receiver>>
  let [ofOther, ofAll]: Json[] = []
  let before: Record<string, string[]>
  let found: TellingRow[]
  let erasure: Json

  beforeAll(async () => {
    account = await running.account()
    const { client } = account
    hook = await receiver()
    await sent(client, 'POST', '/v1/webhooks', { body: { url: hook.url, events: ['*'] } })
    await Promise.all([gone, other].map(one => keepAll(client, one)))
    await rest()
    await exportAll(client, { user_id: gone.id })
    ofOther = await exportAll(client, { user_id: other.id })
    ofAll = await exportAll(client, {})
    await rest()
    found = await rowsThatTell(running.database, gone.markers)
    before = await rowsOfUser(running.database, other.id)
    erasure = await erased(client, gone.id)
  }, 120_000)

  test('begins with them everywhere', () => {
    const tables = new Set(found.map(({ table }) => table))
    expect(tables.size).toBeGreaterThan(22)
    const rows = found.map(({ row }) => row.toLowerCase()).join()
    const seen = gone.markers.filter(word => rows.includes(word))
    expect(seen.length).toBeGreaterThan(gone.markers.length / 2)
  })

  test('leaves no word of them in any row of any table, and not their id', async () => {
    const told = async () =>
      (await rowsThatTell(running.database, gone.markers)).filter(({ row }) => !row.includes('"user.erased"'))
    expect(await told()).toEqual([])
    await until('the receiver knows', async () => hook.bodies.some(({ event }) => event === 'user.erased'))
    await rest()
    expect(await rowsThatTell(running.database, gone.markers)).toEqual([])
  })

  test('has a receipt by table that does not say who it was, the same for the same user', async () => {
    expect(erasure).toMatchObject({ status: 'COMPLETED', error: null })
    expect(erasure.user_id).toMatch(/^[0-9a-f]{64}$/)
    expect(Object.keys(erasure.receipt)).toEqual(
      expect.arrayContaining([
        'memories.memory',
        'memories.history',
        'search.document',
        'search.query_log',
        'graph.entity',
        'knowledge.entry',
        'conversations.conversation',
        'ingest.job',
        'ingest.chunk',
        'exports.export',
        'exports.export_piece',
        'exports.import',
        'webhooks.payload',
        'webhooks.delivery',
        'core.event',
        'core.idempotent_response',
      ]),
    )
    const again = await erased(account.client, gone.id)
    expect(again).toMatchObject({ status: 'COMPLETED', user_id: erasure.user_id, receipt: {} })
  })

  test('tells receivers whom, with the receipt, last', async () => {
    const told = hook.bodies.filter(({ event }) => event === 'user.erased')
    expect(told[0]?.data).toEqual({ user_id: gone.id, receipt: erasure.receipt })
  })

  test('leaves what others have as it was, byte for byte', async () => {
    expect(await rowsOfUser(running.database, other.id)).toEqual(before)
    const file = await download(account.client, ofOther?.id)
    expect(file).toContain(other.id)
  })

  test('has an export of everybody written again without them', async () => {
    await settled(account.client, `/v1/exports/${ofAll?.id}`)
    const file = await download(account.client, ofAll?.id)
    expect(file).toContain(other.id)
    for (const word of gone.markers) expect(file).not.toContain(word)
  })

  test('makes way for a new user of the same name', async () => {
    const { client } = account
    await remember(client, gone.id, 'I am new here.')
    const { body } = await client.get('/v1/users', { query: { q: gone.id } })
    expect(body).toMatchObject({ total: 1, data: [{ user_id: gone.id, memories: 1 }] })
    expect((await client.get('/v1/memories', { query: { user_id: gone.id } })).body.total).toBe(1)
  })
})

describe('an erasure', () => {
  test('of somebody whom nobody knows ends with an empty receipt, and other workspaces do not see it', async () => {
    const [{ client }, stranger] = [await running.account(), await running.account()]
    const done = await erased(client, 'nobody / ü "1"')
    expect(done).toMatchObject({ status: 'COMPLETED', receipt: {} })
    const unseen = await stranger.client.get(`/v1/users/erasures/${done.id}`)
    expect([unseen.status, unseen.body.error_code]).toEqual([404, 'ERASURE_NOT_FOUND'])
  })

  test('asked for twice at once is one', async () => {
    const { client } = await running.account()
    for (let n = 0; n < 3; n++) await remember(client, 'twin')
    const [one, two] = await Promise.all([1, 2].map(() => sent(client, 'DELETE', '/v1/users/twin')))
    expect(one?.id).toBe(two?.id)
    expect(await settled(client, `/v1/users/erasures/${one?.id}`)).toMatchObject({ receipt: { 'memories.memory': 3 } })
  })

  test('takes all that was accepted before it ended, and nothing that came after', async () => {
    const { client } = await running.account()
    for (let n = 0; n < 10; n++) await remember(client, 'busy')
    const begun = await sent(client, 'DELETE', '/v1/users/busy')
    const accepted: string[] = []
    let seen: Json = begun
    const writing = (async () => {
      while (seen.status !== 'COMPLETED') {
        const { id } = await remember(client, 'busy')
        // A memory that was answered before the end can be seen is older than the end.
        seen = (await client.get(`/v1/users/erasures/${begun.id}`)).body
        if (seen.status !== 'COMPLETED') accepted.push(id)
      }
    })()
    await writing
    const { body } = await client.get('/v1/memories', { query: { user_id: 'busy', page_size: 100 } })
    expect(accepted.length).toBeGreaterThan(0)
    expect(body.data.filter(({ id }: Json) => accepted.includes(id))).toEqual([])
  })

  test('reaches users whose ids cannot stand in a path', async () => {
    const { client } = await running.account()
    for (const id of ['.', '..', '%2e/x']) {
      await remember(client, id)
      expect(await erased(client, id)).toMatchObject({ status: 'COMPLETED', receipt: { 'memories.memory': 1 } })
    }
    expect((await client.get('/v1/users')).body.total).toBe(0)
    const refused = await client.delete('/v1/users/%2e')
    expect([refused.status, refused.body.details]).toEqual([400, [{ path: 'user_id', message: 'is required' }]])
  })

  test('takes searches for the id itself, whoever made them, and no others', async () => {
    const { client } = await running.account()
    const { id } = person()
    const kept = [`${id} and more`, 'tea']
    for (const query of [id, ` ${id.toUpperCase()} `, ...kept]) {
      await sent(client, 'GET', '/v1/memories/search', { query: { query } })
    }
    const queries = async () =>
      (await client.get('/v1/dashboard/top-queries')).body.data.map(({ query }: Json) => query).toSorted()
    await until('the searches are logged', async () => (await queries()).length === 3)
    await erased(client, id)
    expect(await queries()).toEqual(kept.toSorted())
    await sent(client, 'GET', '/v1/memories/search', { query: { query: id } })
    await erased(client, id)
    await rest()
    expect(await queries()).toEqual(kept.toSorted())
  })

  test('takes the names of files whose lines name the user, and of those that could not be read', async () => {
    const { client } = await running.account()
    const names = async () =>
      (await client.get('/v1/imports')).body.data.map(({ file_name }: Json) => file_name).toSorted()
    const upload = async (name: string, lines: string) => {
      const form = new FormData()
      form.set('file', new Blob([lines]), name)
      const job = await sent(client, 'POST', '/v1/imports', { raw: form })
      await settled(client, `/v1/imports/${job.id}`)
    }
    await upload('of-ann.jsonl', '{"memory": "I play go.", "user_id": "ann"}\n{"memory": "I play chess."}\n')
    await upload('of-bob.jsonl', '{"memory": "I sing.", "user_id": "bob"}\n')
    await upload('of-nobody.jsonl', '{"memory": "The sky is blue."}\n')
    await upload('broken.jsonl', '{"memory": "I run.", "user_id": "bob"}\nnonsense\n')
    await erased(client, 'ann')
    expect(await names()).toEqual([null, null, 'of-bob.jsonl', 'of-nobody.jsonl'])
    await erased(client, 'bob')
    expect(await names()).toEqual([null, null, null, 'of-nobody.jsonl'])
  })

  test('leaves nothing that a receiver repeats of it, also while it is to be told again', async () => {
    const { client } = await running.account()
    const refusing = await receiver('refusing.test', 500)
    const { id } = await sent(client, 'POST', '/v1/webhooks', { body: { url: refusing.url, events: ['*'] } })
    const latest = async (event: string) => {
      const { body } = await client.get(`/v1/webhooks/${id}/deliveries`, { query: { event } })
      return body.data.find((delivery: Json) => delivery.attempts > 0)
    }
    await remember(client, 'ann')
    const created = await until('an attempt failed', () => latest('memory.created'))
    expect(created).toMatchObject({ response_code: 500, response_body: expect.stringContaining('"ann"') })
    await erased(client, 'ann')
    const told = await until('the erasure was told', () => latest('user.erased'))
    expect(told).toMatchObject({ status: 'PENDING', response_code: 500, response_body: null })
    expect((await client.get(`/v1/webhooks/${id}/deliveries`, { query: { event: 'memory.created' } })).body.total).toBe(
      0,
    )
  })

  test('needs a permission of its own', async () => {
    const { key } = await running.account()
    const without = await key({ permissions: ['memory.read', 'memory.write', 'memory.delete'] })
    const refused = await without.delete('/v1/users/ada')
    expect([refused.status, refused.body.error_code]).toEqual([403, 'FORBIDDEN'])
    const eraser = await key({ permissions: ['user.delete'] })
    expect(await erased(eraser, 'ada')).toMatchObject({ status: 'COMPLETED' })
    expect((await eraser.delete(`/v1/users/${'x'.repeat(256)}`)).status).toBe(400)
    expect((await eraser.get('/v1/users')).status).toBe(403)
  })
})

test('users are listed with their memories, by ids and by how these begin', async () => {
  const { client } = await running.account()
  for (const id of ['ben', 'ada', 'ada', 'ada%', 'Ada']) await remember(client, id)
  const all = (await client.get('/v1/users', { query: { page_size: 3 } })).body
  expect([all.total, all.data.map(({ user_id }: Json) => user_id)]).toEqual([4, ['Ada', 'ada', 'ada%']])
  expect(all.data[1]).toMatchObject({ memories: 2 })
  expect(Date.parse(all.data[1].first_at)).toBeLessThanOrEqual(Date.parse(all.data[1].last_at))
  const ids = async (query: object) =>
    (await client.get('/v1/users', { query: { ...query } })).body.data.map(({ user_id }: Json) => user_id)
  expect(await ids({ q: 'ada' })).toEqual(['ada', 'ada%'])
  expect(await ids({ q: 'a%' })).toEqual([])
  expect(await ids({ page: 2, page_size: 3 })).toEqual(['ben'])
  expect((await client.get('/v1/users', { query: { page: 9 } })).body).toMatchObject({ total: 4, data: [] })
  expect((await client.get('/v1/users', { query: { q: '' } })).status).toBe(400)
})
