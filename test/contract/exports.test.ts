import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import { until } from '../support/wait.ts'
import { ISO, NOBODY, subject, UUID } from './subject.ts'

let client: Client
beforeAll(async () => {
  client = (await (await subject()).account()).client
})

function done(path: string): Promise<Json> {
  return until(`${path} is done with`, async () => {
    const { body } = await client.get(path)
    return ['COMPLETED', 'FAILED'].includes(body.status) ? body : undefined
  })
}

describe('exports and imports', () => {
  test('an export is accepted, written and downloaded', async () => {
    await client.post('/v1/memories', { memory: 'Ada likes tea.', user_id: 'ada' })
    const made = await client.post('/v1/exports', { format: 'JSONL', user_id: 'ada' })
    expect(made.status).toBe(202)
    const { id } = made.body
    expect(made.body).toMatchObject({
      id: UUID,
      format: 'JSONL',
      status: 'PENDING',
      error: null,
      created_at: ISO,
      updated_at: ISO,
    })
    const job = await done(`/v1/exports/${id}`)
    expect(job).toMatchObject({ status: 'COMPLETED', expires_at: ISO })
    expect((await client.get('/v1/exports')).body).toMatchObject({ total: 1, page: 1, page_size: 20 })
    const file = await client.fetch(
      new Request(`${client.base}/v1/exports/${job.id}/download`, { headers: { ...client.headers } }),
    )
    expect((await file.text()).split('\n')[1]).toContain('Ada likes tea.')
  })

  test('an import is accepted and read', async () => {
    const form = new FormData()
    form.set('file', new Blob(['{"text": "Bob likes coffee."}\n']), 'lines.jsonl')
    const made = await client.request('POST', '/v1/imports', { raw: form })
    expect(made.status).toBe(202)
    expect(await done(`/v1/imports/${made.body.id}`)).toMatchObject({
      status: 'COMPLETED',
      memories_created: 1,
      error: null,
    })
    expect((await client.get('/v1/memories', { query: { search: 'coffee', mode: 'keyword' } })).body.total).toBe(1)
  })

  test.each([
    [`/v1/exports/${NOBODY}`, 'EXPORT_NOT_FOUND'],
    [`/v1/exports/${NOBODY}/download`, 'EXPORT_NOT_FOUND'],
    [`/v1/imports/${NOBODY}`, 'IMPORT_NOT_FOUND'],
  ])('%s is 404 %s', async (path, code) => {
    const { status, body } = await client.get(path)
    expect([status, body.error_code]).toEqual([404, code])
  })
})
