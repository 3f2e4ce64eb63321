import { plainArray, type Tx } from 'mneme/plugin'
import type { Job } from '../job.ts'
import type { LeavingMemory } from './heirs.ts'

/** A hold that ends later than twice this was written while the clock was ahead. */
const HELD_SECONDS = 60

type Version = Pick<Job, 'id' | 'documentId' | 'createdAt'>

/** Tells whether an older job of the same document is still under way, or its memories are being deleted. */
export async function hasEarlierJob(tx: Tx, workspaceId: string, version: Version): Promise<boolean> {
  const rows = await tx`
    select job.id
    from ingest.job
    where job.workspace_id = ${workspaceId}
      and ${isOlder(tx, version)}
      and (job.stage <> 'over' or job.held_until between now() and now() + 2 * ${HELD_SECONDS}::int * interval '1 second')
    limit 1`
  return rows.length > 0
}

/**
 * Selects the jobs of older versions; what has come since is nothing to a version. The database's clock says which is older: ids are made by
 * the clocks of several servers.
 */
function isOlder(tx: Tx, { id, documentId, createdAt }: Version) {
  return tx`
      job.document_id = ${documentId}
      and (job.created_at, job.id) < (${createdAt}::timestamptz, ${id}::uuid)`
}

/** Holds the older versions, so that none of them is deleted while their memories are kept. */
export async function lockOlder(tx: Tx, workspaceId: string, version: Version): Promise<void> {
  await tx`
    select job.id
    from ingest.job
    where job.workspace_id = ${workspaceId}
      and ${isOlder(tx, version)}
    order by job.id
    for update`
}

/** Tells whether a newer version has begun to take the memories of a job over. One that waits for the job has not. */
export async function isBeingReplaced(
  tx: Tx,
  workspaceId: string,
  { id, documentId, createdAt }: Version,
): Promise<boolean> {
  const rows = await tx`
    select job.id
    from ingest.job
    where job.workspace_id = ${workspaceId}
      and job.document_id = ${documentId}
      and (job.created_at, job.id) > (${createdAt}::timestamptz, ${id}::uuid)
      and (
        job.stage = 'exchange'
        or (
          job.stage = 'swap'
          and exists (
            select
            from ingest.chunk
            where chunk.workspace_id = ${workspaceId}
              and chunk.job_id = job.id
              and chunk.state = 'kept'
          )
        )
      )
    limit 1`
  return rows.length > 0
}

/** Lets newer versions wait while the memories of a job are being deleted; not for long, should its process end before it is through. */
export async function holdBack(tx: Tx, workspaceId: string, jobId: string): Promise<void> {
  await tx`
    update ingest.job
    set held_until = now() + ${HELD_SECONDS}::int * interval '1 second'
    where job.workspace_id = ${workspaceId}
      and job.id = ${jobId}`
}

/** The memories of the document's older versions. */
export async function olderMemoryIds(tx: Tx, workspaceId: string, version: Version): Promise<string[]> {
  const rows = await tx<{ memory_id: string }[]>`
    select chunk.memory_id
    from ingest.chunk
    join ingest.job on job.workspace_id = chunk.workspace_id and job.id = chunk.job_id
    where chunk.workspace_id = ${workspaceId}
      and job.workspace_id = ${workspaceId}
      and ${isOlder(tx, version)}
      and chunk.state in ('created', 'kept')
      and chunk.memory_id is not null`
  return rows.map(row => row.memory_id)
}

/** Gives chunks whose text an older version has too, the memory that holds it; each memory once, in the order of both. */
export async function keepMatching(
  tx: Tx,
  workspaceId: string,
  version: Version,
  memoryIds: readonly string[],
): Promise<void> {
  // An attempt before this one may have kept memories that are gone by now.
  await tx`
    update ingest.chunk
    set state = 'waiting', memory_id = null, kept_from = null
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = ${version.id}
      and chunk.state = 'kept'`
  if (memoryIds.length === 0) return
  await tx`
    with own as (
      select chunk.place, chunk.text_hash,
        row_number() over (partition by chunk.text_hash order by chunk.place) as turn
      from ingest.chunk
      where chunk.workspace_id = ${workspaceId}
        and chunk.job_id = ${version.id}
        and chunk.state = 'waiting'
    ),
    older as (
      select chunk.memory_id, chunk.text_hash, chunk.job_id,
        row_number() over (partition by chunk.text_hash order by job.created_at desc, job.id desc, chunk.place) as turn
      from ingest.chunk
      join ingest.job on job.workspace_id = chunk.workspace_id and job.id = chunk.job_id
      where chunk.workspace_id = ${workspaceId}
        and job.workspace_id = ${workspaceId}
        and ${isOlder(tx, version)}
        and chunk.state in ('created', 'kept')
        and chunk.memory_id = any(${plainArray(memoryIds)}::uuid[])
    )
    update ingest.chunk
    set state = 'kept', memory_id = older.memory_id, kept_from = older.job_id
    from own
    join older on older.text_hash = own.text_hash and older.turn = own.turn
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = ${version.id}
      and chunk.place = own.place`
}

