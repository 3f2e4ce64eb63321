import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { ARCHIVE_LINE_BYTES_MAX, type ArchivedMemory } from '../../memories/contract.ts'
import { inspect } from '../reading/inspect.ts'
import { jsonlWriter } from './jsonl.ts'

const ID = '7d9f2f5e-6a40-4a6d-9d0b-3f1f5b8e2c11'
const NOW = '2026-01-01T00:00:00.000Z'
const bytesOf = (line: string) => Buffer.byteLength(line.replace(/\n$/, ''))
/** A character that takes six bytes of JSON. */
const WIDE = '\u0001'

const memory: ArchivedMemory = {
  id: ID,
  memory: WIDE.repeat(50_000),
  user_id: 'ada',
  agent_id: null,
  session_id: null,
  priority: 'MEDIUM',
  categories: Array.from({ length: 100 }, (_, n) => `${n}${WIDE.repeat(97)}`),
  metadata: { text: 'x'.repeat(65_000) },
  layer: 'RAW',
  expires_at: null,
  source: 'API',
  revision: 1,
  consolidated_into: null,
  own_categories: Array.from({ length: 100 }, (_, n) => `${n}${WIDE.repeat(97)}`),
  own_priority: 'LOW',
  access_count: 0,
  last_accessed_at: null,
  feedback: null,
  created_at: NOW,
  updated_at: NOW,
  text_changed_at: NOW,
}

const change = {
  id: ID,
  event: 'UPDATED' as const,
  old_content: WIDE.repeat(50_000),
  new_content: WIDE.repeat(50_000),
  revision: 2,
  absorbed_id: null,
  created_at: NOW,
}

test('a memory of the largest fields, whose history begins with the largest event, has lines that an import takes', () => {
  const lines = jsonlWriter()
    .memory({ ...memory, history: [change, change] })
    .trimEnd()
    .split('\n')
  expect(lines.map(line => JSON.parse(line)).map(({ type, history }) => [type, history.length])).toEqual([
    ['memory', 0],
    ['history', 1],
    ['history', 1],
  ])
  for (const line of lines) expect(bytesOf(line)).toBeLessThanOrEqual(ARCHIVE_LINE_BYTES_MAX)
})

test('a record just at the limit is whole, and one beyond it loses its largest fields and says so', () => {
  const writer = jsonlWriter()
  const record = (length: number) => ({ type: 'thing', id: ID, large: 'x'.repeat(length), small: 'y' })
  const room = ARCHIVE_LINE_BYTES_MAX - bytesOf(writer.record(record(0)))
  expect(bytesOf(writer.record(record(room)))).toBe(ARCHIVE_LINE_BYTES_MAX)
  expect(JSON.parse(writer.record(record(room))).large).toHaveLength(room)
  const cut = JSON.parse(writer.record(record(room + 1)))
  expect(cut).toEqual({ type: 'thing', id: ID, small: 'y', left_out: ['large'] })
})

test('an import takes an archive with a line just at the limit', async () => {
  const writer = jsonlWriter()
  const manifest = {
    format: 'mneme-archive',
    version: 1,
    exported_at: NOW,
    workspace: { id: ID, name: 'Test' },
    user_id: null,
    categories: null,
    include: [],
  } as const
  const record = (length: number) => ({ type: 'thing', text: 'x'.repeat(length) })
  const room = ARCHIVE_LINE_BYTES_MAX - bytesOf(writer.record(record(0)))
  const before = writer.begin(manifest) + writer.record(record(room))
  const sha256 = createHash('sha256').update(before).digest('hex')
  const file = Buffer.from(before + writer.end({ thing: 1 }, sha256))
  async function* open() {
    yield file
  }
  expect(await inspect(open)).toBe('mneme')
})
