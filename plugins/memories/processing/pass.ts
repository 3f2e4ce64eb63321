import type { Tenant, Tx } from 'mneme/plugin'
import { type Analysis, analysesOf, consolidate, lockForCompletion } from '../consolidation/consolidate.ts'
import { type MemoryRecord, memoryProcessing, type ProcessingStep } from '../contract.ts'
import { claimForProcessing, markCompleted } from '../queries/processing.ts'
import type { MemoryServices, ProcessingJob } from '../scope.ts'
import { amountOf } from './pass-size.ts'

/** A step with its prepared results. */
interface Prepared {
  readonly step: ProcessingStep
  readonly results: ReadonlyMap<string, unknown>
}

/**
 * Takes the memories of a few jobs from PENDING to COMPLETED. One transaction claims them, every step prepares outside any transaction, and
 * a final transaction writes all results and merges near-duplicates. A memory that changes meanwhile is left to the job of its newer
 * revision.
 */
export async function processMemories(
  services: Pick<MemoryServices, 'tenants' | 'events' | 'wiring' | 'jobs' | 'completing'>,
  workspaceId: string,
  jobs: readonly ProcessingJob[],
): Promise<void> {
  // The memories of a deleted workspace are deleted too.
  if (!(await services.tenants.find(workspaceId))) return
  const tenant = await services.tenants.tenant(workspaceId)
  const memories = await tenant.transaction(tx => claimForProcessing(tx, workspaceId, jobs, new Date()))
  if (memories.length === 0) return
  const prepared = await prepareAll(services, tenant, memories)
  const analyses = analysesOf(memories)
  await tenant.transaction(tx =>
    services.completing.timed(
      () => complete(tx, services, tenant, memories, analyses, prepared),
      () => memories.reduce((sum, { text }) => sum + amountOf({ characters: text.length }), 0),
    ),
  )
}

async function prepareAll(
  { wiring }: Pick<MemoryServices, 'wiring'>,
  tenant: Tenant,
  memories: readonly MemoryRecord[],
): Promise<Prepared[]> {
  const steps = [...wiring.extensions(memoryProcessing)].sort((a, b) => a.order - b.order)
  const prepared: Prepared[] = []
  for (const step of steps) prepared.push({ step, results: await step.prepare(tenant, memories) })
  return prepared
}

async function complete(
  tx: Tx,
  services: Pick<MemoryServices, 'events' | 'wiring' | 'jobs'>,
  tenant: Tenant,
  memories: readonly MemoryRecord[],
  analyses: ReadonlyMap<string, Analysis>,
  prepared: readonly Prepared[],
): Promise<void> {
  const { workspaceId } = tenant
  const completing = await lockForCompletion(tx, tenant, memories, analyses)
  const ready = memories.filter(memory => completing.current.has(memory.id))
  if (ready.length === 0) return
  // Steps write one after the other, because a later step may read the rows of an earlier one.
  for (const { step, results } of prepared) await step.write(tx, ready, results)
  const { absorbed, queued } = await consolidate(tx, services, tenant, completing)
  const done = ready.filter(memory => !absorbed.has(memory.id) && !queued.has(memory.id))
  if (done.length > 0) {
    await Promise.all([
      markCompleted(
        tx,
        workspaceId,
        done.map(memory => memory.id),
        analyses,
      ),
      publishProcessed(tx, services, done),
    ])
  }
  for (const { step, results } of prepared) await step.finish?.(tx, ready, results)
}

function publishProcessed(
  tx: Tx,
  { events }: Pick<MemoryServices, 'events'>,
  memories: readonly MemoryRecord[],
): Promise<void> {
  return events.publish(
    tx,
    memories.map(({ id, workspaceId, userId, revision }) => ({
      kind: 'memory.processed',
      workspaceId,
      subjectId: id,
      userId,
      data: { id, user_id: userId, revision },
    })),
  )
}
