import { type Database, insertRows, type Logger, queueAgain, type Tx } from 'mneme/plugin'
import type { WorkspaceEraser } from '../../../workspaces/contract.ts'
import { Misconfigured } from './messages.ts'
import { collectionName, idToken, SCHEMA_VERSION, vectorsOf } from './schema.ts'
import type { SearchServer } from './server.ts'

/** The parts that the upkeep of an index shares. */
export interface IndexParts {
  readonly database: Database
  readonly server: SearchServer
  readonly log: Logger
  /** The alias of words, with which the names of collections begin. */
  readonly index: string
  /** The id of this database, which its collections carry. */
  readonly owner: string
  /** The time that followers of a cluster may lag behind their leader. */
  readonly graceMs: number
  /** A rebuild begins after no process without TYPESENSE_URL was heard of for this time. */
  readonly quietMs: number
}

/** The state of the index in Postgres, shared by all processes. */
export interface IndexState {
  /** The collection that searches use; undefined before the first one is filled, and after the schema changed. */
  readonly live: string | undefined
  /** The collection that is being filled to replace it. */
  readonly building: string | undefined
  /** True when every memory was queued for it. */
  readonly allQueued: boolean
  /** A process without TYPESENSE_URL made writes that were not queued, and may go on with it. */
  readonly forsaken: boolean
  /** The names of all collections in Postgres, those of other versions included. */
  readonly known: readonly string[]
  /** A newer version of the code owns the index, so this process leaves it alone. */
  readonly ahead: boolean
}

interface StateRow {
  live: string | null
  live_schema: number | null
  building: string | null
  building_schema: number | null
  all_queued: boolean
  forsaken: boolean
}

/** Reads the state and locks it until the transaction ends, so that no send misses a collection. */
export async function lockState(tx: Tx, index: string): Promise<IndexState> {
  const [row] = await tx<StateRow[]>`
    select typesense_index.live, typesense_index.live_schema, typesense_index.building, typesense_index.building_schema,
      typesense_index.all_queued, typesense_index.forsaken
    from search.typesense_index
    where typesense_index.name = ${index}
    for share`
  if (!row) return { live: undefined, building: undefined, allQueued: false, forsaken: false, known: [], ahead: false }
  const current = (name: string | null, schema: number | null) =>
    name !== null && schema === SCHEMA_VERSION && !row.forsaken ? name : undefined
  return {
    live: current(row.live, row.live_schema),
    building: current(row.building, row.building_schema),
    allQueued: row.all_queued,
    forsaken: row.forsaken,
    known: [row.live, row.building].filter(name => name !== null),
    ahead: Math.max(row.live_schema ?? 0, row.building_schema ?? 0) > SCHEMA_VERSION,
  }
}

/**
 * Starts a new collection, unless one of this schema is being filled. Where writes may go on without being queued, which a fill would miss,
 * it waits until nothing was heard of such a process for a while.
 */
export async function beginBuilding(tx: Tx, index: string, quietMs: number): Promise<void> {
  await tx`
    insert into search.typesense_index (name)
    values (${index})
    on conflict on constraint typesense_index_pk do nothing`
  const [row] = await tx<(Pick<StateRow, 'building_schema' | 'forsaken'> & { next: number; ready: boolean })[]>`
    select
      greatest(typesense_index.generation + 1, floor(extract(epoch from clock_timestamp()) * 1000)::bigint) as next,
      typesense_index.building_schema, typesense_index.forsaken,
      (typesense_index.live is not null and not typesense_index.forsaken)
        or typesense_index.quiet_since <= now() - ${quietMs}::int * interval '1 millisecond' as ready
    from search.typesense_index
    where typesense_index.name = ${index}
    for update`
  if (!row?.ready || (row.building_schema === SCHEMA_VERSION && !row.forsaken)) return
  await tx`
    update search.typesense_index
    set generation = ${row.next},
      live_schema = case when not typesense_index.forsaken then typesense_index.live_schema end,
      building = ${collectionName(index, row.next)},
      building_schema = ${SCHEMA_VERSION},
      cursor_workspace = null,
      cursor_memory = null,
      all_queued = false,
      forsaken = false
    where typesense_index.name = ${index}`
}

/** Drops the record of a collection that Typesense no longer has. */
export async function dropCollectionRecord(tx: Tx, index: string, collection: string): Promise<void> {
  await tx`
    update search.typesense_index
    set live = nullif(typesense_index.live, ${collection}),
      building = nullif(typesense_index.building, ${collection}),
      building_schema = case when typesense_index.building <> ${collection} then typesense_index.building_schema end
    where typesense_index.name = ${index}`
}

/** Makes the filled collection the one that searches use. */
export async function completeBuilding(tx: Tx, index: string, collection: string): Promise<void> {
  await tx`
    update search.typesense_index
    set live = typesense_index.building,
      live_schema = typesense_index.building_schema,
      building = null,
      building_schema = null
    where typesense_index.name = ${index}
      and typesense_index.building = ${collection}`
}

/** Marks the index as stale; a process without TYPESENSE_URL keeps calling this, because its writes never reach the index. */
export async function markIndexStale(tx: Tx): Promise<void> {
  await tx`update search.typesense_index set forsaken = true, quiet_since = now()`
}

/**
 * Queues the next memories for the collection that is being filled, in the order of their keys, unless another process is doing so. A row
 * that is queued already is queued again, because it may be in flight to the old collection alone.
 *
 * @returns how many were queued
 */
