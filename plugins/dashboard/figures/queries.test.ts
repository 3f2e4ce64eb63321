import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { until } from '../../../test/support/wait.ts'
import { dayOf, daysAgo, world } from '../world.test-support.ts'

describe('figures of queries', () => {
  test.each(['Pacific/Auckland', 'America/Los_Angeles'])('have those of today in %s', async timezone => {
    const { search, get } = await world()
    await search('tea', new Date(), 0.8)
    expect((await get('top-queries', { days: 1, timezone })).data).toMatchObject([{ query: 'tea', count: 1 }])
  })

  test('count those of whole months and of single days once each', async () => {
    const { search, get } = await world()
    for (const days of [1, 35, 70, 100, 101, 130, 200]) await search('tea', daysAgo(days), 0.8)
    for (const days of [2, 71, 72]) await search('cake', daysAgo(days), null)
    const counts = async (query: Record<string, string | number>) =>
      Object.fromEntries((await get('top-queries', query)).data.map(({ query: text, count }: Json) => [text, count]))
    expect(await counts({ days: 365 })).toEqual({ tea: 7, cake: 3 })
    for (let days = 60; days < 100; days += 5) {
      // The day in which the window begins counts as a whole.
      const within = (...all: number[]) => all.filter(ago => ago <= days).length
      expect(await counts({ days })).toEqual({ tea: within(1, 35, 70), cake: within(2, 71, 72) })
    }
    const range = { start_date: dayOf(daysAgo(101)), end_date: dayOf(daysAgo(70)) }
    expect(await counts(range)).toEqual({ tea: 3, cake: 2 })
    expect((await get('search-diagnosis', range)).zero_result_queries).toMatchObject([{ query: 'cake', count: 2 }])
  })

  test('know rare queries that went wrong among hundreds of frequent ones, on a day and in a month', async () => {
    const { search, get, database, workspaceId } = await world()
    const first = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 2, 10))
    await database.system(
      tx => tx`
        insert into search.query_log (
          workspace_id, id, query, query_hash, mode, results, best_score, duration_ms, words, length, created_at
        )
        select
          ${workspaceId}, gen_random_uuid(), 'frequent ' || n, lpad(n::text, 8, '0'), 'hybrid', 3, 0.9, 5, '', 1,
          ${first}::timestamptz + time * interval '1 minute'
        from generate_series(1, 600) as n
        cross join generate_series(1, 2) as time`,
    )
    await search('no result', first, null)
    await search('weak', first, 0.1)
    const month = { start_date: dayOf(first).replace(/\d\d$/, '01'), end_date: dayOf(new Date()) }
    for (const range of [{ start_date: dayOf(first), end_date: dayOf(first) }, month]) {
      const { worst_queries: worst, zero_result_queries: zero } = await get('search-diagnosis', range)
      expect(worst).toMatchObject([{ query: 'weak', count: 1, avg_score: 0.1 }])
      expect(zero).toMatchObject([{ query: 'no result', count: 1 }])
      // The 200 most frequent ones, and of the others the two with the lowest score and without a result.
      const { total } = await get('top-queries', range)
      expect(total).toBeGreaterThanOrEqual(202)
      expect(total).toBeLessThanOrEqual(302)
    }
  })

  test('list the most frequent queries, and say what to do about bad ones', async () => {
    const { search, get, database, workspaceId } = await world()
    for (const days of [0, 1, 2, 3]) await search('Where does Ada live?', daysAgo(days), 0.8)
    for (const days of [1, 2]) await search('shoe size', daysAgo(days), 0.2)
    await search('passport', daysAgo(2), null)
    await search('garage', daysAgo(2), null, { isFiltered: true })
    await search('garage', daysAgo(3), 0.7)
    expect(await get('top-queries', { days: 7, limit: 2 })).toEqual({
      data: [
        { query: 'Where does Ada live?', count: 4, avg_score: 0.8 },
        { query: 'garage', count: 2, avg_score: 0.7 },
      ],
      total: 4,
    })
    const diagnosis = await get('search-diagnosis', { days: 7 })
    expect(diagnosis.worst_queries).toMatchObject([{ query: 'shoe size', count: 2, avg_score: 0.2 }])
    expect(diagnosis.zero_result_queries).toMatchObject([
      { query: 'garage', count: 1, reason: 'FILTER_TOO_NARROW' },
      { query: 'passport', count: 1, reason: 'NO_MATCH' },
    ])
    // Entries that an erasure took out of the log are not shown any more, though they were rolled up.
    await database.system(
      tx => tx`delete from search.query_log where workspace_id = ${workspaceId} and query = 'Where does Ada live?'`,
    )
    expect((await get('top-queries', { days: 7 })).data.map(({ query }: Json) => query)).not.toContain(
      'Where does Ada live?',
    )
  })

  test('whose text is gone make room for the next', async () => {
    const { search, get, database, workspaceId } = await world()
    for (let n = 0; n < 6; n++) {
      for (let times = 0; times < 12 - n; times++) await search(`tea ${n}`, daysAgo(1), 0.1 + n / 100)
      for (let times = 0; times < 12 - n; times++) await search(`cake ${n}`, daysAgo(1), null)
    }
    await get('top-queries')
    await database.system(
      tx => tx`
        delete from search.query_log
        where workspace_id = ${workspaceId} and query in ('tea 0', 'tea 1', 'tea 2', 'cake 0', 'cake 1')`,
    )
    const textsOf = (rows: Json[]) => rows.map(({ query }: Json) => query)
    const { data, total } = await get('top-queries', { limit: 3 })
    expect([textsOf(data), total]).toEqual([['cake 2', 'cake 3', 'tea 3'], 12])
    const { worst_queries: worst, zero_result_queries: zero } = await get('search-diagnosis', { limit: 2 })
    expect(textsOf(worst)).toEqual(['tea 3', 'tea 4'])
    expect(textsOf(zero)).toEqual(['cake 2', 'cake 3'])
  })

  test('say why a query had no result: by what memories hold now, and what has expired', async () => {
    const { client, search, get, database, workspaceId } = await world()
    await client.post('/v1/memories', { memory: 'The spare keys hang in the hallway.' })
    const task = await client.post('/v1/memories', { memory: 'Pick up the parcel tomorrow.', layer: 'TASK' })
    await database.system(
      tx => tx`
        update memories.memory set expires_at = now() - interval '1 second'
        where workspace_id = ${workspaceId} and id = ${task.body.id}`,
    )
    await database.system(
      tx =>
        tx`update search.document set expires_at = now() - interval '1 second' where workspace_id = ${workspaceId} and memory_id = ${task.body.id}`,
    )
    await client.post('/v1/memories', { memory: '東京と京都' })
    const filtered = { isFiltered: true }
    const keyword = { mode: 'keyword' }
    await search('hallway keys', daysAgo(1), null, filtered)
    await search('spare keys', daysAgo(1), null)
    await search('spare bicycles', daysAgo(1), null, { ...filtered, ...keyword })
    await search('東京 -京都', daysAgo(1), null, keyword)
    await search('-keys', daysAgo(1), null, keyword)
    await search('spare -keys', daysAgo(1), null, filtered)
    for (const query of ['Parcel', 'helicopter']) await search(query, daysAgo(1), null)
    const { zero_result_queries: queries } = await get('search-diagnosis', { days: 7 })
    const reasons = Object.fromEntries(queries.map(({ query, reason }: Json) => [query, reason]))
    expect(reasons).toEqual({
      'hallway keys': 'FILTER_TOO_NARROW',
      'spare keys': 'MATCHES_NOW',
      'spare bicycles': 'NO_MATCH',
      '東京 -京都': 'EXCLUDED',
      '-keys': 'EXCLUDED',
      'spare -keys': 'FILTER_TOO_NARROW',
      Parcel: 'EXPIRED',
      helicopter: 'NO_MATCH',
    })
    expect(queries.find(({ query }: Json) => query === 'spare bicycles').advice).toContain('hybrid mode')
  })

  test('know that a search had filters from the log, and from other searches what it finds without', async () => {
    const { client, get } = await world()
    await client.post('/v1/memories', { memory: 'Ada keeps bees.', user_id: 'ada' })
    const search = (body: object) => client.post('/v1/memories/search', { mode: 'keyword', ...body })
    await search({ query: 'bees', user_id: 'bob' })
    await search({ query: 'bees', categories: ['garden'] })
    await search({ query: 'wasps' })
    const diagnosed = async () => (await get('search-diagnosis')).zero_result_queries
    await until('the searches are logged', async () => (await diagnosed()).length === 2)
    expect(await diagnosed()).toMatchObject([
      { query: 'bees', count: 2, reason: 'FILTER_TOO_NARROW' },
      { query: 'wasps', count: 1, reason: 'NO_MATCH' },
    ])
  })

  test('judge searches from before filters were noted by what is known: those of a user had one', async () => {
    const { client, search, get, database, workspaceId } = await world()
    await client.post('/v1/memories', { memory: 'Ada keeps bees in the garden.' })
    for (const query of ['bees', 'garden']) await search(query, daysAgo(1), null)
    await database.system(
      tx => tx`
        update search.query_log
        set is_filtered = null, user_id = case when query = 'bees' then 'ada' end
        where workspace_id = ${workspaceId}`,
    )
    expect((await get('search-diagnosis')).zero_result_queries).toMatchObject([
      { query: 'bees', reason: 'FILTER_TOO_NARROW' },
      { query: 'garden', reason: 'MATCHES_NOW' },
    ])
  })
})
