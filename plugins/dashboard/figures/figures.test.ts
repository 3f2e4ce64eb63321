import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { until } from '../../../test/support/wait.ts'
import { dayOf, daysAgo, HOUR, world } from '../world.test-support.ts'

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

  test('count what came after a server with a clock far ahead had rolled them up', async () => {
    const { event, get, database, workspaceId } = await world()
    for (const days of [0, 2]) await event('memory.created', daysAgo(days))
    expect(countOf(await get('charts/memories', { days: 7 }))).toBe(2)
    const ahead = (column: string) =>
      database.system(
        tx => tx`
          update dashboard.progress set ${tx(column)} = now() + interval '10 days' where workspace_id = ${workspaceId}`,
      )
    await ahead('rolled_to')
    await ahead('checked_at')
    for (const days of [0, 1]) await event('memory.created', daysAgo(days))
    expect(countOf(await get('charts/memories', { days: 7 }))).toBe(4)
    await get('alerts')
    const rows = await database.system(
      tx => tx`
        select from dashboard.progress
        where workspace_id = ${workspaceId} and rolled_to <= now() and checked_at <= now()`,
    )
    expect(rows).toHaveLength(1)
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

  test('of a window of one day are those of 24 hours, beside the 24 hours before', async () => {
    const { event, get } = await world()
    for (const hours of [1, 22, 26, 27, 46, 50]) await event('memory.created', daysAgo(0, hours))
    const { period, memories } = await get('summary', { days: 1 })
    expect(new Date(period.end).getTime() - new Date(period.start).getTime()).toBe(24 * HOUR)
    expect([memories.current, memories.previous_period]).toEqual([2, 3])
  })

  test('count the requests of a period and of the month alike, those of this second too', async () => {
    const { client, get } = await world()
    for (let n = 0; n < 8; n++) await client.get('/v1/memories')
    // A request counts once its response is sent, which may be a moment after it is read.
    await until('all are counted', async () => {
      const { requests, quota } = await get('summary', { days: 1 })
      expect(quota.requests_used).toBe(requests.current)
      return requests.current >= 8
    })
  })

  test('sum tokens up by day and by operation', async () => {
    const { usage, get } = await world()
    await usage(daysAgo(1), 'tokens', 'embedding', 100)
    await usage(daysAgo(1), 'tokens', 'enrichment', 40, 7)
    await usage(daysAgo(4), 'tokens', 'writing', 9, 2)
    await usage(daysAgo(3), 'tokens', 'embedding', 5)
    const points = await get('charts/tokens', { days: 7 })
    expect(points.at(-2)).toEqual({ date: dayOf(daysAgo(1)), input_tokens: 140, output_tokens: 7, total: 147 })
    expect(points.at(-1)).toMatchObject({ total: 0 })
    expect((await get('quality', { days: 7 })).token_usage_by_operation).toEqual({
      consolidation: { input: 9, output: 2 },
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

  test.each(['UTC', 'Asia/Kolkata', 'America/Los_Angeles', 'Pacific/Chatham'])(
    'of whole days and of cut ones add up to those of their hours in %s',
    async timezone => {
      const { usage, get } = await world()
      const first = new Date(`${dayOf(daysAgo(20))}T00:00:00Z`).getTime()
      // Every seventh hour has as many tokens as its number, so that no two hours are alike.
      const hours = Array.from({ length: 60 }, (_, n) => ({ at: new Date(first + n * 7 * HOUR), tokens: n + 1 }))
      for (const { at, tokens } of hours) await usage(at, 'tokens', 'embedding', tokens)
      const dateOf = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(at)
      const expected = new Map<string, number>()
      const add = (date: string, tokens: number) => {
        if (tokens > 0) expected.set(date, (expected.get(date) ?? 0) + tokens)
      }
      // Both days have their share of an hour in which the second begins.
      for (const { at, tokens } of hours) {
        const quarters = [0, 1, 2, 3].map(quarter => dateOf(at.getTime() + (quarter * HOUR) / 4))
        const [first = ''] = quarters
        const own = Math.round((tokens * quarters.filter(date => date === first).length) / 4)
        add(first, own)
        add(quarters.at(-1) ?? '', tokens - own)
      }
      const points = await get('charts/tokens', { days: 30, timezone })
      const shown = points.filter(({ total }: Json) => total > 0).map(({ date, total }: Json) => [date, total])
      expect(shown).toEqual([...expected])
      for (const granularity of ['week', 'month'] as const) {
        const sums = await get('charts/tokens', { days: 30, timezone, granularity })
        expect(sums.reduce((sum: number, { total }: Json) => sum + total, 0)).toBe((60 * 61) / 2)
      }
      const [from, to] = [hours[10]?.at, hours[20]?.at]
      const cut = await get('quality', { start_date: from?.toISOString() ?? '', end_date: to?.toISOString() ?? '' })
      // The end lies before the hour that begins at it.
      expect(cut.token_usage_by_operation.embedding.input).toBe(11 + 12 + 13 + 14 + 15 + 16 + 17 + 18 + 19 + 20)
    },
  )

  test('count the share of an hour that a period cuts', async () => {
    const { usage, get } = await world()
    const day = dayOf(daysAgo(3))
    for (const hour of ['10', '11', '12']) await usage(new Date(`${day}T${hour}:00:00Z`), 'tokens', 'embedding', 60)
    const tokens = async (from: string, to: string) => {
      const range = { start_date: `${day}T${from}:00Z`, end_date: `${day}T${to}:00Z` }
      return (await get('quality', range)).token_usage_by_operation.embedding?.input
    }
    expect(await tokens('10:15', '12:20')).toBe(45 + 60 + 20)
    expect(await tokens('10:05', '10:55')).toBe(50)
  })

  test.each(['UTC', 'Asia/Kolkata', 'Pacific/Chatham'])(
    'of the hour that is under way are complete in %s',
    async timezone => {
      const { event, usage, get } = await world()
      await usage(new Date(), 'tokens', 'embedding', 1001)
      await usage(daysAgo(0, 1), 'tokens', 'embedding', 7)
      for (const hours of [0, 0, 1]) await event('memory.created', daysAgo(0, hours))
      const points = await get('charts/tokens', { days: 3, timezone })
      expect(points.reduce((sum: number, { total }: Json) => sum + total, 0)).toBe(1008)
      expect((await get('quality', { days: 3, timezone })).token_usage_by_operation.embedding.input).toBe(1008)
      expect(countOf(await get('charts/memories', { days: 3, timezone }))).toBe(3)
    },
  )

  test('of a summary are those of its chart where a day begins within an hour', async () => {
    const { event, search, usage, get } = await world()
    // Midnight in Kolkata.
    const cut = new Date(`${dayOf(daysAgo(6))}T18:30:00Z`)
    const after = (days: number) => new Date(cut.getTime() + days * 24 * HOUR).toISOString()
    const timezone = 'Asia/Kolkata'
    for (const minutes of [-300, -20, -10, 10, 300])
      await event('memory.created', new Date(cut.getTime() + minutes * 60_000))
    for (const score of [0.2, 0.4, 0.9]) await search(`tea ${score}`, cut, score)
    await usage(cut, 'tokens', 'embedding', 11)
    const period = { start_date: after(0), end_date: after(3), timezone }
    const { memories, search_quality: quality } = await get('summary', period)
    // Each side has half of the hour's three memories, rounded up for the first.
    expect([memories.previous_period, memories.current]).toEqual([3, 2])
    expect(countOf(await get('charts/memories', period))).toBe(2)
    expect([quality.previous_period, quality.current]).toEqual([0.5, 0.5])
    const tokens = await get('charts/tokens', { start_date: after(-1), end_date: after(1), timezone })
    expect(tokens.map(({ total }: Json) => total)).toEqual([6, 5])
  })

  test('count categories of the memories that are there', async () => {
    const { client, get } = await world()
    await client.post('/v1/memories', { memory: 'One.', categories: ['a', 'b'] })
    await client.post('/v1/memories', { memory: 'Two.', categories: ['a'] })
    await client.post('/v1/memories', { memory: 'Three.' })
    await client.post('/v1/memories', { memory: 'Four.', categories: ['uncategorized'] })
    expect(await get('categories', { days: 1 })).toEqual({
      categories: [
        { name: 'a', count: 2, pct: 40 },
        { name: 'uncategorized', count: 2, pct: 40 },
        { name: 'b', count: 1, pct: 20 },
      ],
      total: 5,
    })
  })

  test('count the 200 largest categories by themselves, and all in the total', async () => {
    const { client, event, get, database, workspaceId } = await world()
    await event('memory.created', daysAgo(3))
    await client.post('/v1/memories', { memory: 'One.' })
    const tagged = async (memory: string, last: number, at: Date) => {
      const { body } = await client.post('/v1/memories', { memory })
      await database.system(
        tx => tx`
          update memories.memory
          set categories = array(select 'tag ' || n from generate_series(1, ${last}::int) as n), created_at = ${at}
          where workspace_id = ${workspaceId} and id = ${body.id}`,
      )
    }
    await tagged('Two.', 300, new Date())
    await tagged('Three.', 150, daysAgo(2))
    await tagged('Four.', 300, daysAgo(2))
    const { categories, total } = await get('categories', { days: 7 })
    expect([categories.length, total]).toEqual([200, 1 + 300 + 450])
    expect(categories.slice(0, 2)).toMatchObject([{ count: 3 }, { count: 3 }])
  })
})
