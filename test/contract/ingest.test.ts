import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, ClientResponse, Json } from '../support/client.ts'
import type { TestAccount } from '../support/service.ts'
import { until } from '../support/wait.ts'
import { ISO, NOBODY, subject, UUID } from './subject.ts'

const PATH = '/v1/memories/ingest'
const JOBS = '/v1/ingest-jobs'
let account: TestAccount
let client: Client

beforeAll(async () => {
  account = await (await subject()).account()
  client = account.client
})

function hand(
  by: Client,
  fields: Record<string, string>,
  content?: string,
  name = 'note.txt',
): Promise<ClientResponse> {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  if (content !== undefined) form.append('file', new Blob([content]), name)
  return by.request('POST', PATH, { raw: form })
}

function ended(id: string): Promise<Json> {
  return until('the job has ended', async () => {
    const { body } = await client.get(`${JOBS}/${id}`)
    return ['COMPLETED', 'FAILED'].includes(body.status) ? body : undefined
  })
}

describe('an ingest job', () => {
  test('is refused for what its form lacks before the workspace is looked at, and its key stays free', async () => {
    for (const fields of [{}, { format: 'URL' }, { source_url: 'ftp://example.com/' }]) {
      const response = await hand(client, { ...fields, workspace_id: NOBODY })
      expect([fields, response.status, response.body.details?.length]).toEqual([fields, 400, 1])
    }
    expect((await hand(client, { source_url: 'https://example.com/', workspace_id: NOBODY })).status).toBe(404)
    const key = { headers: { 'idempotency-key': 'ingest-refused' } }
    const form = new FormData()
    form.append('user_id', 'ada')
    expect((await client.request('POST', PATH, { raw: form, ...key })).status).toBe(400)
    expect((await client.post('/v1/memories', { memory: 'After a form without a file.' }, key)).status).toBe(201)
  })

  test('is answered as PENDING, and COMPLETED when its memories are found', async () => {
    const { workspaceId } = account
    const fields = { format: 'text', user_id: 'ada', categories: 'town, river', workspace_id: workspaceId }
    const accepted = await hand(client, fields, 'The river Leie flows through Ghent.')
    expect(accepted.status).toBe(202)
    const { id } = accepted.body
    expect(accepted.body).toMatchObject({
      id: UUID,
      format: 'TEXT',
      status: 'PENDING',
      user_id: 'ada',
      categories: ['town', 'river'],
      memories_created: null,
      created_at: ISO,
      updated_at: ISO,
    })
    const job = await ended(id)
    expect(job).toMatchObject({ status: 'COMPLETED', memories_created: 1, memories_skipped: 0, error: null })
    expect(job.progress).toEqual({ chunks_total: 1, chunks_done: 1 })
    const found = await client.post('/v1/memories/search', { query: 'a stream in a Flemish town', mode: 'semantic' })
    expect(found.body.data[0]).toMatchObject({ source: 'INGEST', user_id: 'ada', categories: ['town', 'river'] })
    expect(found.body.data[0].metadata).toMatchObject({ ingest_job_id: job.id, file_name: 'note.txt', place: 0 })
  })

  test('for the default user makes memories of theirs', async () => {
    const { body } = await hand(client, {}, '{"town": "Bruges"}', 'towns.json')
    expect(body).toMatchObject({ format: 'JSON', user_id: 'default', categories: [] })
    await ended(body.id)
  })

  test('of a file that is not what it claims is FAILED with a sentence and a code', async () => {
    const { body } = await hand(client, { format: 'PDF' }, 'no PDF')
    const job = await ended(body.id)
    expect(job).toMatchObject({ status: 'FAILED', error: 'The file is not a PDF.', error_code: 'FORMAT_MISMATCH' })
    expect(job.memories_created).toBe(0)
  })

  test('of a page that is not public is FAILED', async () => {
    const { status, body } = await hand(client, { format: 'URL', source_url: 'http://169.254.169.254/latest/' })
    expect(status).toBe(202)
    expect(await ended(body.id)).toMatchObject({ status: 'FAILED', error_code: 'ADDRESS_REFUSED' })
  })

  test('is listed with the others, in the envelope', async () => {
    const { body } = await client.get(JOBS, { query: { page_size: '2' } })
    expect(body).toMatchObject({ page: 1, page_size: 2, total: expect.any(Number) })
    expect(body.data).toHaveLength(2)
  })

  test('is known to its workspace alone', async () => {
    const { status, body } = await client.get(`${JOBS}/${NOBODY}`)
    expect([status, body.error_code]).toEqual([404, 'INGEST_JOB_NOT_FOUND'])
  })
})

describe('POST /v1/memories/ingest', () => {
  test('refuses what can be told at once', async () => {
    const codeOf = async (given: Promise<ClientResponse>) => {
      const { status, body } = await given
      return [status, body.error_code]
    }
    expect(await codeOf(hand(client, {}))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await codeOf(hand(client, { source_url: 'https://example.com/' }, 'Text.'))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    expect(await codeOf(hand(client, { format: 'ODS' }, 'Text.'))).toEqual([415, 'UNSUPPORTED_FORMAT'])
    expect(await codeOf(hand(client, { format: 'JSON' }, ' '.repeat(5 * 1024 * 1024 + 1)))).toEqual([
      413,
      'FILE_TOO_LARGE',
    ])
  })

  test('is for keys that have the permission, on plans that have the feature', async () => {
    const other = await account.key({ permissions: ['memory.write', 'ingest.read'] })
    expect((await hand(other, {}, 'Text.')).body.error_code).toBe('FORBIDDEN')
    const free = await (await subject()).account({ plan: 'free' })
    expect((await hand(free.client, {}, 'Text.')).body.error_code).toBe('FEATURE_NOT_ENABLED')
  })
})
