import { describe, expect, test } from 'bun:test'
import type { Client, Json } from '../../test/support/client.ts'
import { service } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'
import { exported, fileOf, imported, linesOf } from './world.test-support.ts'

async function processed(client: Client, total: number): Promise<Json[]> {
  return until('all memories are processed', async () => {
    const { body } = await client.get('/v1/memories', { query: { page_size: 100 } })
    const isDone = body.total === total && body.data.every(({ status }: Json) => status === 'COMPLETED')
    return isDone ? body.data : undefined
  })
}

/** A workspace with all that a memory can have: changes, feedback, metadata, layers, a merged near-duplicate. */
async function filled() {
  const { account } = await service()
  const { client, workspaceId } = await account()
  const add = async (memory: string, fields: object = {}) =>
    (await client.post('/v1/memories', { memory, user_id: 'ada', ...fields })).body
  const first = await add('Ada lives in Lisbon and works at Lindal Freight.', {
    categories: ['personal'],
    metadata: { source: { page: 1.5 }, tags: ['x', '日本'] },
    priority: 'HIGH',
    session_id: 's1',
  })
  await add('مرحبا بالعالم، أنا أسكن في مراكش.', { user_id: 'نور', agent_id: 'guide' })
  const task = await add('Call the dentist tomorrow.', { layer: 'TASK', expires_at: '2190-01-01T00:00:00Z' })
  await processed(client, 3)
  await client.put(`/v1/memories/${first.id}`, { memory: 'Ada lives in Porto and works at Lindal Freight.' })
  await client.post(`/v1/memories/${first.id}/feedback`, { signal: 'POSITIVE' })
  await add('I park in the blue garage.')
  await processed(client, 4)
  const merged = await add('I park in the blue garage!')
  await processed(client, 4)
  return { client, workspaceId, first, task, merged }
}

