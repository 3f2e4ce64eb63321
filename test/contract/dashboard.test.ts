import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import type { TestAccount } from '../support/service.ts'
import { until } from '../support/wait.ts'
import { ISO, processed, remember, type Subject, subject, UUID } from './subject.ts'

const PATH = '/v1/dashboard'
const DAY = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
const NUMBER = expect.any(Number)
const DAY_MS = 86_400_000

let service: Subject
let account: TestAccount
let client: Client

beforeAll(async () => {
  service = await subject()
  account = await service.account()
  client = account.client
  const made = [
    await remember(client, 'The ferry to Tallinn leaves at nine.', { user_id: 'ada', categories: ['travel'] }),
    await remember(client, 'Oat milk is in the fridge.', { user_id: 'ada' }),
  ]
  for (const { id } of made) await processed(client, id)
  for (const query of ['ferry', 'ferry', 'zeppelin']) await search(query)
  // Searches and usage are written in batches.
  await until('the searches are counted', async () => (await get('quality')).total_searches === 3)
  await until('the requests are counted', async () => (await get('summary')).requests.current > 0)
  await until('the tokens are counted', async () => (await get('quality')).token_usage_by_operation.embedding)
})

const search = (query: string) => client.post('/v1/memories/search', { query, mode: 'keyword' })

