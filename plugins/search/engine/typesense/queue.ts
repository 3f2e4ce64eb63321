import { type Claim, type LeasedWork, leasedWork, plainArray, queueAgain, type Tx } from 'mneme/plugin'

interface QueueRow {
  /** False when only the collection that is being filled needs it. */
  readonly changed: boolean
  /** The leader of a cluster has stored it; the row stays until its followers have it too. */
  readonly acknowledged: boolean
}

/** A pending memory that this process has claimed; `id` is the memory's. */
export type QueuedMemory = Claim<QueueRow>

export type SendQueue = LeasedWork<QueueRow>

/** A refused memory is retried after 2, 4, 8 … seconds, up to five minutes. */
const RETRY_SECONDS_MAX = 300

export function openSendQueue(): SendQueue {
  return leasedWork<QueueRow>({
    table: 'search.typesense_queue',
    key: 'memory_id',
    columns: ['changed', 'acknowledged'],
    // The claim outlasts any send, retries included.
    leaseMs: 120_000,
    removeFinished: true,
  })
}

/** Queues changed memories of a workspace in the transaction that changes them. */
export async function enqueue(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx`
    insert into search.typesense_queue (workspace_id, memory_id)
    select ${workspaceId}::uuid, given.memory_id
    from (select distinct unnest(${plainArray(ids)}::uuid[]) as memory_id) as given
    order by given.memory_id
    on conflict on constraint typesense_queue_pk do update
    set ${queueAgain(tx, 'typesense_queue')},
      changed = true,
      acknowledged = false`
}

/** The part of a workspace that a search does not ask Typesense about. */
export interface Pending {
  /** Pending memories, whose index entries are stale, at most the limit. */
  readonly ids: readonly string[]
  /** A node that shows this marker has all others. */
  readonly marker: number
}

/** Reads both in one statement, because a memory leaves the queue in the transaction that requires its marker. */
export async function readPending(tx: Tx, index: string, workspaceId: string, limit: number): Promise<Pending> {
  const rows = await tx<{ marker: number; memory_id: string | null }[]>`
    select due.marker, pending.memory_id
    from search.typesense_marker_due(${index}) as due (marker)
    left join (
      select typesense_queue.memory_id
      from search.typesense_queue
      where typesense_queue.workspace_id = ${workspaceId}
        and typesense_queue.changed
      limit ${limit}
    ) as pending on true`
  return {
    ids: rows.flatMap(({ memory_id: id }) => (id === null ? [] : [id])),
    marker: rows[0]?.marker ?? 0,
  }
}

/**
 * Settles claims that Typesense has stored. Rows that changed meanwhile stay; the others are deleted, at once or, where followers of a
 * cluster may lag behind, when they are claimed again after `graceMs`.
 */
export async function acknowledge(
  tx: Tx,
  queue: SendQueue,
  claims: readonly QueuedMemory[],
  graceMs: number,
): Promise<void> {
  const lagging = graceMs > 0 ? claims.filter(({ row }) => row.changed && !row.acknowledged) : []
  const kept = new Set(lagging)
  await queue.finish(
    tx,
    claims.filter(claim => !kept.has(claim)),
  )
  if (lagging.length === 0) return
  const held = await queue.postpone(
    tx,
    lagging.map(claim => ({ claim, inMs: graceMs })),
  )
  await mark(tx, held, tx`acknowledged = true`)
}

/** Postpones memories that Typesense refused; until the retry Postgres serves them. */
export async function postpone(tx: Tx, queue: SendQueue, refusals: ReadonlyMap<QueuedMemory, string>): Promise<void> {
  if (refusals.size === 0) return
  const held = await queue.postpone(
    tx,
    [...refusals].map(([claim, reason]) => {
      const seconds = Math.min(RETRY_SECONDS_MAX, 2 ** Math.min(10, claim.attempts))
      return { claim, inMs: seconds * 1000, reason }
    }),
  )
  await mark(tx, held, tx`changed = true`)
}

/** Sets a column of rows that did not change since they were claimed. */
async function mark(tx: Tx, claims: readonly QueuedMemory[], column: ReturnType<Tx['unsafe']>): Promise<void> {
  await tx`
    -- across workspaces: one request to Typesense carries changes of many workspaces
    update search.typesense_queue
    set ${column}
    from unnest(
      ${plainArray(claims.map(claim => claim.workspaceId))}::uuid[],
      ${plainArray(claims.map(claim => claim.id))}::uuid[],
      ${plainArray(claims.map(claim => claim.version))}::integer[]
    ) as sent (workspace_id, memory_id, version)
    where typesense_queue.workspace_id = sent.workspace_id
      and typesense_queue.memory_id = sent.memory_id
      and typesense_queue.version = sent.version`
}

export interface QueueSize {
  /** The number of rows, those included that followers of a cluster may still lack. */
  readonly rows: number
  readonly waiting: number
  /** The number needed by the collection that is being filled. */
  readonly filling: number
  /** The number refused at least once. */
  readonly failing: number
}

export const EMPTY_QUEUE: QueueSize = { rows: 0, waiting: 0, filling: 0, failing: 0 }

export async function queueSize(tx: Tx): Promise<QueueSize> {
  const [size] = await tx<QueueSize[]>`
    -- across workspaces: metrics count the queue of every workspace
    select
      count(*) as rows,
      count(*) filter (where typesense_queue.changed and not typesense_queue.acknowledged) as waiting,
      count(*) filter (where not typesense_queue.changed) as filling,
      count(*) filter (where typesense_queue.error is not null) as failing
    from search.typesense_queue`
  return size ?? EMPTY_QUEUE
}
