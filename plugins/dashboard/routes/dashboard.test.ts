import { describe, expect, test } from 'bun:test'
import { v7 } from 'uuid'
import type { Json } from '../../../test/support/client.ts'
import { idleService, type TestAccount } from '../../../test/support/service.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** An id of version 7 of an instant. */
const idAt = (at: Date) => v7({ msecs: at.getTime() })
const daysAgo = (days: number, hours = 0) => new Date(Date.now() - days * DAY - hours * HOUR)
const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** A workspace whose logs are written as they would have been over weeks. */
async function world() {
  const { account: accountOf, database } = await idleService()
  const account = await accountOf()
  const { workspaceId, client } = account
  const event = (kind: string, at: Date, userId: string | null = 'ada') =>
    database.system(
      tx => tx`
        insert into core.event (workspace_id, id, kind, subject_id, user_id, created_at)
        values (${workspaceId}, ${idAt(at)}, ${kind}, 'x', ${userId}, ${at})`,
    )
  const search = (query: string, at: Date, score: number | null) =>
    database.system(
      tx => tx`
        insert into search.query_log (
          workspace_id, id, query, query_hash, mode, results, best_score, duration_ms, words, length, created_at
        )
        values (${workspaceId}, ${idAt(at)}, ${query}, ${query.toLowerCase()}, 'hybrid', ${score === null ? 0 : 3}, ${score}, 5, '', 1, ${at})`,
    )
  const usage = (day: Date, metric: string, operation: string, input: number, output = 0) =>
    database.system(
      tx => tx`
        insert into core.usage (workspace_id, hour, metric, operation, input, output)
        values (${workspaceId}, date_trunc('hour', ${day}::timestamptz), ${metric}, ${operation}, ${input}, ${output})
        on conflict (workspace_id, hour, metric, operation) do update set input = excluded.input`,
    )
  const get = async (path: string, query: Record<string, string | number> = {}): Promise<Json> => {
    const { status, body } = await client.get(`/v1/dashboard/${path}`, { query })
    if (status !== 200) throw new Error(`${path} was answered with ${status}: ${JSON.stringify(body)}`)
    return body
  }
  return { ...account, database, event, search, usage, get }
}

const countOf = (points: Json[]) => points.reduce((sum: number, { count }) => sum + count, 0)

