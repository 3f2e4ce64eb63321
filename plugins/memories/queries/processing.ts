import { plainArray, type Quarantine, type Tx, textArray } from 'mneme/plugin'
import type { MemoryRecord } from '../contract.ts'
import type { ProcessingJob } from '../scope.ts'
import type { SweptMemory } from './expiry.ts'
import { recordColumns } from './rows.ts'

type Fragment = ReturnType<Tx['unsafe']>
type Version = Pick<ProcessingJob, 'memory_id' | 'revision'>

/**
 * Locks the memories of jobs that are about their current revision, as rows with `id`, `layer` and `expires_at`. Rows are locked in
 * ascending order of id, as in every statement here that locks many, which rules out a deadlock. The lateral join forces look-ups by id:
 * while memories come in by the thousand the planner underestimates a workspace, and would scan all of it for each few jobs.
 */
function lockedVersions(tx: Tx, workspaceId: string, jobs: readonly Version[], condition: Fragment) {
  return tx`
    select found.*
    from (
      select job.memory_id, job.revision
      from unnest(
        ${plainArray(jobs.map(job => job.memory_id))}::uuid[],
        ${plainArray(jobs.map(job => job.revision))}::integer[]
      ) as job (memory_id, revision)
      order by job.memory_id
    ) as job
    cross join lateral (
      select memory.id, memory.layer, memory.expires_at
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = job.memory_id
        and memory.revision = job.revision
        and memory.live
        and ${condition}
      for update of memory
    ) as found`
}

/** Claims the memories whose revision is current and that are PENDING, or PROCESSING since a worker was lost. */
export async function claimForProcessing(
  tx: Tx,
  workspaceId: string,
  jobs: readonly Version[],
  now: Date,
): Promise<MemoryRecord[]> {
  const condition = tx`
        memory.status in ('PENDING', 'PROCESSING')
        and (memory.expires_at is null or memory.expires_at > now())`
  return tx<MemoryRecord[]>`
    with due as (${lockedVersions(tx, workspaceId, jobs, condition)}),
    changed as (
      update memories.memory
      set status = 'PROCESSING', progress_at = ${now}
      where memory.workspace_id = ${workspaceId}
        and memory.id = any (array(select due.id from due))
      returning memory.*
    )
    select ${recordColumns(tx)} from changed as memory`
}

/** Notes that memories still being processed have just progressed. */
export async function noteProgress(tx: Tx, workspaceId: string, jobs: readonly Version[], now: Date): Promise<void> {
  await tx`
    with due as (${lockedVersions(tx, workspaceId, jobs, tx`memory.status = 'PROCESSING'`)})
    update memories.memory
    set progress_at = ${now}
    where memory.workspace_id = ${workspaceId}
      and memory.id = any (array(select due.id from due))`
}

/** The fields that tell how long a memory lives; a promotion changes them without a new revision. */
export type Life = Pick<MemoryRecord, 'layer' | 'expiresAt'>

/** Locks the memories that have the revision with which they were claimed; others have been changed or deleted. */
export async function lockCurrent(tx: Tx, workspaceId: string, jobs: readonly Version[]): Promise<Map<string, Life>> {
  const rows = await tx<{ id: string; layer: MemoryRecord['layer']; expires_at: Date | null }[]>`
    ${lockedVersions(tx, workspaceId, jobs, tx`memory.status = 'PROCESSING'`)}`
  return new Map(rows.map(row => [row.id, { layer: row.layer, expiresAt: row.expires_at }]))
}

/** @param analyses by id, with keys of near-duplicates in hexadecimal; absent for texts that cannot be compared */
export async function markCompleted(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  analyses: ReadonlyMap<string, { readonly likeness: string }>,
): Promise<void> {
  await tx`
    update memories.memory
    set status = 'COMPLETED', error = null, likeness = decode(nullif(done.likeness, ''), 'hex')
    from unnest(
      ${plainArray(ids)}::uuid[],
      ${textArray(ids.map(id => analyses.get(id)?.likeness ?? ''))}::text[]
    ) as done (id, likeness)
    where memory.workspace_id = ${workspaceId}
      and memory.id = any (${plainArray(ids)}::uuid[])
      and memory.id = done.id`
}

