import { type Database, inParts, plainArray, type Tx } from 'mneme/plugin'
import { type IndexedStamps, isUpToDate, joinVectors, stampOf } from './documents.ts'
import type { IndexParts } from './index-state.ts'
import { Rejected, Unavailable } from './messages.ts'
import { enqueue } from './outbox.ts'
import { idOfToken, idToken, MARKER_WORKSPACE, vectorsOf } from './schema.ts'
import { memoriesOf } from './searches.ts'

/** The differences of one workspace between Postgres and the index. */
interface Drift {
  readonly workspaceId: string
  /** Ids in Postgres only. */
  readonly missing: readonly string[]
  /** Ids in both with different content. */
  readonly stale: readonly string[]
  /** Ids in the index only. */
  readonly surplus: readonly string[]
}

export interface Verification {
  readonly workspaces: number
  readonly memories: number
  /** The number of pending memories, which are not compared. */
  readonly waiting: number
  readonly drifts: readonly Drift[]
  /** Workspaces in the index that Postgres does not have. */
  readonly orphans: readonly string[]
  /** Memories that Typesense refuses and Postgres serves. */
  readonly refused: readonly Refusal[]
  /** Workspaces that could not be compared. */
  readonly failed: readonly FailedComparison[]
}

interface FailedComparison {
  readonly workspaceId: string
  readonly error: string
}

interface Refusal {
  readonly workspaceId: string
  readonly memoryId: string
  readonly attempts: number
  readonly error: string
}

/** This many rows are read at once. */
const CHUNK = 5000
/** This many memories are checked again at once; their ids are part of an address of 4,000 characters. */
const RECHECK_MAX = 40
const ORPHANS_MAX = 1000
/** The bound exceeds the number of workspaces of any deployment. */
const WORKSPACES_MAX = 1_000_000
/** The report shows this many refusals, the worst first. */
const REFUSALS_MAX = 20

/** Compares the content of every workspace's memories with the index. It tolerates concurrent writes. */
export async function verifyIndex(parts: StampParts, signal: AbortSignal): Promise<Verification> {
  const drifts: Drift[] = []
  let memories = 0
  let waiting = 0
  const failed: FailedComparison[] = []
  const workspaces = await workspaceIds(parts.database)
  for (const workspaceId of workspaces) {
    signal.throwIfAborted()
    const compared = await compare(parts, workspaceId).catch(error => failedComparison(parts, error))
    if (typeof compared === 'string') {
      failed.push({ workspaceId, error: compared })
      continue
    }
    memories += compared.memories
    waiting += compared.waiting
    if (compared.drift) drifts.push(compared.drift)
  }
  const [orphans, refused] = [await findOrphans(parts, workspaces), await refusals(parts.database)]
  return { workspaces: workspaces.length, memories, waiting, drifts, orphans, refused, failed }
}

