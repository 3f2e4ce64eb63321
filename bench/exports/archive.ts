import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { variedText } from '../support/varied-texts.ts'

/** Writes an archive of memories that have everything a memory can have; every tenth was changed, every fiftieth is merged. */
export async function writeArchive(path: string, count: number): Promise<void> {
  const hash = createHash('sha256')
  function* lines(): Generator<string> {
    const first = line({ type: 'manifest', format: 'mneme-archive', version: 1 })
    hash.update(first)
    yield first
    for (let n = 0; n < count; n++) {
      const text = line({ type: 'memory', ...memoryOf(n) })
      hash.update(text)
      yield text
    }
    yield line({ type: 'end', counts: { memory: count }, sha256: hash.digest('hex') })
  }
  await pipeline(Readable.from(lines()), createWriteStream(path))
}

/** Compares the memories of two archives field by field. @returns how many there are, and what differs first */
export async function compareArchives(path: string, other: string): Promise<{ memories: number; difference: string }> {
  const others = memoriesOf(other)
  let memories = 0
  for await (const memory of memoriesOf(path)) {
    const { value } = await others.next()
    if (!isDeepStrictEqual(memory, value)) {
      return { memories, difference: `${JSON.stringify(memory)}\n${JSON.stringify(value)}` }
    }
    memories++
  }
  const rest = await others.next()
  return { memories, difference: rest.done ? '' : `one more: ${JSON.stringify(rest.value)}` }
}

async function* memoriesOf(path: string): AsyncGenerator<unknown> {
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && Reflect.get(value, 'type') === 'memory') yield value
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}

const FIRST_DAY = Date.UTC(2023, 0, 1)

function memoryOf(n: number) {
  const at = new Date(FIRST_DAY + n * 600_000).toISOString()
  const text = `${variedText(n)} (${n}) ${n % 7 === 0 ? '東京のメモ' : n % 7 === 1 ? 'مذكرة' : ''}`.trim()
  const isChanged = n % 10 === 3
  const isMerged = n % 50 === 7
  const created = event(n, 0, {
    event: 'CREATED',
    old_content: null,
    new_content: isChanged ? `${text}, at first` : text,
    at,
  })
  const changed = event(n, 1, { event: 'UPDATED', old_content: `${text}, at first`, new_content: text, at })
  return {
    id: idOf(n, 0),
    memory: text,
    user_id: `user-${n % 100}`,
    agent_id: n % 3 === 0 ? `agent-${n % 5}` : null,
    session_id: n % 2 === 0 ? `session-${Math.floor(n / 20)}` : null,
    priority: ['LOW', 'MEDIUM', 'HIGH'][n % 3],
    categories: n % 4 === 0 ? ['work', 'a category with "quotes", commas'] : [],
    metadata:
      n % 5 === 0 ? { page: n / 3, tags: ['x', null, true], nested: { deep: { at } }, large: 2 ** 53 - 1 } : null,
    layer: n % 20 === 1 ? 'TASK' : 'RAW',
    expires_at: n % 20 === 1 ? '2190-01-01T00:00:00.000Z' : null,
    source: ['API', 'CONVERSATION', 'TEMPLATE'][n % 3],
    revision: isChanged ? 2 : 1,
    consolidated_into: isMerged ? idOf(n - 1, 0) : null,
    own_categories: n % 50 === 6 ? ['own'] : null,
    own_priority: n % 50 === 6 ? 'LOW' : null,
    access_count: n % 11,
    last_accessed_at: n % 11 === 0 ? null : at,
    feedback:
      n % 25 === 0 ? { positive: 2, negative: 1, neutral: 0, last_signal: 'POSITIVE', last_feedback_at: at } : null,
    created_at: at,
    updated_at: at,
    text_changed_at: null,
    history: isChanged ? [created, changed] : [created],
  }
}

function event(n: number, place: number, { at, ...rest }: { at: string; [field: string]: unknown }) {
  return { id: idOf(n, place + 1), ...rest, revision: place + 1, absorbed_id: null, created_at: at }
}

/** Ids of version 7 that ascend with `n`. */
function idOf(n: number, part: number): string {
  const time = (FIRST_DAY + n * 600_000).toString(16).padStart(12, '0')
  const rest = (n * 16 + part).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${rest}`
}
