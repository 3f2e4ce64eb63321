import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import type { TestAccount } from '../support/service.ts'
import { NOBODY, remember, type Subject, subject } from './subject.ts'

const PATH = '/v1/dashboard'
const ENDPOINTS = [
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

let service: Subject
let account: TestAccount
let client: Client

beforeAll(async () => {
  service = await subject()
  account = await service.account()
  client = account.client
})

async function get(path: string, query: Record<string, string>, by: Client): Promise<Json> {
  const { status, body } = await by.get(`${PATH}/${path}`, { query })
  expect([path, query, status]).toEqual([path, query, 200])
  return body
}

const sum = (points: readonly Json[], field: string) => points.reduce((total, point) => total + point[field], 0)

describe('every endpoint', () => {
  test('needs dashboard.read, and no more', async () => {
    const reader = await account.key({ permissions: ['dashboard.read'] })
    const others = await account.key({
      permissions: ['memory.read', 'memory.write', 'workspace.read', 'knowledge.read'],
    })
    for (const path of ENDPOINTS) {
      await get(path, {}, reader)
      const refused = await others.get(`${PATH}/${path}`)
      expect([path, refused.status, refused.body.error_code]).toEqual([path, 403, 'FORBIDDEN'])
    }
  })

  test('shows another workspace that the key may use, and no stranger’s', async () => {
    const owner = await service.account({ workspaces: 2 })
    const [own = '', other = ''] = owner.workspaceIds
    const both = await owner.key({ workspaceIds: owner.workspaceIds })
    await remember(both, 'In the second one.', { workspace_id: other })
    const created = async (workspace_id: string) => sum(await get('charts/memories', { workspace_id }, both), 'count')
    expect([await created(own), await created(other)]).toEqual([0, 1])
    for (const path of ENDPOINTS) {
      await get(path, { workspace_id: other }, both)
      const codeFor = async (workspace_id: string) => {
        const { status, body } = await both.get(`${PATH}/${path}`, { query: { workspace_id } })
        return [path, status, body.error_code]
      }
      expect(await codeFor(account.workspaceId)).toEqual([path, 403, 'WORKSPACE_ACCESS_DENIED'])
      expect(await codeFor(NOBODY)).toEqual([path, 404, 'WORKSPACE_NOT_FOUND'])
      expect(await codeFor('mine')).toEqual([path, 400, 'VALIDATION_ERROR'])
    }
  })

  test('refuses periods that are none, and names what is wrong', async () => {
    const wrong: readonly (readonly [string, Record<string, string | number>])[] = [
      ...[0, 366, -1, 1.5, 'week'].map(days => ['days', { days }] as const),
      ['start_date', { start_date: 'yesterday' }],
      ['start_date', { start_date: '2026-02-30' }],
      ['start_date', { start_date: '1899-12-31' }],
      ['end_date', { end_date: '2201-01-01' }],
      ['start_date', { start_date: '2026-03-02', end_date: '2026-03-01' }],
      ['start_date', { start_date: '2190-01-01' }],
    ]
    for (const path of ENDPOINTS) {
      for (const [field, query] of wrong) {
        const { status, body } = await client.get(`${PATH}/${path}`, { query })
        const what = [path, query]
        expect([...what, status, body.error_code]).toEqual([...what, 400, 'VALIDATION_ERROR'])
        expect(body.details.map((detail: Json) => detail.path)).toEqual([field])
      }
    }
  })

  test('names all that is wrong before it looks at the workspace', async () => {
    const period = { timezone: 'Mars/Olympus', workspace_id: NOBODY }
    const pathsOf = async (path: string, query: Record<string, string>) => {
      const { status, body } = await client.get(`${PATH}/${path}`, { query })
      return [status, ...body.details.map((detail: Json) => detail.path).toSorted()]
    }
    for (const path of ENDPOINTS) expect([path, await pathsOf(path, period)]).toEqual([path, [400, 'timezone']])
    const activity = { ...period, event_type: 'memory.unheard', limit: '0' }
    expect(await pathsOf('activity', activity)).toEqual([400, 'event_type.0', 'limit', 'timezone'])
  })

  test('refuses pages, limits and granularities that there are not', async () => {
    const wrong: readonly (readonly [string, string, string | number])[] = [
      ...['activity', 'top-queries', 'search-diagnosis'].flatMap(path =>
        [0, 101, -1, 2.5, 'all'].map(limit => [path, 'limit', limit] as const),
      ),
      ...[0, -1, 'last'].map(page => ['activity', 'page', page] as const),
      ...['charts/memories', 'charts/requests', 'charts/tokens'].flatMap(path =>
        ['hour', 'DAY', ''].map(word => [path, 'granularity', word] as const),
      ),
    ]
    for (const [path, name, value] of wrong) {
      const { status, body } = await client.get(`${PATH}/${path}`, { query: { [name]: value } })
      expect([path, value, status, body.details?.[0]?.path]).toEqual([path, value, 400, name])
    }
  })
})
