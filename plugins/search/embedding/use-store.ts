import type { Tx } from 'mneme/plugin'
import type { ModelId } from '../engine/engine.ts'
import { fromUnnoted } from './gaps.ts'
import { type ModelRecord, type ModelRow, toModel } from './model-records.ts'

/** The active model and the progress towards the next one. */
export interface EmbeddingUse {
  readonly active: ModelRecord
  /** The model that all memories are being embedded with; equal to the active one while its gaps are checked. */
  readonly target: ModelRecord | undefined
  /** The number of memories seen, of all, and of those that the target refuses. */
  readonly seen: number
  readonly total: number
  readonly refused: number
  /** The pass has seen every memory once. */
  readonly allSeen: boolean
  /** Tells whether vectors of inactive models exist, and whether their grace period is over. */
  readonly cleaning: 'none' | 'later' | 'now'
  /** The reason for a pause, if there is one. */
  readonly problem: string | null
  readonly failures: number
  /** There is work that no process has claimed. */
  readonly due: boolean
  /** A worker process cannot reach the target, so a process configured with it must do the work. */
  readonly declined: boolean
}

type UseRow = Omit<EmbeddingUse, 'active' | 'target'> & { active: ModelRow; target: ModelRow | null }

/** A claim expires after this time unless it is renewed, which happens every few seconds. */
const CLAIM_SECONDS = 15
/** A pause after a failure of the model lasts no longer. */
export const PAUSE_SECONDS_MAX = 5 * 60

/** Former vectors stay no longer than this after a switch, which leaves searches twice the time they need. */
const GRACE_SECONDS_MAX = 60

/** The time of former vectors is over. A moment further ahead than that time is of a clock that was put back. */
function mayClean(tx: Tx) {
  return tx`coalesce(embedding_use.clean_from not between now() and now() + make_interval(secs => ${GRACE_SECONDS_MAX}), false)`
}

/** No process has the work, and no pause lasts. A moment further ahead than any claim or pause is of a clock that was put back. */
export function isFree(tx: Tx) {
  return tx`
    coalesce(embedding_use.claimed_until not between now() and now() + make_interval(secs => ${CLAIM_SECONDS}), true)
      and coalesce(embedding_use.resume_at not between now() and now() + make_interval(secs => ${PAUSE_SECONDS_MAX}), true)`
}

/** Reads the state; undefined before the first start. */
export async function readUse(tx: Tx): Promise<EmbeddingUse | undefined> {
  const [row] = await tx<UseRow[]>`
    select
      ${modelJson(tx, 'active')} as active,
      case when target.id is not null then ${modelJson(tx, 'target')} end as target,
      embedding_use.seen, embedding_use.total, embedding_use.refused, embedding_use.all_seen as "allSeen", embedding_use.problem,
      embedding_use.failures,
      case
        when embedding_use.clean_from is null then 'none'
        when ${mayClean(tx)} then 'now'
        else 'later'
      end as cleaning,
      ${isFree(tx)}
        and (embedding_use.target is not null or ${mayClean(tx)}) as due,
      -- A later moment is of a clock that was put back.
      coalesce(embedding_use.declined_at between now() - interval '1 minute' and now(), false) as declined
    from search.embedding_use
    join search.model as active on active.id = embedding_use.active
    left join search.model as target on target.id = embedding_use.target`
  if (!row) return undefined
  const { active, target, ...rest } = row
  return { ...rest, active: toModel(active), target: target ? toModel(target) : undefined }
}

function modelJson(tx: Tx, alias: 'active' | 'target') {
  const column = (name: keyof ModelRow) => tx`${tx(alias)}.${tx(name)}`
  return tx`json_build_object(
    'id', ${column('id')}, 'model_id', ${column('model_id')}, 'dimensions', ${column('dimensions')}, 'kind', ${column('kind')},
    'url', ${column('url')}, 'model', ${column('model')}, 'sends_dimensions', ${column('sends_dimensions')}
  )`
}

/** On the very first start the configured model becomes the active one. */
export async function initializeUse(tx: Tx, active: ModelId): Promise<void> {
  await tx`
    insert into search.embedding_use (active)
    values (${active})
    on conflict on constraint embedding_use_pk do nothing`
}

/** Locks the state against changes until the transaction ends. @returns the models that a write needs vectors of */
export async function lockUseForWrite(tx: Tx): Promise<{ active: ModelId; target: ModelId | undefined } | undefined> {
  const [row] = await tx<{ active: ModelId; target: ModelId | null }[]>`
    select held.active, held.target from search.hold_embedding_use() as held`
  return row && { active: row.active, target: row.target ?? undefined }
}

/** Waits until no write relies on the state and blocks new ones. It gives up after two seconds. */
export async function lockUse(tx: Tx): Promise<void> {
  await tx`set local lock_timeout = '2s'`
  await tx`select pg_advisory_xact_lock(${USE_LOCK}, 1)`
}

