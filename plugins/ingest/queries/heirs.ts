import { plainArray, type Tx } from 'mneme/plugin'
import type { MemoryRecord } from '../../memories/contract.ts'
import type { Job } from '../job.ts'
import { textHash } from './chunks.ts'

/** A memory that leaves its document with a chunk of a job. */
export interface LeavingMemory {
  readonly memoryId: string
  readonly jobId: string
}

/** A memory that left its document, and the place of its text in the document that has it from now on. */
export interface HandedMemory {
  readonly memoryId: string
  readonly jobId: string
  readonly place: number
  readonly metadata: Readonly<Record<string, unknown>>
}

/**
 * Lets those who take memories of a workspace's documents away wait for each other and for those who store chunks: a text that is skipped
 * meanwhile, because a memory has it, would be lost with that memory. Call it first in a transaction.
 */
export async function holdMemories(tx: Tx, workspaceId: string, purpose: 'storing' | 'removing'): Promise<void> {
  const key = tx`hashtextextended(${JSON.stringify(['ingest memories', workspaceId])}, 0)`
  if (purpose === 'storing') await tx`select pg_advisory_xact_lock_shared(${key})`
  else await tx`select pg_advisory_xact_lock(${key})`
}

/**
 * Gives memories that leave a document to other documents of its user that have their texts too, and skipped them: each to the oldest. A memory
 * that somebody edited has a text of none. Older versions hold no skipped chunks, but for those of the document itself that its new version is
 * taking the place of.
 * @returns those that were given
 */
export async function handOver(
  tx: Tx,
  workspaceId: string,
  { id, documentId, createdAt, userId }: Pick<Job, 'id' | 'documentId' | 'createdAt' | 'userId'>,
  memories: readonly Pick<MemoryRecord, 'id' | 'text'>[],
): Promise<HandedMemory[]> {
  if (memories.length === 0) return []
  const handed = await tx<HandedMemory[]>`
    with heir as (
      select distinct on (chunk.memory_id) chunk.job_id, chunk.place
      from unnest(
        ${plainArray(memories.map(memory => memory.id))}::uuid[],
        ${plainArray(memories.map(memory => textHash(memory.text)))}::text[]
      ) as leaving (memory_id, text_hash)
      join ingest.chunk on chunk.memory_id = leaving.memory_id and chunk.text_hash = decode(leaving.text_hash, 'hex')
      join ingest.job on job.workspace_id = chunk.workspace_id and job.id = chunk.job_id
      where chunk.workspace_id = ${workspaceId}
        and job.workspace_id = ${workspaceId}
        and chunk.state = 'skipped'
        and job.user_id = ${userId}
        and not (
          job.document_id = ${documentId} and (job.created_at, job.id) <= (${createdAt}::timestamptz, ${id}::uuid)
        )
      order by chunk.memory_id, job.created_at, job.id, chunk.place
    )
    update ingest.chunk
    set state = 'created'
    from heir
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = heir.job_id
      and chunk.place = heir.place
    returning chunk.memory_id as "memoryId", chunk.job_id as "jobId", chunk.place, chunk.place_in_document as metadata`
  await tx`
    delete from ingest.chunk
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = ${id}
      and chunk.memory_id = any(${plainArray(handed.map(({ memoryId }) => memoryId))}::uuid[])
      and chunk.state in ('created', 'kept')`
  return handed
}
