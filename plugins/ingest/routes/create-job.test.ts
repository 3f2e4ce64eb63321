import { beforeAll, describe, expect, test } from 'bun:test'
import { idleService, service, type TestAccount } from '../../../test/support/service.ts'
import { BYTES_WAITING_MAX, JOBS_WAITING_MAX } from '../limits.ts'
import { ended, formOf, hand, handbook, ingest, memoriesOf, PATH } from '../world.test-support.ts'

let account: TestAccount

beforeAll(async () => {
  account = await (await service()).account()
})

describe('POST /v1/memories/ingest', () => {
  test('makes memories of a file, which say where in the document they stand', async () => {
    const { client } = await (await service()).account()
    const file = { name: 'handbook.md', content: handbook('parking', 'holidays') }
    const answer = await hand(client, { user_id: 'ada', categories: 'rules, office' }, file)
    expect(answer.status).toBe(202)
    expect(answer.body).toMatchObject({
      format: 'MARKDOWN',
      status: 'PENDING',
      user_id: 'ada',
      categories: ['rules', 'office'],
      memories_created: null,
      error: null,
      file_name: 'handbook.md',
    })
    const done = await ended(client, answer.body.id)
    expect(done).toMatchObject({
      status: 'COMPLETED',
      memories_created: 2,
      memories_skipped: 0,
      progress: { chunks_total: 2, chunks_done: 2 },
      title: 'Handbook',
      read_by: 'local',
    })
    const memories = await memoriesOf(client, done.id)
    expect(memories.map(({ metadata }) => [metadata.heading_path, metadata.place])).toEqual([
      [['Handbook', 'parking'], 0],
      [['Handbook', 'holidays'], 1],
    ])
    expect(memories[1]).toMatchObject({
      user_id: 'ada',
      categories: ['rules', 'office'],
      source: 'INGEST',
      status: 'COMPLETED',
      session_id: done.document_id,
      metadata: { ingest_job_id: done.id, file_name: 'handbook.md', title: 'Handbook' },
    })
    const found = await client.post('/v1/memories/search', { query: 'who is told about holidays' })
    expect(found.body.data[0].metadata.heading_path).toEqual(['Handbook', 'holidays'])
  })

  test('takes every format by its word in any letter case, before or behind the file', async () => {
    const files = {
      csv: 'name,city\nAda,London\nGrace,New York\n',
      Json: '{"name": "Ada", "city": "London"}',
      TXT: 'Ada lives in London.',
      md: '# Ada\n\nShe lives in Paris.',
      HTML: '<p>Ada lives in Rome.</p>',
    }
    const formats = ['CSV', 'JSON', 'TEXT', 'MARKDOWN', 'HTML']
    for (const [n, [format, content]] of Object.entries(files).entries()) {
      const form = new FormData()
      if (n % 2) form.append('format', format)
      form.append('file', new Blob([content]), 'a')
      if (!(n % 2)) form.append('format', format)
      const answer = await account.client.request('POST', PATH, { raw: form })
      expect([answer.status, answer.body.format]).toEqual([202, formats[n]])
      expect((await ended(account.client, answer.body.id)).status).toBe('COMPLETED')
    }
  })

  test('skips text that the workspace has already, and makes the rest', async () => {
    const { client } = await (await service()).account()
    const first = await ingest(client, {}, { name: 'a.md', content: handbook('parking', 'holidays') })
    const second = await ingest(client, {}, { name: 'b.md', content: handbook('parking', 'travel') })
    expect([first.memories_created, first.memories_skipped]).toEqual([2, 0])
    expect([second.memories_created, second.memories_skipped]).toEqual([1, 1])
    expect(second.progress).toEqual({ chunks_total: 2, chunks_done: 2 })
  })

  test('reads a file in the encoding that its part names', async () => {
    const form = formOf({})
    const bytes = Uint8Array.of(0x44, 0x76, 0x6f, 0xf8, 0xe1, 0x6b)
    form.append('file', new Blob([bytes], { type: 'text/plain; charset=windows-1250' }), 'name.txt')
    const { status, body } = await account.client.request('POST', PATH, { raw: form })
    expect(status).toBe(202)
    expect(await ended(account.client, body.id)).toMatchObject({ status: 'COMPLETED', warnings: [] })
    const memories = await memoriesOf(account.client, body.id)
    expect(memories.map(({ memory }) => memory)).toEqual(['Dvořák'])
  })

  test('answers faults of the form at once', async () => {
    const file = { name: 'a.txt', content: 'Text.' }
    const url = 'https://example.com/'
    const faults = async (fields: Record<string, string>, given?: typeof file) => {
      const { status, body } = await hand(account.client, fields, given)
      return [status, body.error_code, ...(body.details ?? []).map(({ path }: { path: string }) => path)]
    }
    expect(await faults({})).toEqual([400, 'VALIDATION_ERROR', 'file'])
    expect(await faults({ source_url: url }, file)).toEqual([400, 'VALIDATION_ERROR', 'file', 'source_url'])
    expect((await hand(account.client, { source_url: url }, file)).body.details).toEqual([
      { path: 'file', message: 'must not be given together with source_url' },
      { path: 'source_url', message: 'must not be given together with file' },
    ])
    expect((await hand(account.client, { file: 'handbook.pdf' })).body.details).toEqual([
      { path: 'file', message: 'must be a file, not a field' },
    ])
    expect(await faults({ format: 'PDF' })).toEqual([400, 'VALIDATION_ERROR', 'file'])
    expect(await faults({ format: 'URL' })).toEqual([400, 'VALIDATION_ERROR', 'source_url'])
    expect(await faults({ format: 'url' }, file)).toEqual([400, 'VALIDATION_ERROR', 'source_url'])
    expect(await faults({ format: 'HTML', source_url: url })).toEqual([400, 'VALIDATION_ERROR', 'file'])
    expect(await faults({ source_url: 'ftp://example.com/' })).toEqual([400, 'VALIDATION_ERROR', 'source_url'])
    expect(await faults({ source_url: 'http://me@example.com/' })).toEqual([400, 'VALIDATION_ERROR', 'source_url'])
    expect(await faults({ colour: 'red' }, file)).toEqual([400, 'VALIDATION_ERROR', 'colour'])
    expect(await faults({ user_id: '' }, file)).toEqual([400, 'VALIDATION_ERROR', 'user_id'])
    for (const categories of [',', ' ', ''])
      expect(await faults({ categories }, file)).toEqual([400, 'VALIDATION_ERROR', 'categories'])
    expect(await faults({ format: 'ODS' }, file)).toEqual([415, 'UNSUPPORTED_FORMAT'])
    const picture = { name: 'a', content: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 1, 2, 3, 4) }
    const { status, body } = await hand(account.client, {}, picture)
    expect([status, body.error_code]).toEqual([415, 'UNSUPPORTED_FORMAT'])
    expect(body.message).toContain('PPTX, XLSX')
    const json = await account.client.post(PATH, { source_url: url })
    expect([json.status, json.body.error_code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('refuses a file that is larger than its format may be, and keeps nothing of it', async () => {
    const { client, workspaceId } = await (await service()).account()
    const large = { name: 'a.txt', content: 'x'.repeat(5 * 1024 * 1024 + 1) }
    for (const fields of [{ format: 'TEXT' }, {}]) {
      const { status, body } = await hand(client, fields, large)
      expect([status, body.error_code]).toEqual([413, 'FILE_TOO_LARGE'])
    }
    const { database } = await service()
    const left = await database.workspace(workspaceId, tx => tx`select from ingest.piece`)
    expect(left).toHaveLength(0)
    expect((await hand(client, { format: 'CSV' }, { ...large, name: 'a.csv' })).status).toBe(202)
  })

  test('reads its fields wherever they stand in the form', async () => {
    const { signIn, workspaceIds } = await (await service()).account({ workspaces: 2 })
    const [, other = ''] = workspaceIds
    const client = await signIn()
    const form = new FormData()
    form.append('file', new Blob(['name,city\n'.padEnd(6 * 1024 * 1024, 'Ada,London\n')]), 'a.txt')
    for (const [name, value] of Object.entries({ format: 'CSV', user_id: 'ada', workspace_id: other }))
      form.append(name, value)
    const { status, body } = await client.request('POST', PATH, { raw: form })
    expect([status, body.format, body.user_id]).toEqual([202, 'CSV', 'ada'])
    const jobs = (query: Record<string, string>) => client.get('/v1/ingest-jobs', { query })
    expect((await jobs({ workspace_id: other })).body.data[0].id).toBe(body.id)
    expect((await jobs({})).body.total).toBe(0)
    await client.post(`/v1/ingest-jobs/${body.id}/cancel`, {}, { query: { workspace_id: other } })
  })

  test('is for those who may', async () => {
    const reader = await account.key({ permissions: ['ingest.read'] })
    const refused = await hand(reader, {}, { name: 'a.txt', content: 'Text.' })
    expect([refused.status, refused.body.error_code]).toEqual([403, 'FORBIDDEN'])
    const writer = await account.key({ permissions: ['ingest.write'] })
    const replaced = await hand(writer, { replace: 'true' }, { name: 'a.txt', content: 'Text.' })
    expect([replaced.status, replaced.body.error_code]).toEqual([403, 'FORBIDDEN'])
    const free = await (await service()).account({ plan: 'free' })
    const answer = await hand(free.client, {}, { name: 'a.txt', content: 'Text.' })
    expect([answer.status, answer.body.error_code]).toEqual([403, 'FEATURE_NOT_ENABLED'])
    expect((await (await service()).anonymous.request('POST', PATH, { raw: formOf({}) })).status).toBe(401)
  })

  test('is one job however often it is sent under one Idempotency-Key', async () => {
    const { client } = await (await service()).account()
    const send = () =>
      client.request('POST', PATH, {
        raw: formOf({}, { name: 'a.txt', content: 'Sent twice.' }),
        headers: { 'idempotency-key': 'one' },
      })
    const [first, second] = [await send(), await send()]
    expect(second.body.id).toBe(first.body.id)
    expect((await client.get('/v1/ingest-jobs')).body.total).toBe(1)
  })
})

describe('documents under way', () => {
  test('are bounded by number and by size, so that one workspace cannot fill the disk of all', async () => {
    const { account: newAccount, database } = await idleService()
    const { client, workspaceId } = await newAccount()
    const file = { name: 'a.txt', content: 'Ada lives in London.' }
    expect((await hand(client, {}, file)).status).toBe(202)
    const setSize = (bytes: number) =>
      database.workspace(workspaceId, tx => tx`update ingest.job set size_bytes = ${bytes}`)
    await setSize(BYTES_WAITING_MAX)
    const refused = await hand(client, {}, file)
    expect([refused.status, refused.body.error_code, refused.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      '30',
    ])
    expect(refused.body.message).toContain('1 GB')
    await setSize(1)
    expect((await hand(client, {}, file)).status).toBe(202)
    await database.workspace(
      workspaceId,
      tx => tx`
        insert into ingest.job (
          workspace_id, id, document_id, user_id, categories, format, status, stage, created_at, updated_at
        )
        select ${workspaceId}, made.id, made.id, 'ada', '{}', 'TEXT', 'PENDING', 'read', now(), now()
        from (select gen_random_uuid() as id from generate_series(3, ${JOBS_WAITING_MAX}::int)) as made`,
    )
    await database.workspace(
      workspaceId,
      tx => tx`
        insert into ingest.work (workspace_id, job_id)
        select job.workspace_id, job.id from ingest.job
        on conflict on constraint work_pk do nothing`,
    )
    expect((await hand(client, {}, file)).status).toBe(429)
    const { data } = (await client.get('/v1/ingest-jobs')).body
    await client.post(`/v1/ingest-jobs/${data[0].id}/cancel`)
    expect((await hand(client, {}, file)).status).toBe(202)
  })
})
