import { inParts, type Tenant, type Tx } from 'mneme/plugin'
import { memoryReader, memoryWriter } from '../../memories/contract.ts'
import type { Job } from '../job.ts'
import { type HandedMemory, handOver, type LeavingMemory } from '../queries/heirs.ts'
import { findJob } from '../queries/jobs.ts'
import type { IngestScope } from '../scope.ts'
import { AMENDED_TOGETHER, amendmentOf } from './amend.ts'

/** Memories that left a document: some are gone for good, others are other documents' now. */
export interface LeftMemories {
  readonly removed: readonly string[]
  readonly handed: readonly HandedMemory[]
}

/** Deletes memories that leave a document, but for those whose text another document of its user has too: that one has them from now on. */
export async function removeLeaving(
  tx: Tx,
  { wiring }: IngestScope,
  tenant: Tenant,
  job: Job,
  memoryIds: readonly string[],
): Promise<LeftMemories> {
  const memories = await wiring.use(memoryReader).records(tx, memoryIds)
  const handed = await handOver(tx, tenant.workspaceId, job, memories)
  const others = new Set(handed.map(({ memoryId }) => memoryId))
  const going = memoryIds.filter(id => !others.has(id))
  return { removed: await wiring.use(memoryWriter).remove(tx, tenant, going), handed }
}

/**
 * Gives memories the session, the categories and the place that they have in the document that has them now. Where this is broken off, they
 * stay as they were.
 */
export async function amendHanded(
  scope: IngestScope,
  tenant: Tenant,
  leaving: readonly LeavingMemory[],
  handed: readonly HandedMemory[],
): Promise<void> {
  const formerOf = new Map(leaving.map(({ memoryId, jobId }) => [memoryId, jobId]))
  for (const part of inParts(handed, AMENDED_TOGETHER)) {
    const batch = new Map(part.map(memory => [memory.memoryId, memory]))
    const { memories, jobs } = await tenant.transaction(async tx => {
      const former = [...batch.keys()].flatMap(id => formerOf.get(id) ?? [])
      const ids = [...new Set([...former, ...[...batch.values()].map(({ jobId }) => jobId)])]
      const found = await Promise.all(ids.map(id => findJob(tx, tenant.workspaceId, id)))
      return {
        memories: await scope.wiring.use(memoryReader).records(tx, [...batch.keys()]),
        jobs: new Map(found.flatMap(job => (job ? [[job.id, job] as const] : []))),
      }
    })
    const amendments = memories.flatMap(memory => {
      const own = batch.get(memory.id)
      const job = own && jobs.get(own.jobId)
      if (!job) return []
      const formerCategories = jobs.get(formerOf.get(memory.id) ?? '')?.categories ?? null
      return amendmentOf(job, memory, { ...own, formerCategories }) ?? []
    })
    await scope.wiring.use(memoryWriter).amend(tenant, amendments)
  }
}
