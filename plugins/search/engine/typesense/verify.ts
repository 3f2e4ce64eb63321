import { type Database, plainArray, type Tx } from 'mneme/plugin'
import { isUpToDate, joinVectors, stampOf } from './documents.ts'
import { memoriesOf } from './filters.ts'
import { enqueue } from './queue.ts'
import type { SearchServer } from './server.ts'
import { idOfToken, idToken } from './tokens.ts'

/** How one workspace differs between Postgres and the index. */
export interface Drift {
  readonly workspaceId: string
  /** In Postgres only. */
  readonly missing: readonly string[]
  /** In both, with different content. */
  readonly stale: readonly string[]
  /** In the index only. */
  readonly surplus: readonly string[]
}

export interface Verification {
  readonly workspaces: number
  readonly memories: number
  /** Known to be on their way, so not compared. */
  readonly waiting: number
  readonly drifts: readonly Drift[]
  /** Workspaces in the index that Postgres does not have. */
  readonly strangers: readonly string[]
  /** Memories that Typesense does not take; Postgres answers for them. */
  readonly refused: readonly Refusal[]
}

export interface Refusal {
  readonly workspaceId: string
  readonly memoryId: string
  readonly attempts: number
  readonly error: string
}

export interface VerifyParts {
  readonly database: Database
  readonly server: SearchServer
  /** The alias. */
  readonly index: string
}

/** Rows read at once. */
const CHUNK = 5000
/** Memories that are looked at a second time at once; their ids stand in an address of 4,000 characters. */
const RECHECK_MAX = 40
const STRANGERS_MAX = 1000
/** More than a deployment has; a bound all the same. */
const WORKSPACES_MAX = 1_000_000
/** Shown, worst first. */
const REFUSALS_MAX = 20

/** Compares every workspace's memories, by content, with what stands in the index. Bears writes meanwhile. */
export async function verifyIndex(parts: VerifyParts, signal: AbortSignal): Promise<Verification> {
  const drifts: Drift[] = []
  let memories = 0
  let waiting = 0
  const workspaces = await workspaceIds(parts.database)
  for (const workspaceId of workspaces) {
    signal.throwIfAborted()
    const compared = await compare(parts, workspaceId)
    memories += compared.memories
    waiting += compared.waiting
    if (compared.drift) drifts.push(compared.drift)
  }
  const [strangers, refused] = [await strangersOf(parts, workspaces), await refusals(parts.database)]
  return { workspaces: workspaces.length, memories, waiting, drifts, strangers, refused }
}

/** Queues what differs; upkeep then sends it. */
export async function repair(database: Database, { drifts, strangers }: Verification): Promise<number> {
  let queued = 0
  for (const { workspaceId, missing, stale, surplus } of drifts) {
    const ids = [...missing, ...stale, ...surplus]
    queued += ids.length
    await database.system(tx => enqueue(tx, workspaceId, ids))
  }
  for (const workspaceId of strangers) {
    await database.system(
      tx => tx`
        insert into search.typesense_erasure (erased_workspace)
        values (${workspaceId})
        on conflict on constraint typesense_erasure_pk do update
        set erased_at = now(),
          run_at = now()`,
    )
  }
  return queued
}

async function compare(parts: VerifyParts, workspaceId: string) {
  const kept = await stampsInPostgres(parts.database, workspaceId)
  const indexed = await stampsInIndex(parts, `workspace:=${idToken(workspaceId)}`)
  const suspects = new Set(
    [...kept].filter(([id, stamp]) => !isUpToDate(indexed.get(id) ?? '', stamp)).map(([id]) => id),
  )
  for (const id of indexed.keys()) if (!kept.has(id)) suspects.add(id)
  const result = { missing: [] as string[], stale: [] as string[], surplus: [] as string[] }
  let waiting = 0
  for (const part of partsOf([...suspects], RECHECK_MAX)) waiting += await recheck(parts, workspaceId, part, result)
  const drift = result.missing.length + result.stale.length + result.surplus.length > 0
  return { memories: kept.size, waiting, drift: drift ? { workspaceId, ...result } : undefined }
}

