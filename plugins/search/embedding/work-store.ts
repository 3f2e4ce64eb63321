import type { Tx } from 'mneme/plugin'
import type { ModelId } from '../engine/engine.ts'
import { fromUnnoted } from './gaps.ts'
import { lockUse } from './use-store.ts'

/** The work on vectors as it stands in the database: one process is at it at a time, and each step says how far it came. */

/** A claim that is not renewed is over after this time; it is renewed every few seconds. */
const CLAIM_SECONDS = 15

/** Takes the work when there is some and nobody is at it. */
export async function claimWork(tx: Tx, owner: string): Promise<boolean> {
  const { count } = await tx`
    update search.embedding_use
    set claimed_by = ${owner},
      claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    where coalesce(embedding_use.claimed_until < now(), true)
      and coalesce(embedding_use.resume_at <= now(), true)
      and (embedding_use.target is not null or embedding_use.clean_from <= now())`
  return count > 0
}

/** @returns whether the claim still held */
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

/** A memory by its key, and whether nothing is to be done for it. */
export interface PageItem {
  readonly workspaceId: string
  readonly memoryId: string
  readonly done: boolean
}

/** The next memories in the order of their keys, after those that were looked at. */
export async function nextPage(tx: Tx, target: ModelId, limit: number): Promise<PageItem[]> {
  const after = await cursor(tx)
  const rows = await tx<{ workspace_id: string; memory_id: string; done: boolean }[]>`
    -- across workspaces: re-embedding goes through the memories of all
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

/**
 * Notes that a page was dealt with.
 * @returns how many were looked at before and are now, of how many; undefined when the work is not this process's any more
 */
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
      -- What was created since counts too; what was deleted does not show before the end.
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

/** Notes what became of the refused so far, for whoever watches. */
export async function countRefused(tx: Tx, target: ModelId): Promise<void> {
  await tx`
    -- across workspaces: the progress of re-embedding counts the gaps of all
    update search.embedding_use
    set refused = (
      select count(*)
      from search.embedding_gap
      where embedding_gap.model = ${target}
        and embedding_gap.refused
    )
    where embedding_use.target = ${target}`
}

/** Something worked again. */
export async function noteProgress(tx: Tx, owner: string): Promise<void> {
  await tx`
    update search.embedding_use
    set failures = 0,
      problem = null
    where embedding_use.claimed_by = ${owner}
      and (embedding_use.failures > 0 or embedding_use.problem is not null)`
}

/** Stands still until a time, and says why. */
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

/** This process cannot ask the target. */
export async function declineWork(tx: Tx, target: ModelId): Promise<void> {
  await tx`
    update search.embedding_use
    set declined_at = now()
    where embedding_use.target = ${target}`
}

/**
 * Makes the target the active model, when every memory has its vector or never gets one. No write is under way that does not
 * know of the target, and none begins before this commits.
 *
 * @param graceMs how long searches that began before may still use the former vectors
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
    -- across workspaces: the switch to another model is one for all
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
    -- across workspaces: the switch to another model is one for all
    delete from search.embedding_gap`
  return row.refused
}

/** Every memory has a vector of the target, or is noted as one that never gets it. */
function nothingOwed(tx: Tx, target: ModelId) {
  return tx`
    -- across workspaces: the switch to another model is one for all
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

/** The next memories with vectors of other models than the active one, in the order of their keys. */
export async function nextToClean(
  tx: Tx,
  active: ModelId,
  limit: number,
): Promise<{ workspaceId: string; memoryId: string }[]> {
  const after = await cursor(tx)
  const rows = await tx<{ workspace_id: string; memory_id: string }[]>`
    -- across workspaces: vectors of former models are removed for all
    select distinct embedding.workspace_id, embedding.memory_id
    from search.embedding
    where embedding.model <> ${active}
      ${after ? tx`and (embedding.workspace_id, embedding.memory_id) > (${after.workspace}, ${after.memory})` : tx``}
    order by embedding.workspace_id, embedding.memory_id
    limit ${limit}`
  return rows.map(row => ({ workspaceId: row.workspace_id, memoryId: row.memory_id }))
}

/** Notes how far old vectors are gone, and with `last` that all are. */
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