/** @returns the memory's user, or undefined when the memory was changed or deleted since */
export async function markFailed(
  tx: Tx,
  workspaceId: string,
  { memory_id, revision }: Version,
  reason: string,
): Promise<string | undefined> {
  const [row] = await tx<{ user_id: string }[]>`
    update memories.memory
    set status = 'FAILED', error = ${reason}
    where memory.workspace_id = ${workspaceId}
      and memory.id = ${memory_id}
      and memory.revision = ${revision}
      and memory.status in ('PENDING', 'PROCESSING')
    returning memory.user_id`
  return row?.user_id
}

/**
 * Finds up to `limit` memories of any workspace that have not progressed for `quietSeconds`, the longest waiting first, but those that the
 * sweep holds back. It needs a transaction of the system.
 */
export async function findStuck(
  tx: Tx,
  quarantine: Quarantine,
  sweep: string,
  quietSeconds: number,
  limit: number,
): Promise<SweptMemory[]> {
  const { past, yetToCome } = quiet(tx, quietSeconds)
  const admitted = quarantine.admits(tx, sweep, 'memory.workspace_id', 'memory.id')
  return tx<SweptMemory[]>`
    -- across workspaces: finds memories that do not progress
    select stuck.workspace_id as "workspaceId", stuck.id
    from (
      (
        select memory.workspace_id, memory.id, memory.progress_at
        from memories.memory
        where memory.status in ('PENDING', 'PROCESSING')
          and ${past}
          and memory.live
          and ${admitted}
        order by memory.progress_at, memory.id
        limit ${limit}
      )
      union all
      (
        select memory.workspace_id, memory.id, memory.progress_at
        from memories.memory
        where memory.status in ('PENDING', 'PROCESSING')
          and ${yetToCome}
          and memory.live
          and ${admitted}
        order by memory.progress_at, memory.id
        limit ${limit}
      )
    ) as stuck
    order by stuck.progress_at, stuck.id
    limit ${limit}`
}

/** Selects memories by their last progress: long ago, or yet to come by a clock that was ahead of the database's. */
function quiet(tx: Tx, seconds: number): Readonly<Record<'past' | 'yetToCome', Fragment>> {
  return {
    past: tx`memory.progress_at < now() - make_interval(secs => ${seconds})`,
    yetToCome: tx`memory.progress_at > now() + make_interval(secs => ${seconds})`,
  }
}

/** Claims those of a workspace's memories that still do not progress, the longest waiting first, and resets their clock. */
export async function claimStuck(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  quietSeconds: number,
): Promise<StuckMemory[]> {
  const { past, yetToCome } = quiet(tx, quietSeconds)
  const rows = await tx<StuckMemory[]>`
    with stuck as (
      select memory.id, least(memory.progress_at, now()) as progress_at
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = any(${plainArray(ids)}::uuid[])
        and memory.status in ('PENDING', 'PROCESSING')
        and (${past} or ${yetToCome})
        and memory.live
      order by memory.id
      for update skip locked
    )
    update memories.memory
    set progress_at = now()
    from stuck
    where memory.workspace_id = ${workspaceId}
      and memory.id = stuck.id
    returning
      memory.workspace_id as "workspaceId", memory.id, memory.revision, stuck.progress_at as "waitingSince",
      char_length(memory.text) as characters`
  return [...rows].toSorted((a, b) => a.waitingSince.getTime() - b.waitingSince.getTime() || (a.id < b.id ? -1 : 1))
}

/** A memory whose processing has not progressed for long. */
export interface StuckMemory extends SweptMemory {
  readonly revision: number
  readonly waitingSince: Date
  /** The length of its text. */
  readonly characters: number
}
