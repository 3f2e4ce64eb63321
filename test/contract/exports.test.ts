import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import { until } from '../support/wait.ts'
import { ISO, NOBODY, subject, subjectWith, UUID } from './subject.ts'

let client: Client
beforeAll(async () => {
  client = (await (await subject()).account()).client
})

function done(path: string, of = client): Promise<Json> {
  return until(`${path} is done with`, async () => {
    const { body } = await of.get(path)
    return ['COMPLETED', 'FAILED'].includes(body.status) ? body : undefined
  })
}

function download(of: Client, id: string): Promise<Response> {
  return of.fetch(new Request(`${of.base}/v1/exports/${id}/download`, { headers: { ...of.headers } }))
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
    const file = await download(client, job.id)
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

  test('an export holds what it was asked for', async () => {
    const { client: own } = await (await subject()).account()
    await own.post('/v1/memories', { memory: 'Ada likes tea.', user_id: 'ada', categories: ['food'] })
    await own.post('/v1/memories', { memory: 'Ada sails.', user_id: 'ada' })
    await own.post('/v1/memories', { memory: 'Bob likes tea.', user_id: 'bob', categories: ['food'] })
    for (const [body, texts] of [
      [{}, ['Ada likes tea.', 'Ada sails.', 'Bob likes tea.']],
      [{ user_id: 'ada' }, ['Ada likes tea.', 'Ada sails.']],
      [{ categories: ['food', 'other'] }, ['Ada likes tea.', 'Bob likes tea.']],
      [{ user_id: 'ada', categories: ['food'] }, ['Ada likes tea.']],
      [{ include: ['knowledge'] }, []],
    ] as const) {
      const { id } = (await own.post('/v1/exports', { format: 'JSON', ...body })).body
      await done(`/v1/exports/${id}`, own)
      const file = await download(own, id)
      const memories: Json[] = (await file.json()).memories
      expect(memories.map(({ memory }) => memory).toSorted()).toEqual([...texts])
    }
  })

  test.each([
    ['no format', {}],
    ['an unknown format', { format: 'XML' }],
    ['an unknown section', { format: 'JSONL', include: ['memories', 'secrets'] }],
    ['a blank user', { format: 'JSONL', user_id: ' ' }],
    ['a table of no memories', { format: 'CSV', include: ['knowledge'] }],
    ['an unknown field', { format: 'JSONL', users: ['ada'] }],
  ])('an export with %s is 400', async (_, given) => {
    const { status, body } = await client.post('/v1/exports', given)
    expect([status, body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('an export that is not written yet is 409 EXPORT_NOT_READY, and is deleted like any other', async () => {
    const { client: own } = await (await subjectWith({ WORKERS: 'none' })).account()
    const { id } = (await own.post('/v1/exports', { format: 'CSV' })).body
    const early = await download(own, id)
    expect([early.status, ((await early.json()) as Json).error_code]).toEqual([409, 'EXPORT_NOT_READY'])
    expect((await own.delete(`/v1/exports/${id}`)).status).toBe(204)
    expect((await own.get('/v1/exports')).body.total).toBe(0)
    expect((await download(own, id)).status).toBe(404)
  })

  test('an import says what it could not read', async () => {
    const { client: own } = await (await subject()).account()
    const form = new FormData()
    form.set('user_id', 'bob')
    form.set(
      'file',
      new Blob(['{"text": "Bob likes coffee."}\n\n{"text": 7}\n{"text": "Bob likes coffee."}\n']),
      'a.jsonl',
    )
    const { id } = (await own.request('POST', '/v1/imports', { raw: form })).body
    expect(await done(`/v1/imports/${id}`, own)).toMatchObject({
      status: 'COMPLETED',
      user_id: 'bob',
      file_name: 'a.jsonl',
      memories_created: 1,
      memories_skipped: 1,
      lines_failed: 1,
      errors: [{ line: 3, message: expect.any(String) }],
    })
    const empty = new FormData()
    empty.set('file', new Blob(['']), 'a.jsonl')
    const none = (await own.request('POST', '/v1/imports', { raw: empty })).body
    expect(await done(`/v1/imports/${none.id}`, own)).toMatchObject({ status: 'FAILED', error: 'The file is empty.' })
    expect((await own.get('/v1/imports')).body).toMatchObject({ total: 2, page: 1, page_size: 20 })
  })

  test('exports and imports need their permissions, and their feature in the plan', async () => {
    const service = await subject()
    const account = await service.account()
    const { id } = (await account.client.post('/v1/exports', { format: 'CSV' })).body
    const form = new FormData()
    form.set('file', new Blob(['{"text": "A note."}']), 'a.jsonl')
    const reader = await account.key({ permissions: ['export.read'] })
    const writer = await account.key({ permissions: ['export.write'] })
    expect((await reader.get(`/v1/exports/${id}`)).status).toBe(200)
    for (const { status, body } of [
      await reader.post('/v1/exports', { format: 'CSV' }),
      await reader.delete(`/v1/exports/${id}`),
      await reader.request('POST', '/v1/imports', { raw: form }),
      await writer.get('/v1/exports'),
      await writer.get('/v1/imports'),
      await writer.get(`/v1/exports/${id}/download`),
    ]) {
      expect([status, body.error_code]).toEqual([403, 'FORBIDDEN'])
    }
    const { client: pro } = await service.account({ plan: 'pro' })
    expect((await pro.get('/v1/exports')).body.error_code).toBe('FEATURE_NOT_ENABLED')
  })

  test.each([
    [`/v1/exports/${NOBODY}`, 'EXPORT_NOT_FOUND'],
    [`/v1/exports/${NOBODY}/download`, 'EXPORT_NOT_FOUND'],
    [`/v1/imports/${NOBODY}`, 'IMPORT_NOT_FOUND'],
  ])('%s is 404 %s', async (path, code) => {
    const { status, body } = await client.get(path)
    expect([status, body.error_code]).toEqual([404, code])
  })

  test('deleting an unknown export is 404 EXPORT_NOT_FOUND', async () => {
    const { status, body } = await client.delete(`/v1/exports/${NOBODY}`)
    expect([status, body.error_code]).toEqual([404, 'EXPORT_NOT_FOUND'])
  })
})
