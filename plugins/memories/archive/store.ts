import { type Tenant, type Tx, textArray } from 'mneme/plugin'
import { v7 } from 'uuid'
import type {
  ArchivedEvent,
  ArchivedHistory,
  ArchivedMemory,
  IncomingMemory,
  MemoryRecord,
  PreparedArchive,
  StoredArchive,
} from '../contract.ts'
import { isFree } from '../queries/insert.ts'
import { countRemoved, countStored } from '../queries/memory-count.ts'
import type { MemoryServices } from '../scope.ts'
import { announceCreated } from '../storing/announce.ts'
import { hashOf, uniqueWithin } from '../storing/content-hash.ts'
import { releaseContents } from '../storing/create.ts'
import { isFailure, reviewIncoming } from '../storing/intake.ts'
import { defaultExpiry } from '../storing/new-record.ts'
import { prepareWrites } from '../storing/preparation.ts'
import { memoryQuota } from '../storing/quota.ts'
import { giveToHolders, withSurvivors } from './survivors.ts'

/** @throws SERVICE_UNAVAILABLE when a hook of another plugin fails: nothing may be lost for that */
export async function prepareArchive(
  services: MemoryServices,
  tenant: Tenant,
  given: readonly ArchivedMemory[],
): Promise<PreparedArchive> {
  const memories = given.map(memory => completed(services, tenant, memory))
  const intakes = await reviewIncoming(services, tenant, memories.map(incoming))
  const refused = new Set<string>()
  const reviewed = memories.map((memory, n) => {
    const intake = intakes[n]
    if (intake && 'refused' in intake) {
      if (isFailure(intake.refused)) throw intake.refused
      refused.add(memory.id)
    }
    return intake && 'memory' in intake ? changedBy(memory, intake.memory) : memory
  })
  const texts = firstOfEachId(reviewed)
    .filter(memory => memory.consolidated_into === null && !refused.has(memory.id))
    .map(({ id, memory }) => ({ id, workspaceId: tenant.workspaceId, text: memory }))
  return { memories: reviewed, refused, writes: await prepareWrites(services, tenant, texts) }
}

/** Ids of other services may have capital letters, and their tasks no time at which they expire. */
function completed(services: MemoryServices, tenant: Tenant, memory: ArchivedMemory): ArchivedMemory {
  const ids = { id: memory.id.toLowerCase(), consolidated_into: memory.consolidated_into?.toLowerCase() ?? null }
  if (memory.layer !== 'TASK' || memory.expires_at !== null) return { ...memory, ...ids }
  return { ...memory, ...ids, expires_at: defaultExpiry(services, tenant, new Date()).toISOString() }
}

function incoming(memory: ArchivedMemory): IncomingMemory {
  return {
    operation: 'create',
    id: undefined,
    text: memory.memory,
    categories: memory.categories,
    metadata: memory.metadata,
    priority: memory.priority,
    userId: memory.user_id,
    agentId: memory.agent_id,
    sessionId: memory.session_id,
    source: memory.source,
  }
}

function changedBy(memory: ArchivedMemory, { text, categories = [], metadata = null }: IncomingMemory): ArchivedMemory {
  return { ...memory, memory: text, categories: [...categories], metadata }
}

/**
 * Stores what the workspace lacks, with its history. Live memories are announced and processed as new ones; merged ones are
 * stored as they were, so that they can still be restored, where their survivors are.
 */
export async function storeArchive(
  tx: Tx,
  services: MemoryServices,
  tenant: Tenant,
  { memories, refused, writes }: PreparedArchive,
  known: ReadonlyMap<string, string>,
): Promise<StoredArchive> {
  const { workspaceId, workspace } = tenant
  const now = new Date()
  const accepted = firstOfEachId(memories).filter(memory => !refused.has(memory.id) && !isExpired(memory, now))
  const live = accepted.filter(memory => memory.consolidated_into === null)
  await releaseContents(
    tx,
    services,
    tenant,
    live.map(({ memory, user_id }) => ({ text: memory, userId: user_id })),
  )
  const room = await services.quotas.room(tx, workspace, memoryQuota.name, accepted.length)
  const fresh = room < accepted.length ? await unknownOf(tx, tenant, accepted) : accepted
  const beyond = new Set(fresh.slice(room).map(({ id }) => id))
  const candidates = fresh.slice(0, room)
  const alive = candidates.filter(memory => memory.consolidated_into === null)
  const ids = await insertArchived(tx, tenant, alive, now)
  const merged = candidates.filter(memory => memory.consolidated_into !== null)
  const homeable = await withSurvivors(tx, workspaceId, merged, { given: memories, holders: known })
  const homed = await insertArchived(tx, tenant, homeable, now)
  const leftOut = live.filter(({ id }) => !ids.has(id))
  const holders = await giveToHolders(tx, workspaceId, leftOut)
  const records = alive.filter(({ id }) => ids.has(id)).map(memory => toRecord(workspaceId, memory))
  await announceCreated(tx, services, records, writes)
  const stored = new Set(candidates.filter(({ id }) => ids.has(id) || homed.has(id)))
  const results = memories.map(memory => {
    if (stored.has(memory)) return 'stored'
    const places = [memory.id, memory.consolidated_into ?? memory.id]
    if (places.some(id => refused.has(id))) return 'refused'
    return places.some(id => beyond.has(id)) ? 'no-room' : 'known'
  })
  return { results, holders }
}

