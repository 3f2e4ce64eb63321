import { AppError, type Tenant, type Tx } from 'mneme/plugin'
import type { CreateResult, MemoryRecord, NewMemory, PreparedMemories, PreparedWrites, Statement } from '../contract.ts'
import { memoryFailure } from '../errors.ts'
import { markExpired } from '../queries/expiry.ts'
import { type ContentHolder, findHolders, insertMemories, insertMemory } from '../queries/insert.ts'
import { findAbsorbed, findRecords } from '../queries/read.ts'
import type { MemoryServices } from '../scope.ts'
import { announceCreated, announceExpired, type RemovedMemory } from './announce.ts'
import { contentKey, hashOf } from './content-hash.ts'
import { reviewIncoming, reviewOne } from './intake.ts'
import { incoming, newRecord, withReview } from './new-record.ts'
import { prepareWrites } from './preparation.ts'
import { memoryQuota } from './quota.ts'
import { isRepetition, repeatableIds } from './repeatable-ids.ts'

/**
 * Creates one memory in its own transaction. The common case takes one round trip: memory, history, index entries, event and job are sent
 * together, and rolled back together when the content already exists. A repetition with the same `seed` returns what the first run stored.
 *
 * @param seed the request's `idempotencySeed`
 */
export async function createMemory(
  services: MemoryServices,
  tenant: Tenant,
  memory: NewMemory,
  seed?: string,
): Promise<MemoryRecord> {
  const [id] = seed === undefined ? [] : repeatableIds(seed, 1)
  const taken = await reviewOne(services, tenant, incoming(memory))
  const record = newRecord(services, tenant, withReview(memory, taken), new Date(), id)
  const writes = await prepareWrites(services, tenant, [record])
  const store = () => tryToStore(services, tenant, record, writes, id !== undefined)
  const stored = await store().catch(unlessFull)
  if (stored) return stored
  // Another memory may have the text. If that memory has expired and was not swept yet, it gives up its text and its room.
  const holder = await tenant.transaction(tx => releaseContent(tx, services, tenant, record))
  const earlier = id === undefined ? undefined : await tenant.transaction(tx => findEarlier(tx, record, holder))
  if (earlier) return earlier
  if (holder) throw duplicateOf(tenant, holder.id, holder.userId)
  const storedNow = await store()
  if (!storedNow) throw memoryFailure('DUPLICATE_MEMORY')
  return storedNow
}

/** A text that exists needs no room, so that there is none says nothing yet; another attempt says it. */
function unlessFull(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'QUOTA_EXCEEDED')) throw error
}

/** Finds what an earlier run of the request stored: the memory that has the text, or one that another has absorbed. */
async function findEarlier(
  tx: Tx,
  record: MemoryRecord,
  holder: ContentHolder | undefined,
): Promise<MemoryRecord | undefined> {
  const records = holder
    ? await findRecords(tx, [holder.id])
    : ((await findAbsorbed(tx, [record.text])).get(hashOf(record.text)) ?? [])
  return records.find(({ id }) => isRepetition(id, record.id))
}

/** Reviews new memories and builds their records, with all work that can be done before a transaction opens. */
export async function prepareMemories(
  services: MemoryServices,
  tenant: Tenant,
  memories: readonly NewMemory[],
): Promise<PreparedMemories> {
  return withWrites(services, tenant, await reviewMemories(services, tenant, memories))
}

type ReviewedMemories = Omit<PreparedMemories, 'writes'>

/** Lets the intake hooks of other plugins look at all memories at once and builds their records. */
export async function reviewMemories(
  services: MemoryServices,
  tenant: Tenant,
  memories: readonly NewMemory[],
  ids: readonly string[] = [],
): Promise<ReviewedMemories> {
  const now = new Date()
  const intakes = await reviewIncoming(services, tenant, memories.map(incoming))
  const refused = new Map<string, AppError>()
  const records = memories.map((memory, n) => {
    const intake = intakes[n]
    const taken = intake && 'memory' in intake ? withReview(memory, intake.memory) : memory
    const record = newRecord(services, tenant, taken, now, ids[n])
    if (intake && 'refused' in intake) refused.set(record.id, intake.refused)
    return record
  })
  return { records, refused }
}

/** Lets write hooks analyse the texts that will be stored. */
export async function withWrites(
  services: MemoryServices,
  tenant: Tenant,
  reviewed: ReviewedMemories,
): Promise<PreparedMemories> {
  const accepted = reviewed.records.filter(({ id }) => !reviewed.refused.has(id))
  return { ...reviewed, writes: await prepareWrites(services, tenant, firstOfEachContent(tenant, accepted)) }
}

/** Creates the memories that do not exist yet in the caller's transaction; results are in the order given. */
export async function createMemories(
  tx: Tx,
  services: MemoryServices,
  tenant: Tenant,
  { records, refused, writes, placeOffset = 0 }: PreparedMemories,
): Promise<CreateResult[]> {
  const outcome = new Map<string, CreateResult>()
  for (const [id, error] of refused) outcome.set(id, { refused: error })
  const accepted = records.filter(({ id }) => !refused.has(id))
  const room = await services.quotas.room(tx, tenant.workspace, memoryQuota.name, accepted.length)
  const firsts = firstOfEachContent(tenant, accepted)
  const candidates = room < accepted.length ? await within(room, tx, tenant, firsts, outcome) : firsts
  const stored = await insertMemories(tx, tenant, candidates)
  const taken = candidates.filter(record => !stored.has(record.id))
  for (const [id, holder] of await retry(tx, services, tenant, taken, stored)) {
    outcome.set(id, { duplicateOf: holder.id, heldBy: holder.userId })
  }
  const created = candidates.filter(record => stored.has(record.id))
  for (const record of created) outcome.set(record.id, { created: record })
  await announceCreated(tx, services, created, writes, placeOffset)
  return inOrder(tenant, records, firsts, outcome)
}

