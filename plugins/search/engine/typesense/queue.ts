import { type Database, plainArray, type Tx } from 'mneme/plugin'

/** A memory that this process has taken to send. */
export interface Claim {
  readonly workspaceId: string
  readonly memoryId: string
  readonly version: string
  /** False when only the collection that is being filled wants it. */
  readonly changed: boolean
  /** How often it failed by itself. */
  readonly attempts: number
}

/** Longer than any send takes, retries included. */
const CLAIM_SECONDS = 120
/** A memory that Typesense refuses is offered again after 2, 4, 8 … seconds, at last every five minutes. */
const RETRY_SECONDS_MAX = 300

/** Notes memories of a workspace as changed, in the transaction that changes them. */
export async function enqueue(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx`
    insert into search.typesense_queue (workspace_id, memory_id)
    select ${workspaceId}::uuid, given.memory_id
    from (select distinct unnest(${plainArray(ids)}::uuid[]) as memory_id) as given
    order by given.memory_id
    on conflict on constraint typesense_queue_pk do update
    set version = default,
      changed = true,
      attempts = 0,
      run_at = now(),
      confirmed_at = null,
      error = null`
}

/** Memories of a workspace that searches cannot trust the index about, at most `limit`. */
export async function waitingIds(tx: Tx, workspaceId: string, limit: number): Promise<string[]> {
  const rows = await tx<{ memory_id: string }[]>`
    select typesense_queue.memory_id
    from search.typesense_queue
    where typesense_queue.workspace_id = ${workspaceId}
      and typesense_queue.changed
    limit ${limit}`
  return rows.map(row => row.memory_id)
}

/** Takes the memories that have waited longest, each for this process alone. */
export async function claim(tx: Tx, limit: number): Promise<Claim[]> {
  const rows = await tx<
    { workspace_id: string; memory_id: string; version: string; changed: boolean; attempts: number }[]
  >`
    -- across workspaces: the sender takes the oldest changes of all
    update search.typesense_queue
    set claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    from (
      select oldest.workspace_id, oldest.memory_id
      from search.typesense_queue as oldest
      where oldest.run_at <= now()
        and oldest.confirmed_at is null
        and (oldest.claimed_until is null or oldest.claimed_until < now())
      order by oldest.run_at
      limit ${limit}
      for update skip locked
    ) as taken
    where typesense_queue.workspace_id = taken.workspace_id
      and typesense_queue.memory_id = taken.memory_id
    returning typesense_queue.workspace_id, typesense_queue.memory_id, typesense_queue.version, typesense_queue.changed,
      typesense_queue.attempts`
  return rows.map(row => ({
    workspaceId: row.workspace_id,
    memoryId: row.memory_id,
    version: row.version,
    changed: row.changed,
    attempts: row.attempts,
  }))
}

/**
 * Settles claims. Those that a write has locked at the moment follow one by one: never does this wait for a second row while
 * it holds a first, so no write is ever ended because it would wait for this in a circle.
 */
export async function settle(
  database: Database,
  claims: readonly Claim[],
  work: (tx: Tx, claims: readonly Claim[]) => Promise<void>,
): Promise<void> {
  if (claims.length === 0) return
  const done = await database.system(async tx => {
    const free = await lockFree(tx, claims)
    await work(tx, free)
    return new Set(free)
  })
  for (const claim of claims) if (!done.has(claim)) await database.system(tx => work(tx, [claim]))
}

async function lockFree(tx: Tx, claims: readonly Claim[]): Promise<Claim[]> {
  const rows = await tx<{ workspace_id: string; memory_id: string }[]>`
    -- across workspaces: one request to Typesense carries changes of many
    select typesense_queue.workspace_id, typesense_queue.memory_id
    from search.typesense_queue
    join (${given(tx, claims)}) as sent on ${same(tx)}
    for update of typesense_queue skip locked`
  const locked = new Set(rows.map(row => row.workspace_id + row.memory_id))
  return claims.filter(({ workspaceId, memoryId }) => locked.has(workspaceId + memoryId))
}

/**
 * Typesense has what was claimed. What changed meanwhile stays; the rest goes, at once or, where followers of a cluster may
 * lag behind, when `graceMs` are over.
 */
export async function confirm(tx: Tx, claims: readonly Claim[], graceMs: number): Promise<void> {
  if (claims.length === 0) return
  await release(tx, claims)
  if (graceMs > 0) {
    await tx`
      -- across workspaces: one request to Typesense carries changes of many
      update search.typesense_queue
      set confirmed_at = now()
      from (${given(tx, claims)}) as sent
      where ${same(tx)}
        and typesense_queue.version = sent.version
        and typesense_queue.changed`
  }
  await tx`
    -- across workspaces: one request to Typesense carries changes of many
    delete from search.typesense_queue
    using (${given(tx, claims)}) as sent
    where ${same(tx)}
      and typesense_queue.version = sent.version
      and typesense_queue.confirmed_at is null`
}

/** Forgets what was confirmed `graceMs` ago. */
export async function forgetConfirmed(tx: Tx, graceMs: number): Promise<void> {
  await tx`
    -- across workspaces: the purge removes acknowledged changes of all
    delete from search.typesense_queue
    where typesense_queue.confirmed_at < now() - make_interval(secs => ${graceMs / 1000})`
}

/** Gives claims back as if they had never been taken: the server was away, and that is not the memories' fault. */
export async function release(tx: Tx, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return
  await tx`
    -- across workspaces: one request to Typesense carries changes of many
    update search.typesense_queue
    set claimed_until = null
    from (${given(tx, claims)}) as sent
    where ${same(tx)}`
}

/** Typesense refused this memory: it is offered again later, and until then Postgres answers for it. */
export async function postpone(tx: Tx, refused: Claim, error: string): Promise<void> {
  const attempts = refused.attempts + 1
  await release(tx, [refused])
  await tx`
    update search.typesense_queue
    set changed = true,
      attempts = ${attempts},
      run_at = now() + make_interval(secs => ${Math.min(RETRY_SECONDS_MAX, 2 ** Math.min(10, attempts))}),
      error = ${error}
    where typesense_queue.workspace_id = ${refused.workspaceId}
      and typesense_queue.memory_id = ${refused.memoryId}
      and typesense_queue.version = ${refused.version}`
}

export interface QueueSize {
  readonly waiting: number
  /** Wanted by the collection that is being filled. */
  readonly filling: number
  /** Refused at least once. */
  readonly failing: number
}

export async function queueSize(tx: Tx): Promise<QueueSize> {
  const [size] = await tx<QueueSize[]>`
    -- across workspaces: metrics count the queue of all
    select
      count(*) filter (where typesense_queue.changed and typesense_queue.confirmed_at is null) as waiting,
      count(*) filter (where not typesense_queue.changed) as filling,
      count(*) filter (where typesense_queue.attempts > 0) as failing
    from search.typesense_queue`
  return size ?? { waiting: 0, filling: 0, failing: 0 }
}

function given(tx: Tx, claims: readonly Claim[]) {
  return tx`
    select *
    from unnest(
      ${plainArray(claims.map(claim => claim.workspaceId))}::uuid[],
      ${plainArray(claims.map(claim => claim.memoryId))}::uuid[],
      ${plainArray(claims.map(claim => claim.version))}::uuid[]
    ) as claim (workspace_id, memory_id, version)`
}

function same(tx: Tx) {
  return tx`typesense_queue.workspace_id = sent.workspace_id and typesense_queue.memory_id = sent.memory_id`
}