describe('figures', () => {
  test('count memories by day, week and month, the same however often they are rolled up', async () => {
    const { event, get, database, workspaceId } = await world()
    for (const days of [0, 0, 1, 3, 3, 3, 40]) await event('memory.created', daysAgo(days))
    const points = await get('charts/memories', { days: 7 })
    expect(points.length).toBe(7)
    expect(points.at(-1)).toEqual({ date: dayOf(new Date()), count: 2 })
    expect(points.at(-4)).toEqual({ date: dayOf(daysAgo(3)), count: 3 })
    expect(countOf(points)).toBe(6)
    // A row of a transaction that was open for long comes to an hour that is rolled up already.
    await event('memory.created', daysAgo(0, 1))
    await database.system(
      tx => tx`
        update dashboard.progress set rolled_to = progress.rolled_to - interval '1 hour' where workspace_id = ${workspaceId}`,
    )
    expect(countOf(await get('charts/memories', { days: 60 }))).toBe(8)
    expect(countOf(await get('charts/memories', { days: 60, granularity: 'month' }))).toBe(8)
    expect(countOf(await get('charts/memories', { days: 60, granularity: 'week' }))).toBe(8)
    const all = await Promise.all(Array.from({ length: 5 }, () => get('charts/memories', { days: 60 })))
    expect(all.map(countOf)).toEqual([8, 8, 8, 8, 8])
  })

  test('compare requests, memories and searches with the period before', async () => {
    const { event, search, usage, get, client, workspaceId } = await world()
    for (const days of [1, 2, 8, 9, 10, 11]) await event('memory.created', daysAgo(days))
    for (const days of [1, 8]) await usage(daysAgo(days), 'requests', '', days * 100)
    await search('Tea', daysAgo(1), 0.9)
    await search('tea', daysAgo(2), 0.5)
    await search('coffee', daysAgo(1), null)
    await search('coffee', daysAgo(9), 0.35)
    await client.patch(`/v1/workspaces/${workspaceId}`, { settings: { targets: { memories: 4 } } })
    const summary = await get('summary', { days: 7 })
    expect(summary.memories).toEqual({
      current: 2,
      previous_period: 4,
      delta_pct: -50,
      direction: 'DOWN',
      target: 4,
      status: 'CRITICAL',
    })
    expect(summary.requests).toMatchObject({ previous_period: 800, target: null, status: 'OK' })
    expect(summary.search_quality).toMatchObject({ current: 0.7, previous_period: 0.35, delta_pct: 100 })
    expect(summary.zero_result_rate).toEqual({ current: 0.3333, previous_period: 0, delta_pct: null, direction: 'UP' })
    expect(summary.quota).toMatchObject({ memories_used: 0, memories_limit: null, requests_limit: null })
  })

  test('sum tokens up by day and by operation', async () => {
    const { usage, get } = await world()
    await usage(daysAgo(1), 'tokens', 'embedding', 100)
    await usage(daysAgo(1), 'tokens', 'enrichment', 40, 7)
    await usage(daysAgo(3), 'tokens', 'embedding', 5)
    const points = await get('charts/tokens', { days: 7 })
    expect(points.at(-2)).toEqual({ date: dayOf(daysAgo(1)), input_tokens: 140, output_tokens: 7, total: 147 })
    expect(points.at(-1)).toMatchObject({ total: 0 })
    expect((await get('quality', { days: 7 })).token_usage_by_operation).toEqual({
      embedding: { input: 105, output: 0 },
      enrichment: { input: 40, output: 7 },
    })
  })

  test('count requests and tokens by the days of the zone that is asked for', async () => {
    const { usage, get } = await world()
    const at = (time: string) => new Date(`${dayOf(daysAgo(3))}T${time}:00Z`)
    for (const time of ['03:00', '20:00']) {
      await usage(at(time), 'requests', '', 10)
      await usage(at(time), 'tokens', 'embedding', 4, 1)
    }
    const shown = async (chart: string, timezone: string) =>
      (await get(`charts/${chart}`, { days: 7, timezone }))
        .filter(({ count = 0, total = 0 }: Json) => count + total > 0)
        .map(({ date, count, total }: Json) => [date, count ?? total])
    const days = [4, 3, 2].map(ago => dayOf(daysAgo(ago)))
    expect(await shown('requests', 'UTC')).toContainEqual([days[1], 20])
    expect(await shown('tokens', 'UTC')).toEqual([[days[1], 10]])
    // Three o'clock is the evening before in Los Angeles, and eight in the evening the next day in Tokyo.
    expect(await shown('tokens', 'America/Los_Angeles')).toEqual([
      [days[0], 5],
      [days[1], 5],
    ])
    expect(await shown('tokens', 'Asia/Tokyo')).toEqual([
      [days[1], 5],
      [days[2], 5],
    ])
    expect(await shown('requests', 'Asia/Tokyo')).toContainEqual([days[2], 10])
  })

  test('list the most frequent queries, and say what to do about bad ones', async () => {
    const { search, get, database, workspaceId } = await world()
    for (const days of [0, 1, 2, 3]) await search('Where does Ada live?', daysAgo(days), 0.8)
    for (const days of [1, 2]) await search('shoe size', daysAgo(days), 0.2)
    await search('passport', daysAgo(2), null)
    await search('garage', daysAgo(2), null)
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

  test('count categories of the memories that are there', async () => {
    const { client, get } = await world()
    await client.post('/v1/memories', { memory: 'One.', categories: ['a', 'b'] })
    await client.post('/v1/memories', { memory: 'Two.', categories: ['a'] })
    await client.post('/v1/memories', { memory: 'Three.' })
    expect(await get('categories', { days: 1 })).toEqual({
      categories: [
        { name: 'a', count: 2, pct: 50 },
        { name: 'b', count: 1, pct: 25 },
        { name: 'uncategorized', count: 1, pct: 25 },
      ],
      total: 4,
    })
  })
})

describe('the activity feed', () => {
  test('is newest first, labelled, and filtered', async () => {
    const { event, get, client } = await world()
    await event('memory.created', daysAgo(2))
    await event('memory.processed', daysAgo(1))
    await event('memory.deleted', daysAgo(1), 'bob')
    const { data, total } = await get('activity', { event_type: 'memory.created,memory.deleted' })
    expect(total).toBe(2)
    expect(data).toMatchObject([
      { event_type: 'memory.deleted', label: 'Memory deleted', user_id: 'bob', resource_id: 'x' },
      { event_type: 'memory.created', label: 'Memory created', user_id: 'ada' },
    ])
    expect((await get('activity', { user_id: 'bob' })).total).toBe(1)
    const second = await get('activity', { event_type: 'memory.created,memory.deleted', limit: 1, page: 2 })
    expect(second).toMatchObject({ data: [{ event_type: 'memory.created' }], page: 2, page_size: 1, total: 2 })
    const refused = await client.get('/v1/dashboard/activity', { query: { event_type: 'memory.processed' } })
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'event_type.0'])
  })

  test('goes back as long as ACTIVITY_DAYS, and fills its pages with what is within', async () => {
    const { event, get } = await world()
    for (const days of [401, 402, 403]) await event('memory.created', daysAgo(days))
    for (const days of [1, 2, 399]) await event('memory.updated', daysAgo(days))
    const page = await get('activity', { limit: 2, page: 2, event_type: 'memory.created,memory.updated' })
    expect([page.data.length, page.total]).toEqual([1, 3])
    expect((await get('activity', { event_type: 'memory.created' })).total).toBe(0)
  })
})