/** Names the memory that has the content, unless the caller is bound to another user than its. */
export function duplicateOf({ subject }: Tenant, id: string, userId = subject?.userId): AppError {
  if (subject && subject.userId !== userId) return memoryFailure('DUPLICATE_MEMORY')
  return memoryFailure('DUPLICATE_MEMORY', {
    message: `The memory ${id} has this content already; change or delete that one.`,
  })
}

/**
 * Stores the memory with all its effects.
 * @param isRepeatable an earlier run of the request may have stored it, and another memory may have absorbed it since
 * @returns what is stored now, or was by the earlier run; undefined when another memory has the content. The transaction is rolled back then
 */
async function tryToStore(
  services: MemoryServices,
  tenant: Tenant,
  record: MemoryRecord,
  writes: PreparedWrites,
  isRepeatable: boolean,
): Promise<MemoryRecord | undefined> {
  try {
    await tenant.transaction(async tx => {
      await services.quotas.take(tx, tenant.workspace, memoryQuota.name)
      const [stored, , absorbed] = await Promise.all([
        insertMemory(tx, tenant, record),
        announceCreated(tx, services, [record], writes),
        isRepeatable ? findAbsorbed(tx, [record.text]) : undefined,
      ])
      if (!stored) throw new ContentExists()
      const earlier = absorbed?.get(hashOf(record.text))?.find(({ id }) => isRepetition(id, record.id))
      if (earlier) throw new ContentExists(earlier)
    })
    return record
  } catch (error) {
    if (error instanceof ContentExists) return error.earlier
    throw error
  }
}

/** Rolls back the transaction; it is always caught in this file. */
class ContentExists extends Error {
  constructor(readonly earlier?: MemoryRecord) {
    super('the content exists')
  }
}

/** Marks the memory that has this text as expired if its time has passed; otherwise returns it. */
export async function releaseContent(
  tx: Tx,
  services: MemoryServices,
  tenant: Tenant,
  statement: Statement,
): Promise<ContentHolder | undefined> {
  const holders = await releaseContents(tx, services, tenant, [statement])
  return holders.values().next().value
}

/** As {@link releaseContent} for many texts. @returns the memories that still have them */
export async function releaseContents(
  tx: Tx,
  services: MemoryServices,
  tenant: Tenant,
  statements: readonly Statement[],
): Promise<Map<string, ContentHolder>> {
  const holders = await findHolders(tx, tenant, statements)
  await expireHolders(tx, services, tenant.workspaceId, holders)
  return holders
}

/**
 * Retries records whose content existed, after the memories that have it were marked as expired where their time has passed. Ids it stores
 * are added to `stored`.
 * @returns for each record that is not stored, the memory that has its content
 */
async function retry(
  tx: Tx,
  services: MemoryServices,
  tenant: Tenant,
  refused: readonly MemoryRecord[],
  stored: Set<string>,
): Promise<Map<string, ContentHolder>> {
  const held = new Map<string, ContentHolder>()
  let open = refused
  // Another transaction may delete the memory that has the text, or store one, between two look-ups; a few rounds resolve that.
  for (let round = 0; open.length > 0 && round < ROUNDS_MAX; round++) {
    const holders = await releaseContents(tx, services, tenant, open)
    for (const record of open) {
      const holder = holders.get(contentKey(tenant, record))
      if (holder) held.set(record.id, holder)
    }
    const free = open.filter(record => !held.has(record.id))
    const now = await insertMemories(tx, tenant, free)
    for (const id of now) stored.add(id)
    open = free.filter(record => !now.has(record.id))
  }
  if (open.length > 0) throw new Error('a text was taken and freed by others too often while it was stored')
  return held
}

const ROUNDS_MAX = 5

/** Marks expired memories as the sweep would, and removes them from the map. */
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

/** Keeps the first record of each content; later ones are duplicates of it. */
function firstOfEachContent(tenant: Tenant, records: readonly MemoryRecord[]): MemoryRecord[] {
  return [...Map.groupBy(records, record => contentKey(tenant, record)).values()].flatMap(([first]) => first ?? [])
}

/** Keeps the first `room` records with new content, in the order sent, and refuses the rest. */
async function within(
  room: number,
  tx: Tx,
  tenant: Tenant,
  records: readonly MemoryRecord[],
  outcome: Map<string, CreateResult>,
): Promise<MemoryRecord[]> {
  const holders = await findHolders(tx, tenant, records)
  let left = room
  const candidates: MemoryRecord[] = []
  for (const record of records) {
    const holder = holders.get(contentKey(tenant, record))
    if ((holder && !holder.expired) || left > 0) candidates.push(record)
    else outcome.set(record.id, { quotaExceeded: true })
    if (!holder || holder.expired) left--
  }
  return candidates
}

function inOrder(
  tenant: Tenant,
  records: readonly MemoryRecord[],
  firsts: readonly MemoryRecord[],
  outcome: ReadonlyMap<string, CreateResult>,
): CreateResult[] {
  const firstByKey = new Map(firsts.map(record => [contentKey(tenant, record), record]))
  return records.map(record => {
    const own = outcome.get(record.id)
    if (own) return own
    const first = firstByKey.get(contentKey(tenant, record)) ?? record
    const firstResult = outcome.get(first.id) ?? { duplicateOf: first.id }
    return 'created' in firstResult ? { duplicateOf: firstResult.created.id } : firstResult
  })
}
