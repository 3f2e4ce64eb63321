import { type Tenant, type Tx, unicodeForm } from 'mneme/plugin'
import { memoryArchive, memoryReader } from '../../memories/contract.ts'
import type { Job } from '../job.ts'
import { documentsOf, insertArchivedChunks, insertArchivedJob, isReplaced } from '../queries/archive.ts'
import { holdMemories } from '../queries/heirs.ts'
import { findJob } from '../queries/jobs.ts'
import type { IngestScope } from '../scope.ts'
import type { ArchivedChunk, ChunksRecord, JobRecord } from './records.ts'

/**
 * Restores a job that is not there, and chunks of one where it lacks them and their memories are here. A job that is there keeps all it has.
 * Ids of other services may have capital letters.
 * @returns whether anything of the record was not there
 */
export function restoreDocument(
  { wiring }: Pick<IngestScope, 'wiring'>,
  tenant: Tenant,
  record: JobRecord | ChunksRecord,
): Promise<boolean> {
  const { workspaceId } = tenant
  const id = record.id.toLowerCase()
  return tenant.transaction(async tx => {
    await holdMemories(tx, workspaceId, 'storing')
    const isNew = 'document_id' in record && (await insertArchivedJob(tx, workspaceId, composed(record)))
    const job = await findJob(tx, workspaceId, id, 'locked')
    if (job?.stage !== 'over' || job.userId !== record.user_id) return isNew
    const chunks = await restorableChunks(tx, wiring, workspaceId, job, record.chunks)
    return (await insertArchivedChunks(tx, workspaceId, id, chunks)) > 0 || isNew
  })
}

/** A replacement looks for names in this form. */
function composed(record: JobRecord): JobRecord {
  const { document_name: name } = record
  return { ...record, document_name: name === null ? null : unicodeForm(name, 'NFC') }
}

/**
 * A memory belongs to one document: what another one has already, or a memory under another id, is a text that the job skipped. A job
 * that a newer version has replaced skips none, and none of its document's own.
 */
async function restorableChunks(
  tx: Tx,
  wiring: IngestScope['wiring'],
  workspaceId: string,
  job: Job,
  given: JobRecord['chunks'],
): Promise<ArchivedChunk[]> {
  const named = given.map(chunk => ({ ...chunk, memory_id: chunk.memory_id.toLowerCase() }))
  const ids = named.map(chunk => chunk.memory_id)
  const records = await wiring.use(memoryReader).records(tx, ids, 'locked')
  const owners = new Map(records.map(({ id, userId }) => [id, userId]))
  const missing = named.filter(chunk => !owners.has(chunk.memory_id)).map(({ hash }) => hash)
  const holders = await wiring.use(memoryArchive).holders(tx, workspaceId, job.userId, missing)
  const documents = await documentsOf(tx, workspaceId, [...owners.keys(), ...holders.values()])
  const isOver = await isReplaced(tx, workspaceId, job)
  return named.flatMap(({ place, hash, metadata, memory_id, outcome }) => {
    const memoryId = owners.has(memory_id) ? memory_id : holders.get(hash)
    const documentId = memoryId === undefined ? undefined : documents.get(memoryId)
    if (memoryId === undefined || documentId === job.documentId) return []
    const isOwn = owners.get(memoryId) === job.userId && documentId === undefined
    const state = isOwn ? outcome : 'skipped'
    return state === 'skipped' && isOver ? [] : { place, hash, metadata, memoryId, state }
  })
}
