import { beforeAll, describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { service, type TestAccount } from '../../../test/support/service.ts'
import { exported, imported, linesOf, upload } from '../world.test-support.ts'

let account: TestAccount

beforeAll(async () => {
  account = await (await service()).account()
})

const fresh = async () => (await (await service()).account()).client
const lines = (...values: unknown[]) => values.map(value => JSON.stringify(value)).join('\n')

describe('an import', () => {
  test('reads plain lines', async () => {
    const client = await fresh()
    const content = lines(
      { text: 'Ada likes tea.', user_id: 'ada', created_at: '2024-05-01', categories: ['food'], metadata: { a: 1 } },
      { content: 'Bob likes coffee.' },
      'A bare text.',
    )
    const done = await imported(client, `\uFEFF${content}\r\n\n`, { user_id: 'bob' })
    expect(done).toMatchObject({ status: 'COMPLETED', format: 'plain', memories_created: 3, file_name: 'import.jsonl' })
    const { data } = (await client.get('/v1/memories')).body
    expect(data.map(({ memory, user_id, source, status }: Json) => [memory, user_id, source, status])).toEqual(
      expect.arrayContaining([
        ['Ada likes tea.', 'ada', 'IMPORT', 'COMPLETED'],
        ['Bob likes coffee.', 'bob', 'IMPORT', 'COMPLETED'],
        ['A bare text.', 'bob', 'IMPORT', 'COMPLETED'],
      ]),
    )
    expect(data.find(({ user_id }: Json) => user_id === 'ada')).toMatchObject({
      created_at: '2024-05-01T00:00:00.000Z',
      categories: ['food'],
      metadata: { a: 1 },
    })
  })

  test('takes what expires for a TASK, and an empty expiry for that of a new one, or none', async () => {
    const client = await fresh()
    const content = lines(
      { text: 'Ada is away.', layer: 'RAW', expires_at: '2190-01-01' },
      { text: 'Bob is here.', expires_at: '' },
      { text: 'Call Bob.', layer: 'task', expires_at: null },
    )
    expect(await imported(client, content)).toMatchObject({ status: 'COMPLETED', memories_created: 3, lines_failed: 0 })
    const { data } = (await client.get('/v1/memories')).body
    const kept = await Promise.all(data.map(async ({ id }: Json) => (await client.get(`/v1/memories/${id}`)).body))
    expect(kept.map(({ memory, layer, expires_at }) => [memory, layer, expires_at]).toSorted()).toEqual([
      ['Ada is away.', 'TASK', '2190-01-01T00:00:00.000Z'],
      ['Bob is here.', 'RAW', null],
      ['Call Bob.', 'TASK', expect.any(String)],
    ])
    const { file } = await exported(client, { format: 'JSON' })
    const archived = JSON.parse(file).memories.map((memory: Json) => ({ ...memory, layer: 'RAW' }))
    const done = await imported(await fresh(), lines(...archived))
    const fault = { message: 'expires_at is for the layer TASK alone' }
    expect(done).toMatchObject({ memories_created: 1, errors: [fault, fault] })
  })

  test('never gives a memory to another user than its own', async () => {
    const client = await fresh()
    const content = lines({ text: 'Ada sails.', user_id: 42, run_id: 7 }, { text: 'Bob rows.', user_id: { id: 1 } })
    const done = await imported(client, content, { user_id: 'carla' })
    expect(done).toMatchObject({ memories_created: 1, lines_failed: 1, errors: [{ line: 2 }] })
    expect(done.errors[0].message).toStartWith('user_id ')
    const { data } = (await client.get('/v1/memories')).body
    expect(data.map(({ user_id, session_id }: Json) => [user_id, session_id])).toEqual([['42', '7']])
  })

  test('reads lines whatever the first of them is', async () => {
    expect(await imported(await fresh(), lines('Ada likes tea.', { text: 'Bob likes coffee.' }))).toMatchObject({
      format: 'plain',
      memories_created: 2,
    })
    const chats = [1, 2].map(n => ({ messages: [{ role: 'user', content: `Hello ${n}.` }] }))
    expect(await imported(await fresh(), lines(...chats, 'A text.'))).toMatchObject({
      format: 'plain',
      memories_created: 1,
      errors: [{ line: 1, message: expect.stringContaining('has no text') }, { line: 2 }],
    })
  })

  test('takes the type of a memory of another service for a word of its own', async () => {
    const client = await fresh()
    const content = lines(
      { type: 'preference', content: 'Ada likes tea.' },
      { type: 'end', text: 'The end.' },
      { type: 'history', text: 'Bob was here.' },
    )
    expect(await imported(client, content)).toMatchObject({ memories_created: 3, lines_failed: 0 })
    const { data } = (await client.get('/v1/memories')).body
    expect(data.map(({ metadata }: Json) => metadata.type).toSorted()).toEqual(['end', 'history', 'preference'])
  })

  test('stores a text that an expired memory still holds', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { id } = (await client.post('/v1/memories', { memory: 'Ada is away.', layer: 'TASK' })).body
    await database.workspace(
      workspaceId,
      tx =>
        tx`update memories.memory set expires_at = now() - interval '1 second' where memory.workspace_id = ${workspaceId}`,
    )
    expect(await imported(client, lines({ text: 'Ada is away.' }))).toMatchObject({ memories_created: 1 })
    const { data } = (await client.get('/v1/memories')).body
    expect(data.map(({ memory }: Json) => memory)).toEqual(['Ada is away.'])
    expect(data[0].id).not.toBe(id)
  })

  test('with a line of more than 1 MB is refused whole, and one document on a line is not', async () => {
    const client = await fresh()
    const long = JSON.stringify({ text: 'y', padding: 'z'.repeat(1_100_000) })
    const refused = await upload(client, `{"text": "Good."}\n\n${long}\n{"text": "Also good."}`)
    expect([refused.status, refused.body.error_code]).toEqual([413, 'FILE_TOO_LARGE'])
    expect(refused.body.message).toStartWith('Line 3 of the file is longer than 1048576 bytes')
    expect((await upload(client, `"A bare text."\n${long}`)).status).toBe(413)
    expect((await client.get('/v1/imports')).body.total).toBe(0)
    const items = Array.from({ length: 30 }, (_, n) => ({
      text: `Locker ${n}.`,
      metadata: { note: 'z'.repeat(40_000) },
    }))
    expect(await imported(client, JSON.stringify(items))).toMatchObject({ status: 'COMPLETED', memories_created: 30 })
  })

  test('holds no line up, whatever stands in it', async () => {
    const client = await fresh()
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const content = [
      '{"text": "Far.", "created_at": 1e30}',
      '{"text": "Early.", "created_at": -1e15}',
      `{"type": "knowledge", "user_id": "ada", "category": "x", "hand": ${deep}}`,
      Buffer.from('{"text": "caf\xe9"}', 'latin1'),
      '{"type": "history", "id": "6f1c2b7d-9e10-4a45-8a9e-3f0a8c1e2d7b", "history": [{}]}',
      '{"text": "Good."}',
    ]
    const bytes = Buffer.concat(content.flatMap(line => [Buffer.from(line), Buffer.from('\n')]))
    const done = await imported(client, new Uint8Array(bytes))
    expect(done).toMatchObject({ status: 'COMPLETED', memories_created: 1, lines_failed: 5 })
    expect(done.errors.map(({ message }: Json) => message)).toEqual([
      'created_at must be an ISO 8601 date or date-time',
      'created_at must be an ISO 8601 date or date-time',
      'has more than 64 levels',
      'is not in UTF-8',
      'history.0.id is required',
    ])
  })

  test('fails with a sentence for what is no such file', async () => {
    const client = await fresh()
    for (const [content, error] of [
      ['', 'The file is empty.'],
      ['%PDF-1.7 …', /^The file is neither JSON nor lines of JSON/],
      ['id,memory\n1,a\n', /An import reads JSONL and JSON exports of this service/],
      ['{"results": [{"memory": "a"}, ', /ends too early/],
      ['{"results": [{"memory": "a"} "b"]}', /no valid JSON/],
      ['{"note": 1,\n"other": 2}', 'Nothing of the file could be imported: it holds no memories.'],
      ['{"note": 1}\n{"note": 2}', /^Nothing of the file could be imported: has no text/],
    ] as const) {
      const done = await imported(client, content)
      expect(done.status).toBe('FAILED')
      expect(done.error).toMatch(error)
    }
    const none = await client.request('POST', '/v1/imports', { raw: new FormData() })
    expect([none.status, none.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('stores nothing of an archive that is damaged or incomplete', async () => {
    const source = await fresh()
    await source.post('/v1/memories', { memory: 'Ada likes tea.' })
    const { file } = await exported(source, { format: 'JSONL' })
    const client = await fresh()
    const changed = await imported(client, file.replace('likes tea', 'hates tea'))
    expect(changed).toMatchObject({ status: 'FAILED', error: expect.stringContaining('damaged'), memories_created: 0 })
    const cut = await imported(client, `${file.trimEnd().split('\n').slice(0, -1).join('\n')}\n`)
    expect(cut).toMatchObject({ status: 'FAILED', error: expect.stringContaining('incomplete') })
    expect((await client.get('/v1/memories')).body.total).toBe(0)
    expect(linesOf(file).length).toBeGreaterThan(2)
  })

  test('stores an id that stands twice once, with the text that came first', async () => {
    const client = await fresh()
    const id = '6f1c2b7d-9e10-4a45-8a9e-3f0a8c1e2d7c'
    const done = await imported(client, lines({ id, text: 'Ada paints boats.' }, { id, text: 'Bob mends radios.' }))
    expect(done).toMatchObject({ status: 'COMPLETED', memories_created: 1, memories_skipped: 1, lines_failed: 0 })
    expect((await client.get(`/v1/memories/${id}`)).body.memory).toBe('Ada paints boats.')
    const search = async (query: string) =>
      (await client.post('/v1/memories/search', { query, mode: 'keyword' })).body.total
    expect([await search('boats'), await search('radios')]).toEqual([1, 0])
  })

  test('holds many lines, and is done when all can be searched', async () => {
    const client = await fresh()
    const content = Array.from({ length: 600 }, (_, n) => JSON.stringify({ text: `Locker ${n} is in hall ${n % 7}.` }))
    const done = await imported(client, content.join('\n'))
    expect(done).toMatchObject({ status: 'COMPLETED', memories_created: 600 })
    const { data } = (await client.get('/v1/memories', { query: { page_size: 100, page: 6 } })).body
    expect(data.every(({ status }: Json) => status === 'COMPLETED')).toBe(true)
  })

  test('is not for those who may not write', async () => {
    const reader = await account.key({ permissions: ['export.read'] })
    expect((await upload(reader, '{"text": "x"}')).body.error_code).toBe('FORBIDDEN')
    const done = await imported(account.client, '{"text": "x"}')
    expect((await reader.get(`/v1/imports/${done.id}`)).status).toBe(200)
    expect((await reader.get('/v1/imports')).body.data[0]).toEqual(done)
    const other = await fresh()
    expect((await other.get(`/v1/imports/${done.id}`)).body.error_code).toBe('IMPORT_NOT_FOUND')
  })
})
