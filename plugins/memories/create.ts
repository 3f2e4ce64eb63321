import { Buffer } from 'node:buffer'
import type { AppError, Tenant, Tx } from 'mneme/plugin'
import { v7 } from 'uuid'
import { announceCreated, announceExpired, type RemovedMemory } from './announce.ts'
import { contentHash } from './content.ts'
import {
  type CreateResult,
  type IncomingMemory,
  type MemoryRecord,
  type NewMemory,
  type PreparedMemories,
  type PreparedWrites,
  taskTtlDays,
} from './contract.ts'
import { memoryFailure } from './errors.ts'
import { takeIn, takeOneIn } from './intake.ts'
import { prepareWrites } from './preparation.ts'
import { markExpired } from './queries/expiry.ts'
import { type ContentHolder, findHolders, insertMemories, insertMemory } from './queries/insert.ts'
import { memoryQuota } from './quota.ts'
import type { MemoryServices } from './scope.ts'

/**
 * Creates one memory in a transaction of its own. The usual case is one round trip: memory, history, index entries, event
 * and job are sent together, and rolled back together when the content turns out to exist.
 */
export async function createMemory(services: MemoryServices, tenant: Tenant, memory: NewMemory): Promise<MemoryRecord> {
  const taken = await takeOneIn(services, tenant, incoming(memory))
  const record = newRecord(services, tenant, asTakenIn(memory, taken), new Date())
  const writes = await prepareWrites(services, tenant, [record])
  const stored = await tryToStore(services, tenant, record, writes)
  if (stored) return record
  // The text is taken. A holder that has expired but was not swept yet gives way.
  const holder = await tenant.transaction(tx => releaseContent(tx, services, tenant.workspaceId, record.text))
  if (holder) throw duplicateOf(holder.id)
  if (await tryToStore(services, tenant, record, writes)) return record
  throw memoryFailure('DUPLICATE_MEMORY')
}

/** Makes records of new memories, with all that can be done for them before a transaction opens. */
export async function prepareMemories(
  services: MemoryServices,
  tenant: Tenant,
  memories: readonly NewMemory[],
): Promise<PreparedMemories> {
  const now = new Date()
  const intakes = await takeIn(services, tenant, memories.map(incoming))
  const refused = new Map<string, AppError>()
  const records = memories.map((memory, n) => {
    const intake = intakes[n]
    const taken = intake && 'memory' in intake ? asTakenIn(memory, intake.memory) : memory
    const record = newRecord(services, tenant, taken, now)
    if (intake && 'refused' in intake) refused.set(record.id, intake.refused)
    return record
  })
  const accepted = records.filter(({ id }) => !refused.has(id))
  return { records, refused, writes: await prepareWrites(services, tenant, firstOfEachContent(accepted)) }
}

function incoming(memory: NewMemory): IncomingMemory {
  return {
    operation: 'create',
    id: undefined,
    text: memory.text,
    categories: memory.categories ?? [],
    metadata: memory.metadata ?? null,
    priority: memory.priority ?? 'MEDIUM',
    userId: memory.userId ?? 'default',
    agentId: memory.agentId ?? null,
    sessionId: memory.sessionId ?? null,
    source: memory.source,
  }
}

function asTakenIn(memory: NewMemory, { text, categories = [], metadata = null }: IncomingMemory): NewMemory {
  return { ...memory, text, categories, metadata }
}

/** Creates what is not there yet, in the caller's transaction; the answer is in the order given. */
export async function createMemories(
  tx: Tx,
  services: MemoryServices,
  tenant: Tenant,
  { records, refused, writes }: PreparedMemories,
): Promise<CreateResult[]> {
  const outcome = new Map<string, CreateResult>()
  for (const [id, error] of refused) outcome.set(id, { refused: error })
  const accepted = records.filter(({ id }) => !refused.has(id))
  const room = await services.quotas.room(tx, tenant.workspace, memoryQuota.name, accepted.length)
  const firsts = firstOfEachContent(accepted)
  const candidates = room < accepted.length ? await within(room, tx, tenant, firsts, outcome) : firsts
  const stored = await insertMemories(tx, tenant.workspaceId, candidates)
  const taken = candidates.filter(record => !stored.has(record.id))
  for (const [id, holderId] of await retry(tx, services, tenant.workspaceId, taken, stored)) {
    outcome.set(id, { duplicateOf: holderId })
  }
  const created = candidates.filter(record => stored.has(record.id))
  for (const record of created) outcome.set(record.id, { created: record })
  await announceCreated(tx, services, created, writes)
  return inOrder(records, firsts, outcome)
}

export function duplicateOf(id: string): AppError {
  return memoryFailure('DUPLICATE_MEMORY', { message: `The memory ${id} has this content already.` })
}

/** False when the content exists; everything that was sent with it is rolled back then. */
async function tryToStore(
  services: MemoryServices,
  tenant: Tenant,
  record: MemoryRecord,
  writes: PreparedWrites,
): Promise<boolean> {
  try {
    await tenant.transaction(async tx => {
      await services.quotas.take(tx, tenant.workspace, memoryQuota.name)
      const [stored] = await Promise.all([insertMemory(tx, record), announceCreated(tx, services, [record], writes)])
      if (!stored) throw new ContentExists()
    })
    return true
  } catch (error) {
    if (error instanceof ContentExists) return false
    throw error
  }
}