/** `search.hold_embedding_use` uses the same number. */
const USE_LOCK = 1_936_028_773

/** The effect of the configured model on the state at a start. */
type ConfigurationEffect = 'unchanged' | 'resumed' | 'started' | 'cancelled'

/**
 * Applies the configured model of a starting process; the latest start decides. A model other than the active one becomes the target,
 * unless it is the target already. Configuring the active model cancels a re-embedding; memories written meanwhile are then checked for
 * gaps. Call it under {@link lockUse}, so that no write misses a new target.
 */
export async function applyConfiguredModel(tx: Tx, configured: ModelId): Promise<ConfigurationEffect> {
  const [row] = await tx<{ active: ModelId; target: ModelId | null }[]>`
    select embedding_use.active, embedding_use.target
    from search.embedding_use
    for update`
  if (!row) throw new Error('the state of the embedding models is missing')
  if (row.target === configured) return 'resumed'
  if (row.target === null && row.active === configured) return 'unchanged'
  await tx`
    -- across workspaces: the progress of re-embedding counts the documents of every workspace
    update search.embedding_use
    set target = ${configured},
      cursor_workspace = null,
      cursor_memory = null,
      all_seen = false,
      seen = 0,
      total = (select count(*) from search.document),
      refused = 0,
      clean_from = null,
      failures = 0,
      problem = null,
      resume_at = null,
      declined_at = null,
      started_at = now()`
  return row.active === configured ? 'cancelled' : 'started'
}

/** The re-embedding work as stored in the database. One process works on it at a time and stores its progress after each step. */

/** Claims the work if there is any and no process has it. */
export async function claimWork(tx: Tx, owner: string): Promise<boolean> {
  const { count } = await tx`
    update search.embedding_use
    set claimed_by = ${owner},
      claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    where ${isFree(tx)}
      and (embedding_use.target is not null or ${mayClean(tx)})`
  return count > 0
}

/** @returns whether the claim was still valid */
export async function renewClaim(tx: Tx, owner: string): Promise<boolean> {
  const { count } = await tx`
    update search.embedding_use
    set claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    where embedding_use.claimed_by = ${owner}`
  return count > 0
}

export async function releaseClaim(tx: Tx, owner: string): Promise<void> {
  await tx`
    update search.embedding_use
    set claimed_by = null,
      claimed_until = null
    where embedding_use.claimed_by = ${owner}`
}

/** The key of a memory, and whether it needs no work. */
export interface PageItem {
  readonly workspaceId: string
  readonly memoryId: string
  readonly done: boolean
}

/** Reads the next memories in the order of their keys. */
export async function nextPage(tx: Tx, target: ModelId, limit: number): Promise<PageItem[]> {
  const after = await cursor(tx)
  return tx<PageItem[]>`
    -- across workspaces: re-embedding covers the memories of every workspace
    select
      document.workspace_id as "workspaceId", document.memory_id as "memoryId",
      exists (
        select
        from search.embedding
        where embedding.workspace_id = document.workspace_id
          and embedding.memory_id = document.memory_id
          and embedding.model = ${target}
      ) or exists (
        select
        from search.embedding_gap
        where embedding_gap.workspace_id = document.workspace_id
          and embedding_gap.memory_id = document.memory_id
          and embedding_gap.model = ${target}
      ) as done
    from search.document
    ${after ? tx`where (document.workspace_id, document.memory_id) > (${after.workspace}, ${after.memory})` : tx``}
    order by document.workspace_id, document.memory_id
    limit ${limit}`
}

async function cursor(tx: Tx): Promise<{ workspace: string; memory: string } | undefined> {
  const [row] = await tx<{ workspace: string | null; memory: string | null }[]>`
    select embedding_use.cursor_workspace as workspace, embedding_use.cursor_memory as memory
    from search.embedding_use`
  return row?.workspace != null && row.memory != null ? { workspace: row.workspace, memory: row.memory } : undefined
}

/** Stores that a page was processed. @returns the counts before and after and the total; undefined when the claim was lost */
export async function advance(
  tx: Tx,
  owner: string,
  target: ModelId,
  page: readonly PageItem[],
  last: boolean,
): Promise<{ before: number; seen: number; total: number } | undefined> {
  const end = page.at(-1)
  const [row] = await tx<{ seen: number; total: number }[]>`
    update search.embedding_use
    set cursor_workspace = coalesce(${end?.workspaceId ?? null}::uuid, embedding_use.cursor_workspace),
      cursor_memory = coalesce(${end?.memoryId ?? null}::uuid, embedding_use.cursor_memory),
      all_seen = ${last},
      seen = embedding_use.seen + ${page.length},
      -- Memories created since are included; deleted ones are corrected at the end.
      total = case
        when ${last}::boolean then embedding_use.seen + ${page.length}
        else greatest(embedding_use.total, embedding_use.seen + ${page.length})
      end,
      failures = 0,
      problem = null
    where embedding_use.claimed_by = ${owner}
      and embedding_use.target = ${target}
    returning embedding_use.seen, embedding_use.total`
  return row && { ...row, before: row.seen - page.length }
}

