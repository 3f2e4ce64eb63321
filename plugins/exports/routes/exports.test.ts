import { beforeAll, describe, expect, test } from 'bun:test'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { service, startService, type TestAccount } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { exported } from '../world.test-support.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
let account: TestAccount

beforeAll(async () => {
  account = await (await service()).account()
})

describe('exports', () => {
  test('are listed, and downloaded in parts', async () => {
    const { client } = await (await service()).account()
    await client.post('/v1/memories', { memory: 'Ada likes tea.' })
    const { job, file } = await exported(client, { format: 'JSONL' })
    expect((await client.get('/v1/exports')).body).toEqual({ data: [job], total: 1, page: 1, page_size: 20 })
    const path = `http://localhost/v1/exports/${job.id}/download`
    const get = (headers: Record<string, string>) =>
      client.fetch(new Request(path, { headers: { ...client.headers, ...headers } }))
    const whole = await get({})
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="?mneme-export-[\d-]+\.jsonl/)
    const part = await get({ Range: 'bytes=10-19' })
    expect([part.status, await part.text()]).toEqual([206, file.slice(10, 20)])
    expect((await get({ 'If-None-Match': whole.headers.get('etag') ?? '' })).status).toBe(304)
  })

  test('are deleted with their file', async () => {
    const { account: accountOf, database } = await service()
    const own = await accountOf()
    await own.client.post('/v1/memories', { memory: 'Ada likes tea.' })
    const { job } = await exported(own.client, { format: 'JSONL' })
    const reader = await own.key({ permissions: ['export.read'] })
    expect((await reader.delete(`/v1/exports/${job.id}`)).body.error_code).toBe('FORBIDDEN')
    const { client: stranger } = await accountOf()
    expect((await stranger.delete(`/v1/exports/${job.id}`)).body.error_code).toBe('EXPORT_NOT_FOUND')
    expect((await own.client.delete(`/v1/exports/${job.id}`)).status).toBe(204)
    expect((await own.client.get('/v1/exports')).body.total).toBe(0)
    for (const { status, body } of [
      await own.client.get(`/v1/exports/${job.id}`),
      await own.client.get(`/v1/exports/${job.id}/download`),
      await own.client.delete(`/v1/exports/${job.id}`),
    ]) {
      expect([status, body.error_code]).toEqual([404, 'EXPORT_NOT_FOUND'])
    }
    await until('its pieces are gone', () =>
      database.workspace(own.workspaceId, async tx => {
        const pieces = await tx`select from exports.export_piece where workspace_id = ${own.workspaceId}`
        return pieces.length === 0
      }),
    )
  })

  test('have the sections that the plan includes', async () => {
    const { account: accountOf } = await startService(
      { WORKERS: 'none', PLAN_FEATURES: 'free:exports' },
      { url: await ownDatabaseUrl() },
    )
    const { client } = await accountOf({ plan: 'free' })
    const made = await client.post('/v1/exports', { format: 'JSONL' })
    expect([made.status, made.body.include]).toEqual([202, ['memories', 'history']])
    const refused = await client.post('/v1/exports', { format: 'JSONL', include: ['graph'] })
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ path: 'include.0', message: 'must be one of memories, history' }],
    ])
    const { client: scale } = await accountOf({ plan: 'scale' })
    expect((await scale.post('/v1/exports', { format: 'JSONL' })).body.include).toContain('graph')
  })

  test('name every fault of a request before its workspace is looked up', async () => {
    const asked = { format: 'CSV', workspace_id: UNKNOWN }
    for (const [include, paths] of [
      [
        ['memories', 'secrets', 'graph', 'tables'],
        ['include.1', 'include.3'],
      ],
      [['graph'], ['include']],
    ] as const) {
      const { status, body } = await account.client.post('/v1/exports', { ...asked, include })
      expect([status, body.details?.map(({ path }: { path: string }) => path)]).toEqual([400, [...paths]])
    }
    const narrowed = { format: 'JSONL', include: ['graph'], categories: ['food'], user_id: ' ', workspace_id: UNKNOWN }
    const { body } = await account.client.post('/v1/exports', narrowed)
    expect(body.details.map(({ path }: { path: string }) => path).toSorted()).toEqual(['include.0', 'user_id'])
  })

  test('say when there is no file', async () => {
    const { client, workspaceId } = account
    const { database } = await service()
    const { job } = await exported(client, { format: 'CSV' })
    const download = () => client.get(`/v1/exports/${job.id}/download`)
    const set = (change: string) =>
      database.system(tx => tx.unsafe(`update exports.export set ${change} where workspace_id = '${workspaceId}'`))
    await set(`expires_at = now() - interval '1 second'`)
    expect((await download()).body.error_code).toBe('EXPORT_EXPIRED')
    await set(`status = 'PROCESSING'`)
    const early = await download()
    expect([early.status, early.body.error_code]).toEqual([409, 'EXPORT_NOT_READY'])
    const unknown = await client.get(`/v1/exports/${UNKNOWN}/download`)
    expect([unknown.status, unknown.body.error_code]).toEqual([404, 'EXPORT_NOT_FOUND'])
  })

  test('follow permissions, plan and workspace', async () => {
    const { anonymous, account: accountOf } = await service()
    const { job } = await exported(account.client, { format: 'CSV' })
    expect((await anonymous.get('/v1/exports')).status).toBe(401)
    const reader = await account.key({ permissions: ['export.read'] })
    expect((await reader.get(`/v1/exports/${job.id}`)).status).toBe(200)
    expect((await reader.post('/v1/exports', {})).body.error_code).toBe('FORBIDDEN')
    const pro = await accountOf({ plan: 'pro' })
    expect((await pro.client.post('/v1/exports', { format: 'CSV' })).body.error_code).toBe('FEATURE_NOT_ENABLED')
    const other = await accountOf()
    expect((await other.client.get(`/v1/exports/${job.id}`)).body.error_code).toBe('EXPORT_NOT_FOUND')
    expect((await other.client.get(`/v1/exports/${job.id}/download`)).status).toBe(404)
  })
})
