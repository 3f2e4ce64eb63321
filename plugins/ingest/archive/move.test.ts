import { expect, test } from 'bun:test'
import type { Client, Json } from '../../../test/kit/client.ts'
import { jobsDone } from '../../../test/kit/jobs.ts'
import { service } from '../../../test/support/service.ts'
import { exported, imported, linesOf } from '../../exports/world.test-support.ts'
import type { ArchiveRecord } from '../../memories/contract.ts'
import { handbook, ingest, JOBS, memoriesOf } from '../world.test-support.ts'
import { createArchiveSection } from './section.ts'

const file = (...topics: string[]) => ({ name: 'handbook.md', content: handbook(...topics) })
const account = async () => (await service()).account()
const topicsOf = (memories: readonly Json[]) => memories.map(({ metadata }) => metadata.heading_path.at(-1))
const jobOf = async (client: Client, { id }: Json) => (await client.get(`${JOBS}/${id}`)).body
const total = async (client: Client) => (await client.get('/v1/memories')).body.total
const archiveOf = async (client: Client, body: object = {}) =>
  (await exported(client, { format: 'JSONL', ...body })).file
const removeWithMemories = async (client: Client, { id }: Json) =>
  expect((await client.delete(`${JOBS}/${id}`, { query: { memories: 'true' } })).status).toBe(204)

/** A document, and the workspace to which it was moved by an archive. */
async function moved(...topics: string[]) {
  const { client: source } = await account()
  const job = await ingest(
    source,
    { user_id: 'ada', categories: 'rules', document_name: 'hr/handbook.md' },
    file(...topics),
  )
  const archive = await archiveOf(source)
  const { client } = await account()
  const outcome = await imported(client, archive)
  expect(outcome).toMatchObject({ status: 'COMPLETED', records_restored: 1, lines_failed: 0, errors: [] })
  return { source, client, job, archive }
}

const REPLACE = { user_id: 'ada', categories: 'rules', document_name: 'hr/handbook.md', replace: 'true' }

test('a document is listed with its memories where an archive was imported, as where it comes from', async () => {
  const { source, client, job } = await moved('parking', 'holidays')
  expect(await jobOf(client, job)).toEqual(await jobOf(source, job))
  const [before, after] = await Promise.all([memoriesOf(source, job.id), memoriesOf(client, job.id)])
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
})

