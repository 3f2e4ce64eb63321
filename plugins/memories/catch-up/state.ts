import { type Tx, textArray } from 'mneme/plugin'
import type { MemoryKey, MemoryVersion, Status } from '../contract.ts'

/** The phase and cursor of the backfill of one part. */
export interface Pass {
  readonly phase: 'missing' | 'surplus'
  readonly after: MemoryKey | undefined
}

/** Every process records the parts it lacks at this interval, so its last record may be older than the last memory it wrote by as much. */
export const RECORD_EVERY_MS = 60_000
const MARGIN_SECONDS = (2 * RECORD_EVERY_MS) / 1000
/** After a pass the next one waits for this many times its duration while some process still runs without the part. */
const REST = 20
/** Memories that a part failed on are held back for so long, so another pass would not work on them sooner. */
const FAILED_REST = '1 hour'

/** Records which parts this process has and which it runs without. A part that is registered before any memory exists is complete. */
export async function recordPresence(tx: Tx, parts: readonly string[]): Promise<void> {
  const present = textArray(parts)
  const any = await tx`
    -- across workspaces: asks whether there is any memory at all
    select memory.id from memories.memory limit 1`
  await tx`
    insert into memories.part (id, complete_as_of)
    select part.id, case when ${any.length === 0} then now() end
    from unnest(${present}::text[]) as part (id)
    on conflict do nothing`
  await tx`
    update memories.part
    set absent_from = coalesce(part.absent_from, now()), absent_at = now()
    where part.id <> all(${present}::text[])`
}

/** Finds the parts that need a pass over the memories. */
export async function dueParts(tx: Tx, parts: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select part.id
    from memories.part
    where part.id = any(${textArray(parts)}::text[])
      and ${isDue(tx)}
    order by part.id`
  return rows.map(({ id }) => id)
}

/**
 * A pass covers memories written before it began. A process without the part may still have been writing at that time, so another pass
 * follows once that can no longer be the case.
 */
function isDue(tx: Tx) {
  return tx`(
    part.began_at is not null
    or (
      coalesce(part.rest_until <= now(), true)
      and (
        part.complete_as_of is null
        or (
          part.complete_as_of < part.absent_at + make_interval(secs => ${MARGIN_SECONDS})
          and (part.complete_as_of < part.absent_at or now() >= part.absent_at + make_interval(secs => ${MARGIN_SECONDS}))
        )
      )
    )
  )`
}

/** Starts a due pass or resumes the current one; undefined when there is nothing to do. */
export async function claimPass(tx: Tx, part: string): Promise<Pass | undefined> {
  const [row] = await tx<{ phase: Pass['phase']; workspace: string | null; memory: string | null }[]>`
    update memories.part
    set
      began_at = coalesce(part.began_at, now()),
      seen = case when part.began_at is null then 0 else part.seen end,
      made = case when part.began_at is null then 0 else part.made end,
      dropped = case when part.began_at is null then 0 else part.dropped end,
      failed = case when part.began_at is null then 0 else part.failed end
    where part.id = ${part}
      and ${isDue(tx)}
    returning part.phase, part.cursor_workspace as workspace, part.cursor_memory as memory`
  if (!row) return undefined
  const { phase, workspace, memory } = row
  return { phase, after: workspace && memory ? { workspaceId: workspace, memoryId: memory } : undefined }
}

/** The counts of one page, for progress and metrics. */
export interface PageOutcome {
  readonly seen: number
  readonly made: number
  readonly dropped: number
  readonly failed: number
}

/** Stores the progress of a pass. @returns false when another process has already advanced it and now owns the pass */
export async function advancePass(
  tx: Tx,
  part: string,
  from: Pass,
  to: MemoryKey | undefined,
  { seen, made, dropped, failed }: PageOutcome,
): Promise<boolean> {
  const ends = to === undefined
  const { count } = await tx`
    update memories.part
    set
      seen = part.seen + ${seen}, made = part.made + ${made}, dropped = part.dropped + ${dropped},
      failed = part.failed + ${failed},
      cursor_workspace = ${to?.workspaceId ?? null}::uuid,
      cursor_memory = ${to?.memoryId ?? null}::uuid,
      phase = case when ${ends && from.phase === 'missing'} then 'surplus' when ${ends} then 'missing' else part.phase end
    where part.id = ${part}
      and part.began_at is not null
      and part.phase = ${from.phase}
      and part.cursor_workspace is not distinct from ${from.after?.workspaceId ?? null}::uuid
      and part.cursor_memory is not distinct from ${from.after?.memoryId ?? null}::uuid`
  if (count > 0 && ends && from.phase === 'surplus') await endPass(tx, part)
  return count > 0
}

/** Ends a pass. One that failed on memories, or left them out, is not complete, and another one follows. */
async function endPass(tx: Tx, part: string): Promise<void> {
  await tx`
    update memories.part
    set
      complete_as_of = case when part.failed = 0 then part.began_at else part.complete_as_of end,
      rest_until = clock_timestamp() + greatest(
        ${REST} * (clock_timestamp() - part.began_at),
        case when part.failed > 0 then ${FAILED_REST}::interval end
      ),
      absent_from = case
        when part.failed > 0 or part.absent_at + make_interval(secs => ${MARGIN_SECONDS}) > part.began_at then part.absent_from
      end,
      began_at = null
    where part.id = ${part}`
}

export interface PageItem extends MemoryKey {
  /** The version is undefined for a memory that is not visible. */
  readonly version: MemoryVersion | undefined
}

/** Reads the next memories of any workspace; a memory written while a process ran without the part is marked suspect. */
export async function nextMemories(
  tx: Tx,
  part: string,
  after: MemoryKey | undefined,
  limit: number,
): Promise<PageItem[]> {
  const rows = await tx<
    { workspace_id: string; id: string; revision: number; status: Status; visible: boolean; suspect: boolean }[]
  >`
    -- across workspaces: the backfill covers the memories of every workspace
    select
      memory.workspace_id, memory.id, memory.revision, memory.status,
      memory.live and coalesce(memory.expires_at > now(), true) as visible,
      coalesce(memory.updated_at >= absence.since, false) as suspect
    from memories.memory
    cross join (
      select min(part.absent_from) - make_interval(secs => ${MARGIN_SECONDS}) as since
      from memories.part
      where part.id = ${part}
    ) as absence
    ${after ? tx`where (memory.workspace_id, memory.id) > (${after.workspaceId}, ${after.memoryId})` : tx``}
    order by memory.workspace_id, memory.id
    limit ${limit}`
  return rows.map(({ workspace_id: workspaceId, id, visible, ...version }) => ({
    workspaceId,
    memoryId: id,
    version: visible ? { id, ...version } : undefined,
  }))
}