async function get(path: string, query: Record<string, string | number> = {}, by = client): Promise<Json> {
  const { status, body } = await by.get(`${PATH}/${path}`, { query })
  expect([path, query, status]).toEqual([path, query, 200])
  return body
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const sum = (points: readonly Json[], field: string) => points.reduce((total, point) => total + point[field], 0)

describe('the summary', () => {
  const judged = {
    current: NUMBER,
    previous_period: 0,
    delta_pct: null,
    direction: 'UP',
    target: null,
    status: 'OK',
  }

  test('has each figure beside that of the period before, and what the plan allows', async () => {
    const body = await get('summary')
    expect(body).toEqual({
      period: { start: ISO, end: ISO },
      memories: { ...judged, current: 2 },
      requests: judged,
      search_quality: judged,
      zero_result_rate: { current: NUMBER, previous_period: 0, delta_pct: null, direction: 'UP' },
      memories_masked: { current: 0, previous_period: 0, delta_pct: null, direction: 'UP' },
      quota: {
        memories_used: 2,
        memories_limit: null,
        requests_used: NUMBER,
        requests_limit: null,
        tokens_used: NUMBER,
        tokens_limit: null,
      },
    })
    expect(body.requests.current).toBeGreaterThan(0)
    expect(body.zero_result_rate.current).toBeCloseTo(1 / 3, 3)
    expect(body.search_quality.current).toBeGreaterThan(0)
    expect(new Date(body.period.end).getTime() - new Date(body.period.start).getTime()).toBe(30 * DAY_MS)
  })

  test('compares with the period before, and shows a fall', async () => {
    const tomorrow = dayOf(new Date(Date.now() + DAY_MS))
    // The period before ends with this one's beginning, and so holds all there is.
    const body = await get('summary', { start_date: tomorrow, end_date: dayOf(new Date(Date.now() + 3 * DAY_MS)) })
    expect(body.memories).toMatchObject({ current: 0, previous_period: 2, delta_pct: -100, direction: 'DOWN' })
    expect(body.period.start).toBe(`${tomorrow}T00:00:00.000Z`)
  })

  test('judges figures by the targets of the workspace', async () => {
    const { client: own, workspaceId } = await service.account()
    const memories = Array.from({ length: 8 }, (_, n) => ({ memory: `Parcel ${n} has arrived.` }))
    expect((await own.post('/v1/memories/batch', { memories })).status).toBe(207)
    const judgedBy = async (target: number | null) => {
      const body = { settings: { targets: { memories: target } } }
      expect((await own.request('PATCH', `/v1/workspaces/${workspaceId}`, { body })).status).toBe(200)
      return (await get('summary', {}, own)).memories
    }
    expect(await judgedBy(8)).toMatchObject({ current: 8, target: 8, status: 'OK' })
    expect(await judgedBy(9)).toMatchObject({ current: 8, target: 9, status: 'WARNING' })
    expect(await judgedBy(12)).toMatchObject({ current: 8, target: 12, status: 'CRITICAL' })
    expect(await judgedBy(null)).toMatchObject({ current: 8, target: null, status: 'OK' })
  })

  test('names the limits of the plan', async () => {
    const free = await service.account({ plan: 'free' })
    expect((await get('summary', {}, free.client)).quota).toEqual({
      memories_used: 0,
      memories_limit: 10_000,
      requests_used: NUMBER,
      requests_limit: 100_000,
      tokens_used: 0,
      tokens_limit: 5_000_000,
    })
  })
})

describe('charts', () => {
  const count = { date: DAY, count: NUMBER }
  const tokens = { date: DAY, input_tokens: NUMBER, output_tokens: NUMBER, total: NUMBER }
  const charts: readonly (readonly [string, object])[] = [
    ['charts/memories', count],
    ['charts/requests', count],
    ['charts/tokens', tokens],
  ]

  test.each(charts)('%s has a point for each of thirty days up to today', async (path, point) => {
    const before = dayOf(new Date())
    const points = await get(path)
    expect(points).toEqual(Array.from({ length: 30 }, () => point))
    expect([before, dayOf(new Date())]).toContain(points.at(-1).date)
    const steps = points.slice(1).map((later: Json, n: number) => Date.parse(later.date) - Date.parse(points[n].date))
    expect(new Set(steps)).toEqual(new Set([DAY_MS]))
  })

  test('add up to what there is', async () => {
    expect(sum(await get('charts/memories'), 'count')).toBe(2)
    expect(sum(await get('charts/requests'), 'count')).toBeGreaterThan(0)
    const used = await get('charts/tokens')
    expect(sum(used, 'input_tokens')).toBeGreaterThan(0)
    expect(sum(used, 'total')).toBe(sum(used, 'input_tokens') + sum(used, 'output_tokens'))
  })

  test.each(charts)('%s has weeks from Monday, and months from their first day', async (path, point) => {
    const range = { start_date: '2026-02-27', end_date: '2026-03-03' }
    const datesBy = async (granularity: string) => {
      const points = await get(path, { ...range, granularity })
      expect(points).toEqual(points.map(() => point))
      return points.map(({ date }: Json) => date)
    }
    expect(await datesBy('day')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03'])
    expect(await datesBy('week')).toEqual(['2026-02-23', '2026-03-02'])
    expect(await datesBy('month')).toEqual(['2026-02-01', '2026-03-01'])
  })

  test('take a range before `days`, and one of years', async () => {
    const points = await get('charts/memories', { days: 3, start_date: '2026-01-01', end_date: '2026-01-10' })
    expect([points.length, points[0].date, points[9].date]).toEqual([10, '2026-01-01', '2026-01-10'])
    expect((await get('charts/memories', { days: 7 })).length).toBe(7)
    const years = await get('charts/memories', { start_date: '2020-01-01' })
    expect([years[0].date, sum(years, 'count')]).toEqual(['2020-01-01', 2])
    const all = { start_date: '1900-01-01', end_date: '2199-12-31' }
    expect((await get('charts/memories', { ...all, granularity: 'month' })).length).toBe(3600)
    expect((await client.get(`${PATH}/charts/memories`, { query: all })).status).toBe(400)
    expect((await get('summary', all)).memories.current).toBe(2)
    expect((await get('top-queries', all)).total).toBe((await get('top-queries')).total)
    expect(await get('search-diagnosis', all)).toEqual(await get('search-diagnosis'))
  })
})

describe('searches', () => {
  test('have their quality, with the tokens by what they were used for', async () => {
    const body = await get('quality')
    expect(body).toEqual({
      avg_search_score: NUMBER,
      zero_result_rate: NUMBER,
      total_searches: 3,
      token_usage_by_operation: expect.objectContaining({ embedding: { input: NUMBER, output: NUMBER } }),
    })
    expect(body.zero_result_rate).toBeCloseTo(1 / 3, 3)
    expect(body.avg_search_score > 0 && body.avg_search_score <= 1).toBe(true)
  })

  test('are listed by how often they were made', async () => {
    const body = await get('top-queries')
    expect(body).toEqual({
      data: [
        { query: 'ferry', count: 2, avg_score: NUMBER },
        { query: 'zeppelin', count: 1, avg_score: NUMBER },
      ],
      total: 2,
    })
    expect((await get('top-queries', { limit: 1 })).data).toEqual([body.data[0]])
  })

  test('that found nothing, or little, are told apart', async () => {
    const body = await get('search-diagnosis')
    expect(Object.keys(body).toSorted()).toEqual(['worst_queries', 'zero_result_queries'])
    expect(body.zero_result_queries).toMatchObject([{ query: 'zeppelin', count: 1 }])
    for (const { query, count, avg_score: score } of body.worst_queries)
      expect([typeof query, typeof count, typeof score]).toEqual(['string', 'number', 'number'])
    expect((await get('search-diagnosis', { limit: 1 })).zero_result_queries.length).toBe(1)
  })
})

test('categories have their shares, and what has none its own', async () => {
  expect(await get('categories')).toEqual({
    categories: [
      { name: 'travel', count: 1, pct: 50 },
      { name: 'uncategorized', count: 1, pct: 50 },
    ],
    total: 2,
  })
})

test('activity is newest first, in pages, with a label and no text', async () => {
  const event = {
    id: UUID,
    event_type: 'memory.created',
    label: 'Memory created',
    actor: { type: 'key', name: 'test' },
    user_id: 'ada',
    resource_id: UUID,
    created_at: ISO,
  }
  const body = await get('activity')
  expect(body).toMatchObject({ page: 1, page_size: 20, total: body.data.length })
  const created = body.data.filter(({ event_type: type }: Json) => type === 'memory.created')
  expect(created).toEqual([event, event])
  expect(JSON.stringify(body)).not.toContain('Tallinn')
  const times = body.data.map(({ created_at: at }: Json) => at)
  expect(times).toEqual(times.toSorted().toReversed())
  const second = await get('activity', { limit: 1, page: 2 })
  expect(second).toEqual({ data: [body.data[1]], total: body.total, page: 2, page_size: 1 })
  const today = { start_date: dayOf(new Date(Date.parse(times.at(-1)))) }
  expect(await get('activity', { ...today, days: 1 })).toEqual(body)
  expect((await get('activity', { days: 1 })).total).toBe(body.total)
  expect(await get('activity', { start_date: '2026-01-01', end_date: '2026-01-31' })).toMatchObject({
    data: [],
    total: 0,
  })
})

test('activity shows what webhooks are not told', async () => {
  const own = (await service.account()).client
  const { id } = await remember(own, 'A task.', { layer: 'TASK' })
  await own.post(`/v1/memories/${id}/feedback`, { signal: 'POSITIVE' })
  await own.post(`/v1/memories/${id}/promote`)
  await own.post('/v1/webhooks', { url: 'http://93.184.216.34/', events: ['memory.restored'] })
  await own.delete(`/v1/memories/${id}`)
  const { data } = await get('activity', {}, own)
  const types = new Set(data.map(({ event_type: type }: Json) => type))
  for (const type of ['memory.created', 'memory.feedback', 'memory.promoted', 'memory.deleted', 'webhook.created'])
    expect([...types]).toContain(type)
})

test('alerts say what is the matter, and how much it matters', async () => {
  expect(await get('alerts')).toEqual([])
  const { client: own } = await service.account({ plan: 'pro' })
  for (let n = 0; n < 8; n++) {
    const made = await own.post('/v1/webhooks', { url: `http://93.184.216.34/${n}`, events: ['memory.restored'] })
    expect(made.status).toBe(201)
  }
  const [alert, ...others] = await get('alerts', {}, own)
  expect([alert, others]).toEqual([
    {
      id: UUID,
      type: 'QUOTA_WARNING',
      severity: 'WARNING',
      title: expect.any(String),
      message: expect.any(String),
      created_at: ISO,
      resolved_at: null,
    },
    [],
  ])
})