describe('alerts', () => {
  test('are raised once, and resolve by themselves', async () => {
    const { event, search, get, database, workspaceId } = await world()
    const lookAgain = () =>
      database.system(tx => tx`update dashboard.progress set checked_at = null where workspace_id = ${workspaceId}`)
    for (let n = 0; n < 6; n++) await event('memory.failed', daysAgo(0))
    for (let n = 0; n < 20; n++) {
      await search(`old ${n}`, daysAgo(9), 0.8)
      await search(`new ${n}`, daysAgo(0), n < 10 ? 0.4 : null)
    }
    const raised = await get('alerts')
    expect(raised.map(({ type, severity }: Json) => [type, severity]).toSorted()).toEqual([
      ['PROCESSING_FAILURES', 'WARNING'],
      ['SEARCH_QUALITY_DROP', 'CRITICAL'],
      ['ZERO_RESULT_SPIKE', 'WARNING'],
    ])
    await lookAgain()
    expect((await get('alerts')).map(({ id }: Json) => id)).toEqual(raised.map(({ id }: Json) => id))
    await database.system(tx => tx`delete from search.query_log where workspace_id = ${workspaceId}`)
    await database.system(tx => tx`delete from dashboard.hour where workspace_id = ${workspaceId}`)
    await database.system(tx => tx`delete from core.event where workspace_id = ${workspaceId}`)
    await lookAgain()
    const resolved = await get('alerts')
    expect(resolved.every(({ resolved_at }: Json) => resolved_at !== null)).toBe(true)
    expect(resolved.length).toBe(3)
  })

  test('warn of a quota that is nearly used up', async () => {
    const { account: accountOf, database } = await idleService()
    const { client, workspaceId } = await accountOf({ plan: 'free' })
    await database.system(
      tx => tx`
        insert into core.usage (workspace_id, hour, metric, operation, input, output)
        values (${workspaceId}, date_trunc('hour', now()), 'tokens', 'embedding', 4500000, 0)`,
    )
    const { body } = await client.get('/v1/dashboard/alerts')
    expect(body).toMatchObject([
      { type: 'QUOTA_WARNING', severity: 'WARNING', title: '90 % of the quota of tokens is used', resolved_at: null },
    ])
  })
})

describe('access', () => {
  const paths = [
    'summary',
    'activity',
    'charts/memories',
    'charts/requests',
    'charts/tokens',
    'quality',
    'categories',
    'top-queries',
    'alerts',
    'search-diagnosis',
  ]

  test.each(paths)('%s needs dashboard.read, and shows nothing of others', async path => {
    const { anonymous, account: accountOf } = await idleService()
    const account: TestAccount = await accountOf()
    expect((await anonymous.get(`/v1/dashboard/${path}`)).status).toBe(401)
    const blind = await account.key({ permissions: ['memory.read'] })
    expect((await blind.get(`/v1/dashboard/${path}`)).body.error_code).toBe('FORBIDDEN')
    const reader = await account.key({ permissions: ['dashboard.read'] })
    expect((await reader.get(`/v1/dashboard/${path}`)).status).toBe(200)
    const other = await accountOf()
    const query = { workspace_id: other.workspaceId }
    expect((await reader.get(`/v1/dashboard/${path}`, { query })).body.error_code).toBe('WORKSPACE_ACCESS_DENIED')
    if (path !== 'activity') {
      const bad = await reader.get(`/v1/dashboard/${path}`, {
        query: { start_date: '2026-02-02', end_date: '2026-02-01' },
      })
      expect([bad.status, bad.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })
})