/** Queues the differences, which upkeep then sends. */
export async function repair(database: Database, { drifts, orphans }: Verification): Promise<number> {
  let queued = 0
  for (const { workspaceId, missing, stale, surplus } of drifts) {
    const ids = [...missing, ...stale, ...surplus]
    queued += ids.length
    await database.system(tx => enqueue(tx, workspaceId, ids))
  }
  for (const workspaceId of orphans) {
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

/**
 * Returns the message of an error that may be of one workspace alone, as of one that is too large.
 *
 * @throws the error of Typesense itself
 */
async function failedComparison({ server, index }: StampParts, error: unknown): Promise<string> {
  const isOfWorkspace = error instanceof Unavailable || error instanceof Rejected
  if (!isOfWorkspace || (await server.aliased(index)) === undefined) throw error
  return error.message
}

async function compare(parts: StampParts, workspaceId: string) {
  const kept = await stampsInPostgres(parts.database, workspaceId)
  const indexed = await stampsOfWorkspace(parts, workspaceId)
  const suspects = new Set(
    [...kept].filter(([id, stamp]) => !isUpToDate(indexed.get(id) ?? {}, stamp)).map(([id]) => id),
  )
  for (const id of indexed.keys()) if (!kept.has(id)) suspects.add(id)
  const result = { missing: [] as string[], stale: [] as string[], surplus: [] as string[] }
  let waiting = 0
  for (const part of inParts([...suspects], RECHECK_MAX)) waiting += await recheck(parts, workspaceId, part, result)
  const drift = result.missing.length + result.stale.length + result.surplus.length > 0
  return { memories: kept.size, waiting, drift: drift ? { workspaceId, ...result } : undefined }
}

/** Writes between the two reads are not drift, so both sides are read again, then the pending ones. */
async function recheck(
  parts: StampParts,
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
  // One index probe finds each workspace, however many memories there are.
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
  return database.system(
    tx => tx<Refusal[]>`
      -- across workspaces: the command shows refusals of every workspace
      select typesense_queue.workspace_id as "workspaceId", typesense_queue.memory_id as "memoryId",
        typesense_queue.attempts, typesense_queue.error
      from search.typesense_queue
      where typesense_queue.error is not null
      order by typesense_queue.attempts desc
      limit ${REFUSALS_MAX}`,
  )
}

/** Asks for workspaces in rounds, each without those already known. */
async function findOrphans({ server, index }: StampParts, workspaces: readonly string[]): Promise<string[]> {
  const orphans = new Set<string>()
  for (const collection of [index, vectorsOf(index)]) {
    while (orphans.size < ORPHANS_MAX) {
      const known = [MARKER_WORKSPACE, ...[...workspaces, ...orphans].map(idToken)]
      const [found] = await server.search([
        {
          collection,
          q: '*',
          query_by: 'words',
          filter_by: `workspace:!=[${known.join(',')}]`,
          include_fields: 'workspace',
          per_page: 250,
        },
      ])
      const before = orphans.size
      for (const token of found?.values ?? []) {
        const id = idOfToken(token)
        if (id !== undefined) orphans.add(id)
      }
      if (orphans.size === before) break
    }
  }
  return [...orphans]
}

/** Tests give a page in place of {@link PAGE}. */
type StampParts = Pick<IndexParts, 'database' | 'server' | 'index'> & { readonly page?: number }

/** An export carries about this many memories, so that it always ends within the time of a request. */
const PAGE = 5000

/** Reads the stamps of a workspace's memories in the index, in exports by the times of creation, which the server can filter by. */
async function stampsOfWorkspace(parts: StampParts, workspaceId: string): Promise<Map<string, IndexedStamps>> {
  const stamps = new Map<string, IndexedStamps>()
  for (const range of await ranges(parts, workspaceId)) {
    const filter = [`workspace:=${idToken(workspaceId)}`, ...range].join(' && ')
    for (const [id, found] of await stampsInIndex(parts, filter)) stamps.set(id, found)
  }
  return stamps
}

/** Reads the stamps of memories in the index that pass a filter. */
async function stampsInIndex(
  { server, index }: Pick<StampParts, 'server' | 'index'>,
  filter: string,
): Promise<Map<string, IndexedStamps>> {
  const stamps = new Map<string, IndexedStamps>()
  for (const kind of ['words', 'vectors'] as const) {
    const collection = kind === 'words' ? index : vectorsOf(index)
    for (const { memory, stamp } of await server.stamps(collection, filter)) {
      const id = idOfToken(memory)
      if (id !== undefined) stamps.set(id, { ...stamps.get(id), [kind]: String(stamp) })
    }
  }
  return stamps
}

/** Divides all time, as conditions of a filter, so that the database has about a page of the workspace's memories in each part. */
async function ranges({ database, page = PAGE }: StampParts, workspaceId: string): Promise<string[][]> {
  const rows = await database.system(
    tx => tx<{ bound: Date }[]>`
      select distinct numbered.created_at as bound
      from (
        select document.created_at, row_number() over (order by document.created_at) as number
        from search.document
        where document.workspace_id = ${workspaceId}
      ) as numbered
      where numbered.number % ${page}::int = 0
      order by bound`,
  )
  const bounds = rows.map(({ bound }) => bound.getTime())
  return [undefined, ...bounds].map((from, n) => {
    const to = bounds[n]
    return [...(from === undefined ? [] : [`created_at:>=${from}`]), ...(to === undefined ? [] : [`created_at:<${to}`])]
  })
}
