import { beforeAll, describe, expect, test } from 'bun:test'
import { eraseTenantRows } from '../../../core/auth/control/tenant-rows.ts'
import type { Json } from '../../../test/support/client.ts'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { purge, retentionsOf } from '../../../test/support/retention.ts'
import { service, startService, type TestAccount } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { searchPlugin } from '../index.ts'

let running: Awaited<ReturnType<typeof service>>
beforeAll(async () => {
  running = await service()
})

const TEXTS = [
  'Ada drinks green tea from Japan in the morning',
  'Ada likes black tea with milk at the office',
  'The tea shop on the corner opens at nine',
  'A kettle for tea stands in the kitchen',
  'The invoice of the tea shop is paid',
]
const QUERY = 'Which tea does Ada like?'
const REWORDED = 'What tea does Ada prefer?'
const UNRELATED = 'When does the shop on the corner open?'

/** Creates a workspace with processed texts. */
async function world(texts: readonly string[] = TEXTS) {
  const account = await running.account()
  const { client } = account
  const { body } = await client.post('/v1/memories/batch', {
    memories: texts.map(memory => ({ memory, user_id: 'ada' })),
  })
  const ids: string[] = body.results.map((result: { memory: { id: string } }) => result.memory.id)
  await until('the memories are processed', async () => {
    const memories = await Promise.all(ids.map(id => client.get(`/v1/memories/${id}`)))
    return memories.every(memory => memory.body.status === 'COMPLETED')
  })
  return { ...toolsOf(account), ids }
}

function toolsOf({ client, workspaceId }: Pick<TestAccount, 'client' | 'workspaceId'>) {
  const ask = async (query: string, fields: object = {}): Promise<Json> =>
    (await client.post('/v1/memories/search', { query, limit: 100, ...fields })).body
  return {
    client,
    workspaceId,
    ask,
    /** Returns result ids in order. */
    order: async (query: string, fields?: object) =>
      (await ask(query, fields)).data.map(({ id }: { id: string }) => id) as string[],
    score: async (query: string, id: string) =>
      (await ask(query)).data.find((found: { id: string }) => found.id === id)?.score as number,
    give: async (id: string, signal: string, query_hash?: string) =>
      (await client.post(`/v1/memories/${id}/feedback`, { signal, ...(query_hash ? { query_hash } : {}) })).status,
    count: (table: string) =>
      running.database.workspace(workspaceId, async tx => {
        const [row] = await tx<{ count: number }[]>`
          select count(*) as count from ${tx.unsafe(table)} where workspace_id = ${workspaceId}`
        return row?.count ?? 0
      }),
  }
}

/** Returns results in order with scores to three places, because the contribution of a memory's age shrinks between searches. */
function ranked({ data }: Json): unknown[] {
  return data.map(({ score, ...result }: Json) => ({ ...result, score: expect.closeTo(score, 3) }))
}

