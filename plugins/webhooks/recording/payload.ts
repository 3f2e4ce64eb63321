import type { PublishedEvent, Tx, Wiring } from 'mneme/plugin'
import { type MemoryRecord, memoryReader } from '../../memories/contract.ts'

/** The body of a delivery: the JSON text that is signed and sent, and the memories whose text stands in it. */
export interface Payload {
  readonly eventId: string
  readonly body: string
  readonly memoryIds: readonly string[] | null
  /** The user whose erasure removes it. */
  readonly userId: string | null
}

/** Kinds whose `data` receivers get with the memory's text, which events themselves never carry. */
export const WITH_TEXT: ReadonlySet<string> = new Set([
  'memory.created',
  'memory.updated',
  'memory.consolidated',
  'memory.restored',
])

/**
 * Kinds that are told once: their bodies name a user who is gone otherwise, and keep the id no longer than it takes until every receiver has
 * it or is given up.
 */
export const TOLD_ONCE = 'user.erased'

/** Builds the bodies of events, reading texts in the transaction that publishes them: exactly what it stores is what is told. */
export async function payloadsOf(
  tx: Tx,
  wiring: Wiring,
  events: readonly PublishedEvent[],
  now: Date,
): Promise<Payload[]> {
  const ids = events.filter(({ kind }) => WITH_TEXT.has(kind)).flatMap(({ data }) => memoryIdOf(data) ?? [])
  const records = ids.length === 0 ? [] : await wiring.use(memoryReader).records(tx, [...new Set(ids)])
  const byId = new Map(records.map(record => [record.id, record]))
  return events.map(event => {
    const data = dataOf(event, byId.get(memoryIdOf(event.data) ?? ''))
    return {
      eventId: event.id,
      body: bodyOf(event.kind, data, now),
      memoryIds: WITH_TEXT.has(event.kind) ? memoriesIn(event) : null,
      userId: event.kind === TOLD_ONCE ? null : event.userId,
    }
  })
}

/** The JSON text of a delivery's body. */
export function bodyOf(event: string, data: Readonly<Record<string, unknown>>, now: Date): string {
  return JSON.stringify({ event, timestamp: now.toISOString(), data })
}

/** Builds what receivers get as `data` of an event; without a record the text is null. */
export function dataOf(
  { kind, data }: Pick<PublishedEvent, 'kind' | 'data'>,
  record: Pick<MemoryRecord, 'text'> | undefined,
): Readonly<Record<string, unknown>> {
  const { id, user_id, status, priority, consolidated_ids } = data
  const memory = record?.text ?? null
  if (kind === 'memory.created') return { id, memory, user_id, status }
  if (kind === 'memory.updated') return { id, memory, user_id, status, priority }
  if (kind === 'memory.restored') return { id, memory, user_id }
  if (kind === 'memory.consolidated') return { id, memory, user_id, consolidated_ids }
  return data
}

function memoryIdOf({ id }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof id === 'string' ? id : undefined
}

/** A text that others were merged into may hold theirs. */
function memoriesIn({ data }: PublishedEvent): string[] {
  const absorbed = Array.isArray(data.consolidated_ids) ? data.consolidated_ids : []
  return [data.id, ...absorbed].filter(id => typeof id === 'string')
}