/** Counts the chunks that a new version has yet to exchange. */
export interface Difference {
  /** Its chunks without a memory. */
  readonly added: number
  /** The chunks of older versions that it has no more. */
  readonly gone: number
}

export async function countDifference(tx: Tx, workspaceId: string, version: Version): Promise<Difference> {
  const [row] = await tx<Difference[]>`
    select
      (
        select count(*)::int
        from ingest.chunk
        where chunk.workspace_id = ${workspaceId}
          and chunk.job_id = ${version.id}
          and chunk.state = 'waiting'
      ) as added,
      (
        select count(*)::int
        from (${goneChunks(tx, workspaceId, version)}) as chunk
      ) as gone`
  return row ?? { added: 0, gone: 0 }
}

/**
 * Takes the next chunks of older versions away that the new one has no more, in the order of the document.
 * @param limit all that are left where it is undefined
 * @returns their memories
 */
export async function dropGone(
  tx: Tx,
  workspaceId: string,
  version: Version,
  limit: number | undefined,
): Promise<LeavingMemory[]> {
  const rows = await tx<{ memory_id: string | null; job_id: string }[]>`
    with gone as (
      ${goneChunks(tx, workspaceId, version)}
      order by chunk.place, chunk.job_id
      ${limit === undefined ? tx`` : tx`limit ${limit}`}
    )
    delete from ingest.chunk
    using gone
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = gone.job_id
      and chunk.place = gone.place
    returning chunk.memory_id, chunk.job_id`
  return rows.flatMap(({ memory_id: memoryId, job_id: jobId }) => (memoryId === null ? [] : [{ memoryId, jobId }]))
}

/** Returns those of the memories that would go with chunks of older versions, each with the job that it is from. */
export async function findGoing(
  tx: Tx,
  workspaceId: string,
  version: Version,
  memoryIds: readonly string[],
): Promise<Map<string, string>> {
  if (memoryIds.length === 0) return new Map()
  const rows = await tx<{ memory_id: string; job_id: string }[]>`
    ${goneChunks(tx, workspaceId, version, tx`chunk.memory_id, chunk.job_id`)}
      and chunk.memory_id = any(${plainArray(memoryIds)}::uuid[])`
  return new Map(rows.map(row => [row.memory_id, row.job_id]))
}

/** Selects the chunks of older versions whose memory no chunk of the new one keeps. */
function goneChunks(tx: Tx, workspaceId: string, version: Version, columns = tx`chunk.job_id, chunk.place`) {
  return tx`
      select ${columns}
      from ingest.chunk
      join ingest.job on job.workspace_id = chunk.workspace_id and job.id = chunk.job_id
      where chunk.workspace_id = ${workspaceId}
        and job.workspace_id = ${workspaceId}
        and ${isOlder(tx, version)}
        and chunk.state in ('created', 'kept')
        and not exists (
          select
          from ingest.chunk as own
          where own.workspace_id = ${workspaceId}
            and own.job_id = ${version.id}
            and own.memory_id = chunk.memory_id
            and own.state = 'kept'
        )`
}

/** Makes the memories that the new version keeps its own: older versions let go of them, and of what they skipped. */
export async function takeOverKept(tx: Tx, workspaceId: string, version: Version): Promise<void> {
  await tx`
    delete from ingest.chunk
    using ingest.job
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = job.id
      and job.workspace_id = ${workspaceId}
      and ${isOlder(tx, version)}
      and chunk.state in ('created', 'kept', 'skipped')`
  await tx`
    update ingest.chunk
    set text = null
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = ${version.id}
      and chunk.state = 'kept'`
}

/** A chunk whose memory is an older version's and does not know its place in the new one yet. */
export interface KeptChunk {
  readonly place: number
  readonly memoryId: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** Those that the older version gave; null when its job is gone. */
  readonly formerCategories: readonly string[] | null
}

export async function findKept(tx: Tx, workspaceId: string, jobId: string, limit: number): Promise<KeptChunk[]> {
  return tx<KeptChunk[]>`
    select chunk.place, chunk.memory_id as "memoryId", chunk.place_in_document as metadata,
      to_json(former.categories) as "formerCategories"
    from ingest.chunk
    left join ingest.job as former on former.workspace_id = ${workspaceId} and former.id = chunk.kept_from
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = ${jobId}
      and chunk.kept_from is not null
    order by chunk.place
    limit ${limit}`
}

/** They are waited for from here on: those whose categories changed are processed again. */
export async function markAmended(
  tx: Tx,
  workspaceId: string,
  jobId: string,
  places: readonly number[],
): Promise<void> {
  await tx`
    update ingest.chunk
    set kept_from = null
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = ${jobId}
      and chunk.place = any(${plainArray(places)}::integer[])`
}