describe('a signal with a query_hash', () => {
  test('raises a memory at once: most for that query, less for a reworded one, not at all for others', async () => {
    const { ask, order, score, give } = await world()
    const first = await ask(QUERY)
    const liked = first.data.at(-1).id
    const [before, rewordedBefore, unrelatedBefore] = [
      await score(QUERY, liked),
      await score(REWORDED, liked),
      await ask(UNRELATED),
    ]
    for (let n = 0; n < 3; n++) expect(await give(liked, 'POSITIVE', first.query_hash)).toBe(204)
    const [gain, reworded] = [(await score(QUERY, liked)) - before, (await score(REWORDED, liked)) - rewordedBefore]
    expect(gain).toBeGreaterThan(0.05)
    expect(reworded).toBeWithin(0.02, gain)
    expect((await order(QUERY)).indexOf(liked)).toBeLessThan(first.data.length - 1)
    expect((await ask(UNRELATED)).data).toEqual(ranked(unrelatedBefore))
  })

  test('lowers a memory, but never hides it', async () => {
    const { ask, order, give } = await world()
    const { data, query_hash, total } = await ask(QUERY)
    const disliked = data[0].id
    for (let n = 0; n < 20; n++) await give(disliked, 'NEGATIVE', query_hash)
    const after = await ask(QUERY)
    expect([after.total, after.data.length]).toEqual([total, data.length])
    expect((await order(QUERY)).indexOf(disliked)).toBeGreaterThan(0)
    expect(after.data.find((found: { id: string }) => found.id === disliked).score).toBeGreaterThan(0)
  })

  test('adds a memory that neither words nor meaning would find, within the filters', async () => {
    const { ask, order, give, client } = await world([...TEXTS, 'Zug 17 fährt um acht'])
    const stranger = (await client.get('/v1/memories', { query: { search: 'Zug', mode: 'keyword' } })).body.data[0].id
    const before = await ask(QUERY)
    expect(before.data.map(({ id }: { id: string }) => id)).not.toContain(stranger)
    await give(stranger, 'POSITIVE', before.query_hash)
    const after = await ask(QUERY)
    expect(after.data.map(({ id }: { id: string }) => id)).toContain(stranger)
    expect([after.total, after.data.length]).toEqual([before.total + 1, before.data.length + 1])
    expect(await order(QUERY, { user_id: 'bob' })).toEqual([])
    expect(await order(QUERY, { mode: 'keyword' })).not.toContain(stranger)
  })

  test('is recognised before its search is logged, and long after', async () => {
    const { ask, score, give, count } = await world()
    const { data, query_hash } = await ask(QUERY)
    const liked = data.at(-1).id
    const before = await score(REWORDED, liked)
    await until('the search is logged', async () => (await count('search.query_log')) >= 2)
    await give(liked, 'POSITIVE', query_hash)
    expect(await count('search.feedback_query')).toBe(1)
    expect(await score(REWORDED, liked)).toBeGreaterThan(before)
  })

  test('counts for its memory even with an unknown hash', async () => {
    const { give, ids, count } = await world(TEXTS.slice(0, 1))
    expect(await give(ids[0] ?? '', 'POSITIVE', 'x'.repeat(64))).toBe(204)
    expect([await count('search.feedback'), await count('search.feedback_query')]).toEqual([1, 0])
  })
})

describe('a signal without a query', () => {
  test('moves its memory a little for every query', async () => {
    const { ask, score, give } = await world()
    const liked = (await ask(QUERY)).data.at(-1).id
    const [before, beforeUnrelated] = [await score(QUERY, liked), await score(UNRELATED, liked)]
    for (let n = 0; n < 4; n++) await give(liked, 'POSITIVE')
    expect((await score(QUERY, liked)) - before).toBeWithin(0.001, 0.08)
    if (beforeUnrelated !== undefined) expect(await score(UNRELATED, liked)).toBeGreaterThan(beforeUnrelated)
  })
})