/** Updates the number of refused memories for the progress report. */
export async function countRefused(tx: Tx, target: ModelId): Promise<void> {
  await tx`
    -- across workspaces: the progress of re-embedding counts the gaps of every workspace
    update search.embedding_use
    set refused = (
      select count(*)
      from search.embedding_gap
      where embedding_gap.model = ${target}
        and embedding_gap.refused
    )
    where embedding_use.target = ${target}`
}

/** Resets the failures after a step succeeded. */
export async function recordProgress(tx: Tx, owner: string): Promise<void> {
  await tx`
    update search.embedding_use
    set failures = 0,
      problem = null
    where embedding_use.claimed_by = ${owner}
      and (embedding_use.failures > 0 or embedding_use.problem is not null)`
}

/** Pauses the work until a time and stores the reason. */
export async function pauseWork(
  tx: Tx,
  owner: string,
  { problem, forMs }: { readonly problem: string; readonly forMs: number },
): Promise<void> {
  await tx`
    update search.embedding_use
    set failures = embedding_use.failures + 1,
      problem = ${problem},
      resume_at = now() + make_interval(secs => ${forMs / 1000})
    where embedding_use.claimed_by = ${owner}`
}

/** Records that this process cannot reach the target. */
export async function declineWork(tx: Tx, target: ModelId): Promise<void> {
  await tx`
    update search.embedding_use
    set declined_at = now()
    where embedding_use.target = ${target}`
}

/**
 * Makes the target the active model once every memory has its vector or is refused one. The lock guarantees that every concurrent write
 * knows the target.
 *
 * @param graceMs how long searches that began earlier may still use the former vectors
 * @returns how many memories have no vector; undefined when some are still owed one
 */
export async function switchToTarget(
  tx: Tx,
  owner: string,
  target: ModelId,
  graceMs: number,
): Promise<number | undefined> {
  await lockUse(tx)
  const [row] = await tx<{ refused: number }[]>`
    -- across workspaces: one switch of the model applies to every workspace
    update search.embedding_use
    set active = ${target},
      target = null,
      cursor_workspace = null,
      cursor_memory = null,
      all_seen = false,
      refused = (
        select count(*)
        from search.embedding_gap
        where embedding_gap.model = ${target}
      ),
      clean_from = now() + make_interval(secs => ${graceMs / 1000}),
      switched_at = now()
    where embedding_use.claimed_by = ${owner}
      and embedding_use.target = ${target}
      and embedding_use.all_seen
      and ${nothingOwed(tx, target)}
    returning embedding_use.refused`
  if (!row) return undefined
  await tx`
    -- across workspaces: one switch of the model applies to every workspace
    delete from search.embedding_gap`
  return row.refused
}

/** Checks that every memory has a vector of the target or is recorded as refused. */
function nothingOwed(tx: Tx, target: ModelId) {
  return tx`
    -- across workspaces: one switch of the model applies to every workspace
    not exists (
      select
      from search.embedding_gap
      where embedding_gap.model = ${target}
        and not embedding_gap.refused
    )
    and not exists (
      select
      ${fromUnnoted(tx, target)}
    )`
}

/** Reads the next memories with vectors of inactive models, in the order of their keys. */
export async function nextToClean(
  tx: Tx,
  active: ModelId,
  limit: number,
): Promise<{ workspaceId: string; memoryId: string }[]> {
  const after = await cursor(tx)
  return tx<{ workspaceId: string; memoryId: string }[]>`
    -- across workspaces: vectors of former models are removed for every workspace
    select distinct embedding.workspace_id as "workspaceId", embedding.memory_id as "memoryId"
    from search.embedding
    where embedding.model <> ${active}
      ${after ? tx`and (embedding.workspace_id, embedding.memory_id) > (${after.workspace}, ${after.memory})` : tx``}
    order by 1, 2
    limit ${limit}`
}

/** Stores the progress of the deletion; `last` marks it complete. */
export async function advanceCleaning(
  tx: Tx,
  owner: string,
  end: { workspaceId: string; memoryId: string } | undefined,
  last: boolean,
): Promise<void> {
  await tx`
    update search.embedding_use
    set cursor_workspace = ${last ? null : (end?.workspaceId ?? null)}::uuid,
      cursor_memory = ${last ? null : (end?.memoryId ?? null)}::uuid,
      clean_from = case when not ${last}::boolean then embedding_use.clean_from end
    where embedding_use.claimed_by = ${owner}
      and embedding_use.target is null`
}