describe('an export in JSONL', () => {
  test('restores into an empty workspace what lists, history and searches show', async () => {
    const source = await filled()
    const { job, file } = await exported(source.client, { format: 'JSONL' })
    expect(job).toMatchObject({ status: 'COMPLETED', size_bytes: Buffer.byteLength(file), error: null })
    const lines = linesOf(file)
    expect(lines[0]).toMatchObject({ type: 'manifest', format: 'mneme-archive', version: 1 })
    expect(lines.at(-1)).toMatchObject({ type: 'end', counts: { memory: 5 } })

    const { client } = await (await service()).account()
    const done = await imported(client, file)
    expect(done).toMatchObject({
      status: 'COMPLETED',
      format: 'mneme',
      memories_created: 5,
      lines_failed: 0,
      errors: [],
    })
    const restored = await processed(client, 4)
    const original = await processed(source.client, 4)
    const comparable = ({ workspace_id: _, ...memory }: Json) => memory
    expect(restored.map(comparable)).toEqual(original.map(comparable))
    for (const { id } of [...original, source.merged]) {
      const [before, after] = await Promise.all([source.client, client].map(of => of.get(`/v1/memories/${id}`)))
      const { workspace, workspace_id: _, access_count: __, last_accessed_at: ___, ...full } = before?.body ?? {}
      expect(after?.body).toMatchObject(full)
      const [history, copy] = await Promise.all([source.client, client].map(of => of.get(`/v1/memories/${id}/history`)))
      expect(copy?.body).toEqual(history?.body)
    }
    const search = { query: 'where does Ada live?' }
    const [found, same] = await Promise.all([source.client, client].map(of => of.post('/v1/memories/search', search)))
    expect(same?.body.data.map(({ id }: Json) => id)).toEqual(found?.body.data.map(({ id }: Json) => id))
    expect((await client.post(`/v1/memories/${source.merged.id}/restore`)).status).toBeLessThan(300)

    const again = await imported(client, file)
    expect(again).toMatchObject({ status: 'COMPLETED', memories_created: 0, memories_skipped: 5 })
  })

  test('has no line that an import would not take, however long a history is', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { id } = (await client.post('/v1/memories', { memory: 'The last wording.' })).body
    await processed(client, 1)
    // Changes of the longest texts, 100 kB each way.
    await database.workspace(
      workspaceId,
      tx => tx`
        insert into memories.history (workspace_id, memory_id, id, event, old_content, new_content, revision, created_at)
        select ${workspaceId}::uuid, ${id}::uuid, ('ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'UPDATED',
          repeat('é', 50000), repeat('ü', 50000 - n), 1, now()
        from generate_series(1, 12) as n`,
    )
    const { file } = await exported(client, { format: 'JSONL' })
    const sizes = file.split('\n').map(line => Buffer.byteLength(line))
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(2_400_000)
    expect(Math.max(...sizes)).toBeLessThan(1_000_000)
    const { client: other } = await account()
    expect(await imported(other, file)).toMatchObject({ memories_created: 1, lines_failed: 0 })
    const [history, copy] = await Promise.all([client, other].map(of => of.get(`/v1/memories/${id}/history`)))
    expect(copy?.body).toEqual(history?.body)

    const { client: owner } = await account()
    await owner.post('/v1/memories', { memory: 'The last wording.' })
    expect(await imported(owner, file)).toMatchObject({ memories_created: 0, memories_skipped: 1, lines_failed: 0 })
  })

  test('restores the longest text that people may write into knowledge', async () => {
    const { account } = await service()
    const { client } = await account()
    const compiled = (of: Client) =>
      until(
        'knowledge is compiled',
        async () => (await of.get('/v1/knowledge', { query: { user_id: 'ada' } })).body.data[0],
      )
    await client.post('/v1/memories', { memory: 'Ada likes tea.', user_id: 'ada' })
    const { id } = await compiled(client)
    const long = `## Notes\n\n${'😀'.repeat(259_000)}`
    expect((await client.put(`/v1/knowledge/${id}`, { content: long })).status).toBe(200)
    const { file } = await exported(client, { format: 'JSONL' })
    const sizes = file.split('\n').map(line => Buffer.byteLength(line))
    expect(Math.max(...sizes)).toBeGreaterThan(1_036_000)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024)
    const { client: other } = await account()
    expect(await imported(other, file)).toMatchObject({ records_restored: 1, lines_failed: 0, errors: [] })
    expect((await compiled(other)).content).toContain(long)
  })

  test('keeps near-duplicates apart that stood apart', async () => {
    const { account } = await service()
    const source = await account()
    const settings = { settings: { consolidation: false } }
    expect((await source.client.patch(`/v1/workspaces/${source.workspaceId}`, settings)).status).toBe(200)
    for (const memory of ['I park in the blue garage.', 'I park in the blue garage!']) {
      await source.client.post('/v1/memories', { memory })
    }
    await processed(source.client, 2)
    const { file } = await exported(source.client, { format: 'JSONL' })
    const { client } = await account()
    expect(await imported(client, file)).toMatchObject({ status: 'COMPLETED', memories_created: 2 })
    await processed(client, 2)
  })

  test('holds what was asked for', async () => {
    const { client } = await filled()
    const { file } = await exported(client, { format: 'JSONL', user_id: 'ada', categories: ['personal'], include: [] })
    const memories = linesOf(file).filter(({ type }) => type === 'memory')
    expect(memories.map(({ memory, history }) => [memory, history])).toEqual([
      ['Ada lives in Porto and works at Lindal Freight.', undefined],
    ])
    const refused = await client.post('/v1/exports', { format: 'JSONL', include: ['memories', 'secrets'] })
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'include.1'])
  })

  test('leaves memories out where they are not asked for', async () => {
    const { client } = await filled()
    await until('the graph has entities', async () => (await client.get('/v1/graph/entities')).body.total > 0)
    const { file, job } = await exported(client, { format: 'JSONL', include: ['graph'] })
    expect(job.include).toEqual(['graph'])
    expect(file).not.toContain('"type":"memory"')
    expect(linesOf(file).some(({ type }) => type === 'entity')).toBe(true)
    const markdown = await exported(client, { format: 'MARKDOWN', include: ['knowledge'] })
    expect(markdown.file).not.toContain('## Memories')
    expect(JSON.parse((await exported(client, { format: 'JSON', include: ['graph'] })).file).memories).toEqual([])
    expect((await exported(client, { format: 'JSONL', include: ['history'] })).job.include).toEqual([
      'memories',
      'history',
    ])
    const csv = await client.post('/v1/exports', { format: 'CSV', include: ['graph'] })
    expect([csv.status, csv.body.details]).toEqual([400, [{ path: 'include', message: expect.any(String) }]])
  })

  test('of some categories tells of no others', async () => {
    const { client } = await (await service()).account()
    await client.post('/v1/memories', { memory: 'Ada works at Lindal Freight.', categories: ['work'] })
    await client.post('/v1/memories', { memory: 'Bob works at Initech.', categories: ['friends'] })
    await until('the graph has both', async () => {
      const { data } = (await client.get('/v1/graph/entities')).body
      const names = data.map(({ name }: Json) => name)
      return names.includes('Lindal Freight') && names.includes('Initech')
    })
    const categories = ['work']
    for (const format of ['JSONL', 'JSON', 'MARKDOWN']) {
      const { file, job } = await exported(client, { format, categories })
      const forImports = format === 'MARKDOWN' ? [] : ['ingest']
      expect([format, job.include]).toEqual([format, ['memories', 'history', 'knowledge', ...forImports]])
      expect(file).toContain('Lindal Freight')
      expect(file).not.toContain('Initech')
    }
    const refused = await client.post('/v1/exports', { format: 'JSONL', categories, include: ['memories', 'graph'] })
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ path: 'include.1', message: 'graph cannot be narrowed down to categories' }],
    ])
    const empty = await client.post('/v1/exports', { format: 'MARKDOWN', categories, include: ['ingest'] })
    expect([empty.status, empty.body.details]).toEqual([
      400,
      [{ path: 'include', message: 'must name what MARKDOWN has: memories, history, knowledge' }],
    ])
  })

  test('loses a memory that is deleted', async () => {
    const { client, first, task } = await filled()
    const { job } = await exported(client, { format: 'JSONL' })
    await client.delete(`/v1/memories/${first.id}`)
    const anew = await until('the export is written anew', async () => {
      const { body } = await client.get(`/v1/exports/${job.id}`)
      return body.status === 'COMPLETED' && body.sha256 !== job.sha256 ? body : undefined
    })
    const file = await fileOf(client, anew.id)
    expect(file).not.toContain('Lindal Freight')
    expect(linesOf(file).some(({ id }) => id === task.id)).toBe(true)
  })
})