/** Selects the memories whose id and, for live ones, text are new to the workspace, because only these count towards the quota. */
async function unknownOf(tx: Tx, tenant: Tenant, memories: readonly ArchivedMemory[]): Promise<ArchivedMemory[]> {
  const { workspaceId } = tenant
  const rows = memories.map(({ id, memory, user_id, consolidated_into }) => ({
    id,
    hash: hashOf(memory),
    within: uniqueWithin(tenant, user_id),
    live: consolidated_into === null,
  }))
  const unknown = await tx<{ id: string }[]>`
    select given.id
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given (id uuid, hash text, within text, live boolean)
    where not exists (
      select
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = given.id
    )
    and (not given.live or ${isFree(tx, workspaceId, tx`decode(given.hash, 'hex')`, tx`given.within`)})`
  const ids = new Set(unknown.map(({ id }) => id))
  return memories.filter(({ id }) => ids.has(id))
}

/** An id that stands twice among the memories is stored once, with the text that came first. */
function firstOfEachId(memories: readonly ArchivedMemory[]): ArchivedMemory[] {
  const ids = new Set<string>()
  return memories.filter(({ id }) => !ids.has(id) && ids.add(id))
}

function isExpired({ expires_at: expiresAt }: ArchivedMemory, now: Date): boolean {
  return expiresAt !== null && new Date(expiresAt) <= now
}

/** Rows are inserted in ascending order of hash, as those of every other writer, so that two of them cannot deadlock. */
async function insertArchived(
  tx: Tx,
  tenant: Tenant,
  memories: readonly ArchivedMemory[],
  now: Date,
): Promise<Set<string>> {
  if (memories.length === 0) return new Set()
  const { workspaceId } = tenant
  const rows = memories.map(memory => ({
    ...memory,
    feedback: memory.feedback ?? {},
    text_changed_at: textChangedAtOf(memory),
    content_hash: hashOf(memory.memory),
    unique_within: uniqueWithin(tenant, memory.user_id),
  }))
  const [, inserted] = await Promise.all([
    countStored(tx, workspaceId, rows.length),
    tx<{ id: string }[]>`
      insert into memories.memory (
        workspace_id, id, text, user_id, agent_id, session_id, priority, status, categories, metadata, layer, expires_at,
        source, content_hash, unique_within, live, consolidated_into, revision, progress_at, access_count, last_accessed_at,
        feedback_positive, feedback_negative, feedback_neutral, feedback_last_signal, feedback_last_at, kept_apart,
        own_categories, own_priority, created_at, updated_at, text_changed_at
      )
      select
        counted.workspace_id, given.id, given.memory, given.user_id, given.agent_id, given.session_id, given.priority,
        case when given.consolidated_into is null then 'PENDING' else 'COMPLETED' end,
        given.categories, nullif(given.metadata, 'null'::jsonb), given.layer, given.expires_at, given.source,
        decode(given.content_hash, 'hex'), given.unique_within, given.consolidated_into is null, given.consolidated_into,
        given.revision, ${now}, given.access_count, given.last_accessed_at,
        coalesce((given.feedback ->> 'positive')::int, 0), coalesce((given.feedback ->> 'negative')::int, 0),
        coalesce((given.feedback ->> 'neutral')::int, 0), given.feedback ->> 'last_signal',
        (given.feedback ->> 'last_feedback_at')::timestamptz, true, given.own_categories, given.own_priority,
        given.created_at, given.updated_at, given.text_changed_at
      from (select live_count.workspace_id from memories.live_count where live_count.workspace_id = ${workspaceId} limit 1) as counted
      cross join jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given (
        id uuid, memory text, user_id text, agent_id text, session_id text, priority text, categories text[],
        metadata jsonb, layer text, expires_at timestamptz, source text, content_hash text, unique_within text,
        consolidated_into uuid, revision integer, access_count bigint, last_accessed_at timestamptz, feedback jsonb, own_categories text[],
        own_priority text, created_at timestamptz, updated_at timestamptz, text_changed_at timestamptz
      )
      where given.consolidated_into is not null
        or ${isFree(tx, workspaceId, tx`decode(given.content_hash, 'hex')`, tx`given.unique_within`)}
      order by given.content_hash, given.unique_within
      on conflict do nothing
      returning id`,
  ])
  await countRemoved(tx, workspaceId, rows.length - inserted.length)
  const stored = new Set(inserted.map(({ id }) => id))
  const complete = memories.filter(({ id }) => stored.has(id))
  await storeHistory(
    tx,
    workspaceId,
    complete.map(memory => ({ id: memory.id, history: historyOf(memory) })),
  )
  return stored
}