test('a moved document is replaced by the same file without a change', async () => {
  const { client, job } = await moved('parking', 'holidays')
  const before = await memoriesOf(client, job.id)
  const again = await ingest(client, REPLACE, file('parking', 'holidays'))
  expect(again).toMatchObject({ document_id: job.document_id, memories_created: 0, memories_skipped: 0 })
  expect((await memoriesOf(client, again.id)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(await total(client)).toBe(2)
})

test('a moved document is replaced by a newer version: what is gone is deleted', async () => {
  const { client, job } = await moved('parking', 'holidays', 'travel')
  const before = await memoriesOf(client, job.id)
  const next = await ingest(client, REPLACE, file('parking', 'meals', 'travel'))
  expect(next).toMatchObject({ memories_created: 1, memories_removed: 1, memories_skipped: 0 })
  const after = await memoriesOf(client, next.id)
  expect(topicsOf(after)).toEqual(['parking', 'meals', 'travel'])
  expect([after[0]?.id, after[2]?.id]).toEqual([before[0]?.id, before[2]?.id])
  expect(await total(client)).toBe(3)
})

test('a moved document is deleted with its memories', async () => {
  const { client, job } = await moved('parking', 'holidays')
  await removeWithMemories(client, job)
  expect(await total(client)).toBe(0)
})

test('an archive that is imported again changes nothing', async () => {
  const { client, job, archive } = await moved('parking', 'holidays')
  const next = await ingest(client, REPLACE, file('holidays', 'parking'))
  const before = [await jobOf(client, job), await jobOf(client, next), await memoriesOf(client, next.id)]
  expect(await imported(client, archive)).toMatchObject({ memories_created: 0, records_restored: 0, lines_failed: 0 })
  expect([await jobOf(client, job), await jobOf(client, next), await memoriesOf(client, next.id)]).toEqual(before)
  expect(await memoriesOf(client, job.id)).toEqual([])
})

test('memories that a replacement deleted, and an archive brings back, leave again with the next version', async () => {
  const { client, archive } = await moved('parking', 'holidays')
  await ingest(client, REPLACE, file('parking'))
  // By then the deletion has been told to all.
  await jobsDone((await service()).database)
  expect(await imported(client, archive)).toMatchObject({ memories_created: 1, lines_failed: 0 })
  expect(await ingest(client, REPLACE, file('parking', 'meals'))).toMatchObject({ memories_removed: 1 })
  expect(await total(client)).toBe(2)
})

test('a text that a memory here has under another id is skipped, as where the document is ingested', async () => {
  const { client: source } = await account()
  const job = await ingest(source, { user_id: 'ada' }, file('parking', 'holidays'))
  const [parking] = await memoriesOf(source, job.id)
  const { client } = await account()
  const own = (await client.post('/v1/memories', { memory: parking?.memory, user_id: 'ada' })).body
  expect(await imported(client, await archiveOf(source))).toMatchObject({ memories_created: 1, records_restored: 1 })
  expect(topicsOf(await memoriesOf(client, job.id))).toEqual(['holidays'])
  await removeWithMemories(client, job)
  expect((await client.get(`/v1/memories/${own.id}`)).status).toBe(200)
  expect(await total(client)).toBe(1)
})

test('a text that a document here has too is that one’s, and the moved document’s when it leaves that', async () => {
  const { client: source } = await account()
  const job = await ingest(source, { user_id: 'ada' }, file('parking'))
  const { client } = await account()
  const own = await ingest(client, { user_id: 'ada' }, { name: 'rules.md', content: handbook('parking') })
  const [parking] = await memoriesOf(client, own.id)
  expect(await imported(client, await archiveOf(source))).toMatchObject({ memories_created: 0, records_restored: 1 })
  expect(await memoriesOf(client, job.id)).toEqual([])
  await removeWithMemories(client, own)
  const [taken] = await memoriesOf(client, job.id)
  expect(taken).toMatchObject({ id: parking?.id, session_id: job.document_id, metadata: { file_name: 'handbook.md' } })
  await removeWithMemories(client, job)
  expect(await total(client)).toBe(0)
})

test('what a document skipped is told too, so that it takes it over when its memory leaves another one', async () => {
  const { client: source } = await account()
  const first = await ingest(source, { user_id: 'ada' }, file('parking'))
  const second = await ingest(source, { user_id: 'ada' }, { name: 'b.md', content: handbook('parking', 'travel') })
  const { client } = await account()
  expect(await imported(client, await archiveOf(source))).toMatchObject({ memories_created: 2, records_restored: 2 })
  await removeWithMemories(client, first)
  expect(topicsOf(await memoriesOf(client, second.id))).toEqual(['parking', 'travel'])
})

test('an archive holds the documents of the user and the categories that it was asked for', async () => {
  const { client } = await account()
  const of = (user_id: string, categories: string, topic: string) =>
    ingest(client, { user_id, categories }, { name: `${topic}.md`, content: handbook(topic) })
  const parking = await of('ada', 'rules', 'parking')
  const meals = await of('ada', 'canteen', 'meals')
  const travel = await of('bob', 'rules', 'travel')
  const jobsIn = async (body: object) =>
    linesOf(await archiveOf(client, body))
      .filter(({ type }) => type === 'ingest_job')
      .map(({ id }) => id)
      .toSorted()
  const ids = (...jobs: readonly Json[]) => jobs.map(({ id }) => id).toSorted()
  expect(await jobsIn({})).toEqual(ids(parking, meals, travel))
  expect(await jobsIn({ user_id: 'ada' })).toEqual(ids(parking, meals))
  expect(await jobsIn({ categories: ['rules', 'other'] })).toEqual(ids(parking, travel))
  expect(await jobsIn({ user_id: 'ada', categories: ['rules'] })).toEqual(ids(parking))
  expect(await jobsIn({ include: ['ingest'] })).toEqual(ids(parking, meals, travel))
  expect(await jobsIn({ include: ['memories'] })).toEqual([])
})

test('an archive without documents is imported as before', async () => {
  const { client: source } = await account()
  const job = await ingest(source, {}, file('parking'))
  const older = await archiveOf(source, { include: ['memories', 'history', 'knowledge', 'graph'] })
  const { client } = await account()
  expect(await imported(client, older)).toMatchObject({ status: 'COMPLETED', memories_created: 1, records_restored: 0 })
  // An archive with documents ties memories to them that were imported without before.
  expect(await imported(client, await archiveOf(source))).toMatchObject({ memories_created: 0, records_restored: 1 })
  await removeWithMemories(client, job)
  expect(await total(client)).toBe(0)
})

test('an export that is to be read has no list of chunks', async () => {
  const { client } = await account()
  await ingest(client, {}, file('parking'))
  const { file: markdown } = await exported(client, { format: 'MARKDOWN' })
  expect(markdown).toContain('Rule 1 about parking')
  expect(markdown).not.toContain('## Ingest')
})

test('an archive in JSON moves documents too', async () => {
  const { client: source } = await account()
  const job = await ingest(source, {}, file('parking'))
  const { file: archive } = await exported(source, { format: 'JSON' })
  expect(JSON.parse(archive).ingest).toHaveLength(1)
  const { client } = await account()
  expect(await imported(client, archive)).toMatchObject({ status: 'COMPLETED', records_restored: 1, lines_failed: 0 })
  expect(await jobOf(client, job)).toEqual(await jobOf(source, job))
})

/** The records of an archive, of at most so many chunks each. */
async function recordsOf(workspaceId: string, chunks: number): Promise<ArchiveRecord[]> {
  const { database, kernel } = await service()
  const section = createArchiveSection({ wiring: kernel.wiring })
  const all: ArchiveRecord[] = []
  let after: string | undefined
  do {
    const { records, next } = await database.workspace(workspaceId, tx =>
      section.page(tx, workspaceId, { withHistory: false }, after, chunks),
    )
    all.push(...records)
    after = next
  } while (after !== undefined)
  return all
}

test('a long document goes on in further records, and none of its bytes are in them', async () => {
  const { client: source, workspaceId } = await account()
  const job = await ingest(source, {}, file('parking', 'holidays', 'travel'))
  await ingest(source, {}, { name: 'empty.md', content: '' })
  const records = await recordsOf(workspaceId, 2)
  expect(records.map(({ type, chunks }) => [type, Object(chunks).length])).toEqual([
    ['ingest_job', 2],
    ['ingest_chunks', 1],
    ['ingest_job', 0],
  ])
  expect(JSON.stringify(records)).not.toContain('everybody')
  const memories = linesOf(await archiveOf(source, { include: ['memories'] })).filter(({ type }) => type === 'memory')
  const lines = [...memories, ...records].map(line => JSON.stringify(line))
  const { client } = await account()
  expect(await imported(client, lines.join('\n'))).toMatchObject({ records_restored: 3, lines_failed: 0 })
  expect(topicsOf(await memoriesOf(client, job.id))).toEqual(['parking', 'holidays', 'travel'])
})

test('a record gives a document no memory of another user, and one that is none is told', async () => {
  const { client: source, workspaceId } = await account()
  const job = await ingest(source, { user_id: 'ada' }, file('parking'))
  const [record] = await recordsOf(workspaceId, 1)
  const id = '01a21bc9-edc3-76af-a269-3bd3585ff5d2'
  const foreign = { ...record, id, document_id: id, user_id: 'bob' }
  const ofAdas = { ...foreign, id: '01a21bc9-edc3-76af-a269-3bd3585ff5d3', document_id: job.document_id }
  const faulty = { ...record, chunks: [{ place: -1 }] }
  const further = { type: 'ingest_chunks', id: job.id, user_id: 'bob', chunks: Object(record).chunks }
  const lines = [{ text: 'New.' }, foreign, faulty, further, ofAdas].map(line => JSON.stringify(line))
  const outcome = await imported(source, lines.join('\n'))
  expect(outcome).toMatchObject({ records_restored: 1, lines_failed: 1 })
  expect(outcome.errors).toEqual([{ line: 3, message: expect.stringContaining('chunks.0.') }])
  expect((await source.get(`${JOBS}/${ofAdas.id}`)).status).toBe(404)
  await removeWithMemories(source, foreign)
  expect(topicsOf(await memoriesOf(source, job.id))).toEqual(['parking'])
})

test('a memory that is deleted leaves the documents of archives', async () => {
  const { client, workspaceId } = await account()
  const job = await ingest(client, {}, file('parking', 'holidays'))
  const [parking] = await memoriesOf(client, job.id)
  await client.delete(`/v1/memories/${parking?.id}`)
  const [record] = await recordsOf(workspaceId, 10)
  expect(Object(record).chunks).toHaveLength(1)
  expect(JSON.stringify(record)).not.toContain('parking')
})

test('a record of many long warnings is refused, since lists show the warnings of a hundred jobs at once', async () => {
  const { client, workspaceId } = await account()
  await ingest(client, {}, file('parking'))
  const [record] = await recordsOf(workspaceId, 10)
  const { client: target } = await account()
  const warned = [
    { ...record, warnings: Array(21).fill('A page was left out.') },
    { ...record, warnings: ['x'.repeat(1001)] },
    { ...record, warnings: ['A page was left out.'] },
  ]
  const outcome = await imported(target, warned.map(line => JSON.stringify(line)).join('\n'))
  expect(outcome).toMatchObject({ records_restored: 1, lines_failed: 2 })
})
