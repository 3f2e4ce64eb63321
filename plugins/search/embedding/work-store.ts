import type { Tx } from 'mneme/plugin'
import type { ModelId } from '../engine/engine.ts'
import { fromUnnoted } from './gaps.ts'
import { CLAIM_SECONDS, isFree, lockUse, mayClean } from './use-store.ts'

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
  const rows = await tx<{ workspace_id: string; memory_id: string; done: boolean }[]>`
    -- across workspaces: re-embedding covers the memories of every workspace
    select
      document.workspace_id, document.memory_id,
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
  return rows.map(row => ({ workspaceId: row.workspace_id, memoryId: row.memory_id, done: row.done }))
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
  const rows = await tx<{ workspace_id: string; memory_id: string }[]>`
    -- across workspaces: vectors of former models are removed for every workspace
    select distinct embedding.workspace_id, embedding.memory_id
    from search.embedding
    where embedding.model <> ${active}
      ${after ? tx`and (embedding.workspace_id, embedding.memory_id) > (${after.workspace}, ${after.memory})` : tx``}
    order by embedding.workspace_id, embedding.memory_id
    limit ${limit}`
  return rows.map(row => ({ workspaceId: row.workspace_id, memoryId: row.memory_id }))
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