/** Adds events to the histories of memories, where they still exist; see {@link MemoryArchive.storeHistory}. */
export async function storeHistory(tx: Tx, workspaceId: string, histories: readonly ArchivedHistory[]): Promise<void> {
  const rows = histories.flatMap(({ id, history }) => history.map(event => ({ ...event, memory_id: id })))
  if (rows.length === 0) return
  const ids = [...new Set(histories.map(({ id }) => id))].toSorted()
  await Promise.all([
    tx`
      select memory.id
      from memories.memory
      where memory.workspace_id = ${workspaceId} and memory.id = any (${textArray(ids)}::uuid[])
      order by memory.id
      for key share`,
    tx`
    insert into memories.history (
      workspace_id, memory_id, id, event, old_content, new_content, revision, absorbed_id, created_at
    )
    select
      memory.workspace_id, given.memory_id, given.id, given.event, given.old_content, given.new_content,
      given.revision, given.absorbed_id, given.created_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given (
      memory_id uuid, id uuid, event text, old_content text, new_content text, revision integer, absorbed_id uuid,
      created_at timestamptz
    )
    join memories.memory on memory.id = given.memory_id
    where memory.workspace_id = ${workspaceId}
    on conflict do nothing`,
  ])
}

/** An archive without history still gives each memory its beginning. */
function historyOf(memory: ArchivedMemory): NonNullable<ArchivedMemory['history']> {
  if (memory.history && memory.history.length > 0) return memory.history
  return [
    {
      id: v7(),
      event: 'CREATED',
      old_content: null,
      new_content: memory.memory,
      revision: memory.revision,
      absorbed_id: null,
      created_at: memory.created_at,
    },
  ]
}

function toRecord(workspaceId: string, memory: ArchivedMemory): MemoryRecord {
  const changedAt = textChangedAtOf(memory)
  return {
    id: memory.id,
    workspaceId,
    text: memory.memory,
    userId: memory.user_id,
    agentId: memory.agent_id,
    sessionId: memory.session_id,
    priority: memory.priority,
    status: 'PENDING',
    categories: memory.categories,
    metadata: memory.metadata,
    layer: memory.layer,
    expiresAt: memory.expires_at === null ? null : new Date(memory.expires_at),
    source: memory.source,
    revision: memory.revision,
    consolidatedInto: null,
    textChangedAt: changedAt === null ? null : new Date(changedAt),
    createdAt: new Date(memory.created_at),
    updatedAt: new Date(memory.updated_at),
  }
}

/** An archive of an earlier version tells only in histories when a text was changed; without them, the last change of anything counts. */
function textChangedAtOf(memory: ArchivedMemory): string | null {
  const { text_changed_at: changedAt, revision, updated_at, history = [] } = memory
  if (changedAt !== undefined) return changedAt
  // A long history goes on elsewhere, and one of a copy without histories begins late.
  const isWhole = history[0]?.revision === 1 && history.at(-1)?.revision === revision
  if (!isWhole) return revision === 1 ? null : updated_at
  const isEdit = ({ event, old_content: before, new_content: after }: ArchivedEvent) =>
    event === 'UPDATED' && before !== after
  return history.findLast(isEdit)?.created_at ?? null
}

/** Finds the ids of stored memories whose processing has neither completed nor finally failed. */
export async function unprocessed(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  // The lateral join forces look-ups by id: the planner would read all that any workspace has to process.
  const rows = await tx<{ id: string }[]>`
    select found.id
    from unnest(${textArray(ids)}::uuid[]) as wanted (id)
    cross join lateral (
      select memory.id
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = wanted.id
        and memory.live
        and memory.status in ('PENDING', 'PROCESSING')
      limit 1
    ) as found`
  return rows.map(({ id }) => id)
}