/** Rolls a transaction back; never leaves this file. */
class ContentExists extends Error {}

function newRecord(services: MemoryServices, tenant: Tenant, memory: NewMemory, now: Date): MemoryRecord {
  const layer = memory.layer ?? 'RAW'
  return {
    id: v7(),
    workspaceId: tenant.workspaceId,
    text: memory.text,
    userId: memory.userId ?? 'default',
    agentId: memory.agentId ?? null,
    sessionId: memory.sessionId ?? null,
    priority: memory.priority ?? 'MEDIUM',
    status: 'PENDING',
    categories: memory.categories ?? [],
    metadata: memory.metadata ?? null,
    layer,
    expiresAt: layer === 'TASK' ? (memory.expiresAt ?? defaultExpiry(services, tenant, now)) : null,
    source: memory.source,
    revision: 1,
    consolidatedInto: null,
    createdAt: now,
    updatedAt: now,
  }
}

function defaultExpiry({ taskTtlMs }: MemoryServices, { workspace }: Tenant, now: Date): Date {
  const days = taskTtlDays.of(workspace)
  return new Date(now.getTime() + (days === null ? taskTtlMs : days * 86_400_000))
}

/** Frees a text whose holder has expired; returns the holder when it has not. */
export async function releaseContent(
  tx: Tx,
  services: MemoryServices,
  workspaceId: string,
  text: string,
): Promise<ContentHolder | undefined> {
  const holders = await findHolders(tx, workspaceId, [text])
  await expireHolders(tx, services, workspaceId, holders)
  return holders.values().next().value
}

/**
 * Tries again what met existing content, after those holders that have expired gave way. What this stores is added to
 * `stored`.
 * @returns for each record that stays out, the memory that has its content
 */
async function retry(
  tx: Tx,
  services: MemoryServices,
  workspaceId: string,
  refused: readonly MemoryRecord[],
  stored: Set<string>,
): Promise<Map<string, string>> {
  const holderIds = new Map<string, string>()
  let open = refused
  // A holder may be deleted, or a new one stored, between two looks; a few rounds settle that.
  for (let round = 0; open.length > 0 && round < ROUNDS_MAX; round++) {
    const holders = await findHolders(
      tx,
      workspaceId,
      open.map(record => record.text),
    )
    await expireHolders(tx, services, workspaceId, holders)
    for (const record of open) {
      const holder = holders.get(hashKey(record))
      if (holder) holderIds.set(record.id, holder.id)
    }
    const free = open.filter(record => !holderIds.has(record.id))
    const now = await insertMemories(tx, workspaceId, free)
    for (const id of now) stored.add(id)
    open = free.filter(record => !now.has(record.id))
  }
  if (open.length > 0) throw new Error('a text was taken and freed by others too often while it was stored')
  return holderIds
}

const ROUNDS_MAX = 5

/** Marks the expired ones as the sweep would, and takes them out of the map. */
async function expireHolders(
  tx: Tx,
  services: MemoryServices,
  workspaceId: string,
  holders: Map<string, ContentHolder>,
): Promise<void> {
  const expired: RemovedMemory[] = []
  for (const [hash, holder] of holders) {
    if (!holder.expired) continue
    expired.push(holder)
    holders.delete(hash)
  }
  if (expired.length === 0) return
  await markExpired(
    tx,
    workspaceId,
    expired.map(memory => memory.id),
  )
  await announceExpired(tx, services, workspaceId, expired)
}

function hashKey(record: MemoryRecord): string {
  return Buffer.from(contentHash(record.text)).toString('hex')
}

/** The first record of each content; later ones are duplicates of it. */
function firstOfEachContent(records: readonly MemoryRecord[]): MemoryRecord[] {
  const seen = new Map<string, MemoryRecord>()
  for (const record of records) if (!seen.has(hashKey(record))) seen.set(hashKey(record), record)
  return [...seen.values()]
}

/** Of the records whose content is new, the first `room` in the order sent; the rest is refused. */
async function within(
  room: number,
  tx: Tx,
  tenant: Tenant,
  records: readonly MemoryRecord[],
  outcome: Map<string, CreateResult>,
): Promise<MemoryRecord[]> {
  const holders = await findHolders(
    tx,
    tenant.workspaceId,
    records.map(record => record.text),
  )
  let left = room
  const candidates: MemoryRecord[] = []
  for (const record of records) {
    const holder = holders.get(hashKey(record))
    if ((holder && !holder.expired) || left > 0) candidates.push(record)
    else outcome.set(record.id, { quotaExceeded: true })
    if (!holder || holder.expired) left--
  }
  return candidates
}

function inOrder(
  records: readonly MemoryRecord[],
  firsts: readonly MemoryRecord[],
  outcome: ReadonlyMap<string, CreateResult>,
): CreateResult[] {
  const firstByHash = new Map(firsts.map(record => [hashKey(record), record]))
  return records.map(record => {
    const own = outcome.get(record.id)
    if (own) return own
    const first = firstByHash.get(hashKey(record)) ?? record
    const firstResult = outcome.get(first.id) ?? { duplicateOf: first.id }
    return 'created' in firstResult ? { duplicateOf: firstResult.created.id } : firstResult
  })
}