describe('learned feedback', () => {
  test('is deleted with its memory', async () => {
    const { ask, give, client, count } = await world()
    const { data, query_hash } = await ask(QUERY)
    await give(data[0].id, 'POSITIVE', query_hash)
    await give(data[0].id, 'NEGATIVE')
    await give(data[1].id, 'POSITIVE', query_hash)
    await client.delete(`/v1/memories/${data[0].id}`)
    expect(await count('search.feedback')).toBe(1)
    await client.delete(`/v1/memories/${data[1].id}`)
    expect([await count('search.feedback'), await count('search.feedback_query')]).toEqual([0, 0])
    expect((await ask(QUERY)).total).toBe(TEXTS.length - 2)
  })

  test('of an absorbed memory comes back with it, and is deleted with its survivor', async () => {
    const { ask, score, give, client, count, ids } = await world(['I do not eat meat', 'The invoice is paid'])
    const [survivor = '', absorbed = ''] = ids
    const { query_hash } = await ask(QUERY)
    await give(absorbed, 'POSITIVE', query_hash)
    const merge = async () => {
      await client.put(`/v1/memories/${absorbed}`, { memory: "I don't eat meat" })
      await until('it is absorbed', async () => {
        const { body } = await client.get(`/v1/memories/${absorbed}`)
        return body.consolidated_into === survivor
      })
    }
    await merge()
    expect((await ask(QUERY)).data.map(({ id }: Json) => id)).not.toContain(absorbed)
    expect((await client.post(`/v1/memories/${absorbed}/restore`)).status).toBe(200)
    expect([await count('search.feedback'), await count('search.feedback_query')]).toEqual([1, 1])
    await until('it is found for what it was liked for', () => score(QUERY, absorbed))
    await client.put(`/v1/memories/${absorbed}`, { memory: 'The invoice is not paid' })
    await merge()
    await client.delete(`/v1/memories/${survivor}`)
    expect([await count('search.feedback'), await count('search.feedback_query')]).toEqual([0, 0])
  })

  test('about a query is kept as long as searches are, and without one as long as its memory', async () => {
    const { ask, give, count, workspaceId } = await world()
    const { data, query_hash } = await ask(QUERY)
    await give(data[0].id, 'POSITIVE', query_hash)
    await give(data[0].id, 'POSITIVE', 'x'.repeat(64))
    await give(data[0].id, 'POSITIVE')
    const counts = () => Promise.all(['search.feedback', 'search.feedback_query'].map(count))
    const age = (days: number) =>
      running.database.workspace(workspaceId, async tx => {
        const then = tx`now() - make_interval(days => ${days})`
        await tx`update search.feedback set last_signal_at = ${then}`
        await tx`update search.feedback_query set last_signal_at = ${then}`
      })
    const retentions = retentionsOf(searchPlugin, { config: { SEARCH_LOG_DAYS: 100 } })
    await age(99)
    await purge(running.database, retentions, workspaceId)
    expect(await counts()).toEqual([3, 1])
    await purge(running.database, retentions, workspaceId, { retention_days: 200 })
    expect(await counts()).toEqual([3, 1])
    await age(101)
    await purge(running.database, retentions, workspaceId)
    expect(await counts()).toEqual([1, 0])
  })

  test('never affects another workspace, whatever hash is given', async () => {
    const [mine, theirs] = [await world(), await world()]
    const { data, query_hash } = await mine.ask(QUERY)
    const before = await theirs.ask(QUERY)
    expect(before.query_hash).toBe(query_hash)
    await mine.give(data.at(-1).id, 'POSITIVE', query_hash)
    expect((await theirs.ask(QUERY)).data).toEqual(ranked(before))
    const stolen = await theirs.client.post(`/v1/memories/${data[0].id}/feedback`, { signal: 'NEGATIVE', query_hash })
    expect(stolen.body.error_code).toBe('MEMORY_NOT_FOUND')
    expect([await mine.count('search.feedback'), await theirs.count('search.feedback')]).toEqual([1, 0])
  })

  test('is deleted with its workspace', async () => {
    const { ask, give, workspaceId, count } = await world()
    const { data, query_hash } = await ask(QUERY)
    await give(data[0].id, 'POSITIVE', query_hash)
    await running.database.workspace(
      workspaceId,
      tx => tx`insert into search.balance (workspace_id) values (${workspaceId})`,
    )
    await eraseTenantRows(running.database, workspaceId, new AbortController().signal)
    const left = ['search.feedback', 'search.feedback_query', 'search.balance'].map(count)
    expect(await Promise.all(left)).toEqual([0, 0, 0])
  })

  test('reaches another server within seconds, and every further signal at once', async () => {
    const { ask, give, score, client, workspaceId } = await world()
    const second = await startService({ WORKERS: 'none' })
    const elsewhere = toolsOf({ client: second.anonymous.with(client.headers), workspaceId })
    const { data, query_hash } = await ask(QUERY)
    const liked = data.at(-1).id
    const before = await elsewhere.score(QUERY, liked)
    await give(liked, 'POSITIVE', query_hash)
    const after = await until('the other server knows', async () => {
      const now = await elsewhere.score(QUERY, liked)
      return now > before && now
    })
    expect(after).toBeCloseTo(await score(QUERY, liked), 3)
    await give(liked, 'POSITIVE', query_hash)
    expect(await elsewhere.score(QUERY, liked)).toBeGreaterThan(after)
  })
})

test('feedback is accepted while the embedding model is unavailable', async () => {
  // The configured model applies to a whole database, so this test has one of its own.
  const away = await startService(
    {
      WORKERS: 'none',
      EMBEDDINGS: 'http',
      EMBEDDINGS_URL: 'http://127.0.0.1:9/v1',
      EMBEDDINGS_MODEL: 'none',
      EMBEDDINGS_DIMENSIONS: '384',
    },
    { url: await ownDatabaseUrl() },
  )
  const { client } = await away.account()
  const { body: memory } = await client.post('/v1/memories', { memory: 'The ferry leaves at nine' })
  const { body: found } = await client.post('/v1/memories/search', { query: 'ferry', mode: 'keyword' })
  expect(found.data).toMatchObject([{ id: memory.id }])
  const { status } = await client.post(`/v1/memories/${memory.id}/feedback`, {
    signal: 'POSITIVE',
    query_hash: found.query_hash,
  })
  expect(status).toBe(204)
  expect((await client.get(`/v1/memories/${memory.id}`)).body.feedback).toMatchObject({ positive: 1 })
})