describe('other formats', () => {
  test('JSON is one document, and can be imported too', async () => {
    const source = await filled()
    const { file } = await exported(source.client, { format: 'JSON' })
    const { manifest, memories, knowledge, graph, counts } = JSON.parse(file)
    expect([manifest.format, memories.length, counts.memory]).toEqual(['mneme-archive', 5, 5])
    expect([knowledge, graph].every(Array.isArray)).toBe(true)
    const { client } = await (await service()).account()
    expect(await imported(client, file)).toMatchObject({ status: 'COMPLETED', format: 'document', memories_created: 5 })
  })

  test('CSV has a row a memory, and no formulas', async () => {
    const { client } = await (await service()).account()
    await client.post('/v1/memories', { memory: '=HYPERLINK("http://x", "y"), and\n"more"' })
    const { file } = await exported(client, { format: 'CSV' })
    expect(file.split('\r\n')[0]).toStartWith('id,memory,user_id')
    expect(file).toContain(`"'=HYPERLINK(""http://x"", ""y""), and\n""more"""`)
  })

  test('CSV begins with the mark by which spreadsheets know UTF-8', async () => {
    const { client } = await (await service()).account()
    await client.post('/v1/memories', { memory: '日本の首都は東京です。' })
    const { job } = await exported(client, { format: 'CSV' })
    const path = `http://localhost/v1/exports/${job.id}/download`
    const file = await client.fetch(new Request(path, { headers: { ...client.headers } }))
    // Reading it as text would leave the mark out.
    const text = Buffer.from(await file.arrayBuffer()).toString('utf8')
    expect(text).toStartWith('\uFEFFid,memory,user_id')
    expect(text).toContain(',日本の首都は東京です。,')
  })

  test('a text with line breaks of any kind is one value of a CSV', async () => {
    const { client } = await (await service()).account()
    for (const memory of ['milk\nbread', 'first\rsecond', 'one\r\ntwo']) await client.post('/v1/memories', { memory })
    const { file, job } = await exported(client, { format: 'CSV' })
    expect([job.include, job.progress]).toEqual([['memories'], { total: 3, done: 3 }])
    for (const value of ['"milk\nbread"', '"first\rsecond"', '"one\r\ntwo"'])
      expect(file).toContain(`,${value},default,`)
  })

  test('MARKDOWN can be read', async () => {
    const { client } = await filled()
    const { file } = await exported(client, { format: 'MARKDOWN', include: ['memories'] })
    expect(file).toContain('## Memories')
    expect(file).toContain('مرحبا بالعالم، أنا أسكن في مراكش.')
    expect(file).not.toContain('blue garage!')
  })
})

describe('what other plugins keep', () => {
  test('goes along: entities and relationships to be read, and what people wrote into knowledge', async () => {
    const { client } = await (await service()).account()
    await client.post('/v1/memories', { memory: 'Ada works at Lindal Freight.', user_id: 'ada' })
    const entry = await until('knowledge is compiled', async () => (await client.get('/v1/knowledge')).body.data[0])
    // It stands in the document and in what people wrote, which are more than a line of an import together.
    const long = 'Жду. '.repeat(70_000)
    const content = `${entry.content}\n\n## Notes\n\nNever call before ten.\n\n${long}\n`
    expect((await client.put(`/v1/knowledge/${entry.id}`, { content })).status).toBe(200)
    const { file } = await exported(client, { format: 'JSONL' })
    const types = linesOf(file).map(({ type, kind }) => kind ?? type)
    expect(types).toEqual(expect.arrayContaining(['memory', 'knowledge', 'PERSON', 'ORGANIZATION', 'WORKS_AT']))

    const { client: other } = await (await service()).account()
    expect(await imported(other, file)).toMatchObject({ status: 'COMPLETED', records_restored: 1, lines_failed: 0 })
    const restored = await until('knowledge is compiled again', async () => {
      const { data } = (await other.get('/v1/knowledge')).body
      return data.find(({ content }: Json) => content.includes('Lindal Freight'))
    })
    expect(restored.content).toContain('Never call before ten.')
    const again = await imported(other, file)
    expect(again.records_restored).toBe(0)

    const bad = { type: 'knowledge', user_id: 'ada', category: 'x', hand: { title: 1 } }
    const faulty = await imported(
      other,
      [JSON.stringify({ text: 'New.' }), JSON.stringify(bad), '{"type":"nothing"}'].join('\n'),
    )
    expect(faulty.errors.map(({ line, message }: Json) => [line, message])).toEqual([
      [2, expect.stringContaining('hand.')],
      [3, 'nothing here reads a nothing'],
    ])
  })
})