export async function queueNext(tx: Tx, index: string, limit: number): Promise<number> {
  // This timeout is shorter than Postgres' deadlock timeout, so that a deadlock never ends a user's write.
  await tx`set local lock_timeout = '200ms'`
  const [state] = await tx<{ cursor_workspace: string | null; cursor_memory: string | null }[]>`
    select typesense_index.cursor_workspace, typesense_index.cursor_memory
    from search.typesense_index
    where typesense_index.name = ${index}
      and typesense_index.building is not null
      and not typesense_index.all_queued
    for update skip locked`
  if (!state) return 0
  const { cursor_workspace: workspace, cursor_memory: memory } = state
  const next = await tx<{ workspace_id: string; memory_id: string }[]>`
    -- across workspaces: a rebuild covers the documents of every workspace
    select document.workspace_id, document.memory_id
    from search.document
    ${workspace === null ? tx`` : tx`where (document.workspace_id, document.memory_id) > (${workspace}::uuid, ${memory}::uuid)`}
    order by document.workspace_id, document.memory_id
    limit ${limit}`
  const last = next.at(-1)
  if (last) await queueForBuilding(tx, next)
  await tx`
    update search.typesense_index
    set cursor_workspace = coalesce(${last?.workspace_id ?? null}::uuid, typesense_index.cursor_workspace),
      cursor_memory = coalesce(${last?.memory_id ?? null}::uuid, typesense_index.cursor_memory),
      all_queued = ${next.length < limit}
    where typesense_index.name = ${index}`
  return next.length
}

async function queueForBuilding(tx: Tx, rows: readonly { workspace_id: string; memory_id: string }[]): Promise<void> {
  // They are in the order of their keys.
  await insertRows(
    tx,
    rows,
    row => tx`(${row.workspace_id}, ${row.memory_id}, false)`,
    values => tx`
      insert into search.typesense_queue (workspace_id, memory_id, changed)
      values ${values}
      on conflict on constraint typesense_queue_pk do update
      set ${queueAgain(tx, 'typesense_queue', tx`true`, tx`excluded.due_at`)},
        acknowledged = false`,
  )
}

/** Returns the id by which this database knows its own collections. */
export async function databaseId(tx: Tx): Promise<string> {
  const [row] = await tx<{ id: string }[]>`select typesense_owner.id from search.typesense_owner limit 1`
  if (!row) throw new Error('search.typesense_owner is empty')
  return row.id
}

type OwnershipParts = Pick<IndexParts, 'server' | 'index' | 'owner'>

/**
 * Checks that neither alias leads to a collection of another database, which would then serve its documents here. A collection without an
 * id is of an earlier version, and ours if Postgres knows its name.
 *
 * @param known the names of collections in Postgres
 * @throws {Misconfigured}
 */
export async function refuseForeign(parts: OwnershipParts, known: readonly string[]): Promise<void> {
  const { server, index, owner } = parts
  for (const alias of [index, vectorsOf(index)]) {
    const name = await server.aliased(alias)
    const described = name === undefined ? undefined : await server.describe(name)
    if (!described || described.database === owner) continue
    if (described.database === undefined && known.some(own => name === own || name === vectorsOf(own))) continue
    throw foreign(described.name, index)
  }
}

/** Creates a collection of words and that of its vectors unless they exist. @throws {Misconfigured} when they are another database's */
export async function createOwn({ server, index, owner }: OwnershipParts, collection: string): Promise<void> {
  for (const name of [collection, vectorsOf(collection)]) {
    if (await server.createCollection(name, owner)) continue
    const described = await server.describe(name)
    if (described && described.database !== owner) throw foreign(name, index)
  }
}

function foreign(collection: string, index: string): Misconfigured {
  return new Misconfigured(
    `The Typesense collection ${collection} belongs to another database, so it is left alone and Postgres serves searches. ` +
      `Give this database a Typesense of its own, or delete the aliases and collections there whose names begin with ${index} if nothing uses them.`,
  )
}

/** One run erases this many workspaces; the next run continues. */
const WORKSPACES_MAX = 20
/** Sends that were in flight when the workspace ended are over by then. */
const SECOND_LOOK_SECONDS = 180

/**
 * Records deleted workspaces while an index exists, whether this process uses it or not; a process that uses it removes their documents.
 */
export function createIndexEraser(database: Database): WorkspaceEraser {
  return {
    id: 'search',
    async erase(workspaceId) {
      await database.system(
        tx => tx`
          insert into search.typesense_erasure (erased_workspace)
          select ${workspaceId}::uuid
          where exists (select from search.typesense_index)
          on conflict on constraint typesense_erasure_pk do update
          set erased_at = now(), run_at = now()`,
      )
    },
  }
}

/** Removes deleted workspaces from the collections: at once, and again when no send to them can be in flight. */
export async function eraseWorkspaces(
  database: Database,
  server: SearchServer,
  collections: readonly string[],
): Promise<void> {
  const erased = await database.system(
    tx => tx<{ erased_workspace: string }[]>`
      select typesense_erasure.erased_workspace
      from search.typesense_erasure
      where typesense_erasure.run_at <= now()
      order by typesense_erasure.run_at
      limit ${WORKSPACES_MAX}`,
  )
  for (const { erased_workspace: workspaceId } of erased) {
    for (const collection of collections) await server.remove(collection, `workspace:=${idToken(workspaceId)}`)
    await database.system(async tx => {
      await tx`
        delete from search.typesense_erasure
        where typesense_erasure.erased_workspace = ${workspaceId}
          and typesense_erasure.erased_at < now() - make_interval(secs => ${SECOND_LOOK_SECONDS})`
      await tx`
        update search.typesense_erasure
        set run_at = typesense_erasure.erased_at + make_interval(secs => ${SECOND_LOOK_SECONDS + 1})
        where typesense_erasure.erased_workspace = ${workspaceId}`
    })
  }
}