/** What was written between the two readings is not drift: both sides again, then what is on its way. */
async function recheck(
  parts: VerifyParts,
  workspaceId: string,
  ids: readonly string[],
  result: { missing: string[]; stale: string[]; surplus: string[] },
): Promise<number> {
  const indexed = await stampsInIndex(parts, memoriesOf(workspaceId, ids))
  const [kept, queued] = await parts.database.system(async tx => [
    await readStamps(tx, workspaceId, ids),
    await queuedAmong(tx, workspaceId, ids),
  ])
  for (const id of ids.filter(id => !queued.has(id))) {
    const [here, there] = [kept.get(id), indexed.get(id)]
    if (here === undefined) {
      if (there !== undefined) result.surplus.push(id)
    } else if (there === undefined) result.missing.push(id)
    else if (!isUpToDate(there, here)) result.stale.push(id)
  }
  return queued.size
}

async function workspaceIds(database: Database): Promise<string[]> {
  // Each workspace by one look into the key's index, however many memories there are.
  const rows = await database.system(
    tx => tx<{ workspace_id: string }[]>`
      select seen.workspace_id
      from core.workspaces_in('search.document', null, ${WORKSPACES_MAX}) as seen (workspace_id)`,
  )
  return rows.map(row => row.workspace_id)
}

async function stampsInPostgres(database: Database, workspaceId: string): Promise<Map<string, string>> {
  const stamps = new Map<string, string>()
  for (let after: string | undefined = NIL; after !== undefined; ) {
    const from: string = after
    const rows = await database.system(
      tx => tx<StampRow[]>`
        select d.memory_id, ${stampOf(tx)} as stamp
        from search.document as d
        ${joinVectors(tx)}
        where d.workspace_id = ${workspaceId}
          and d.memory_id > ${from}
        order by d.memory_id
        limit ${CHUNK}`,
    )
    for (const row of rows) stamps.set(row.memory_id, row.stamp)
    after = rows.length === CHUNK ? rows.at(-1)?.memory_id : undefined
  }
  return stamps
}

interface StampRow {
  memory_id: string
  stamp: string
}

const NIL = '00000000-0000-0000-0000-000000000000'

async function readStamps(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx<StampRow[]>`
    select d.memory_id, ${stampOf(tx)} as stamp
    from search.document as d
    ${joinVectors(tx)}
    where d.workspace_id = ${workspaceId}
      and d.memory_id = any(${plainArray(ids)}::uuid[])`
  return new Map(rows.map(row => [row.memory_id, row.stamp]))
}

async function queuedAmong(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx<{ memory_id: string }[]>`
    select typesense_queue.memory_id
    from search.typesense_queue
    where typesense_queue.workspace_id = ${workspaceId}
      and typesense_queue.changed
      and typesense_queue.memory_id = any(${plainArray(ids)}::uuid[])`
  return new Set(rows.map(row => row.memory_id))
}

async function refusals(database: Database): Promise<Refusal[]> {
  const rows = await database.system(
    tx => tx<{ workspace_id: string; memory_id: string; attempts: number; error: string | null }[]>`
      -- across workspaces: the command shows refusals of all
      select typesense_queue.workspace_id, typesense_queue.memory_id, typesense_queue.attempts, typesense_queue.error
      from search.typesense_queue
      where typesense_queue.attempts > 0
      order by typesense_queue.attempts desc
      limit ${REFUSALS_MAX}`,
  )
  return rows.map(row => ({
    workspaceId: row.workspace_id,
    memoryId: row.memory_id,
    attempts: row.attempts,
    error: row.error ?? '',
  }))
}

async function stampsInIndex({ server, index }: VerifyParts, filter: string): Promise<Map<string, string>> {
  const stamps = new Map<string, string>()
  for (const { memory, stamp } of await server.stamps(index, filter)) {
    const id = idOfToken(memory)
    if (id !== undefined) stamps.set(id, String(stamp))
  }
  return stamps
}

/** Asked for in rounds, each without the workspaces that are known by then. */
async function strangersOf({ server, index }: VerifyParts, workspaces: readonly string[]): Promise<string[]> {
  const strangers = new Set<string>()
  while (strangers.size < STRANGERS_MAX) {
    const known = [...workspaces, ...strangers].map(idToken)
    const [found] = await server.search([
      {
        collection: index,
        q: '*',
        query_by: 'words',
        filter_by: known.length > 0 ? `workspace:!=[${known.join(',')}]` : '',
        include_fields: 'workspace',
        per_page: 250,
      },
    ])
    const before = strangers.size
    for (const token of found?.values ?? []) {
      const id = idOfToken(token)
      if (id !== undefined) strangers.add(id)
    }
    if (strangers.size === before) break
  }
  return [...strangers]
}

function partsOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}
