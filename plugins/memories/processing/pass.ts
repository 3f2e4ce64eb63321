import type { Tenant } from '../../../core/auth/caller.ts'
import type { Tx } from '../../../core/db/database.ts'
import { type MemoryRecord, memoryProcessing, type ProcessingStep } from '../contract.ts'
import { lockCurrent, markCompleted, takeUp } from '../queries/processing.ts'
import type { MemoryServices, ProcessingJob } from '../scope.ts'

/** A step with what it prepared. */
interface Prepared {
  readonly step: ProcessingStep
  readonly results: ReadonlyMap<string, unknown>
}

/**
 * Takes the memories of a few jobs from PENDING to COMPLETED: one transaction takes them up, every step prepares outside of
 * any, one transaction writes it all. A memory that changes or goes meanwhile is left to the job of its newer revision.
 */
export async function processMemories(
  services: Pick<MemoryServices, 'tenants' | 'events' | 'wiring'>,
  workspaceId: string,
  jobs: readonly ProcessingJob[],
): Promise<void> {
  // A workspace that was deleted took its memories with it.
  if (!(await services.tenants.find(workspaceId))) return
  const tenant = await services.tenants.tenant(workspaceId)
  const memories = await tenant.transaction(tx => takeUp(tx, workspaceId, jobs, new Date()))
  if (memories.length === 0) return
  const prepared = await prepareAll(services, tenant, memories)
  await tenant.transaction(tx => complete(tx, services, memories, prepared))
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
  { events }: Pick<MemoryServices, 'events'>,
  memories: readonly MemoryRecord[],
  prepared: readonly Prepared[],
): Promise<void> {
  const [first] = memories
  if (!first) return
  const { workspaceId } = first
  const current = await lockCurrent(
    tx,
    workspaceId,
    memories.map(({ id, revision }) => ({ memory_id: id, revision })),
  )
  const ready = memories.filter(memory => current.has(memory.id))
  if (ready.length === 0) return
  // One after the other: a later step may build on what an earlier one wrote.
  for (const { step, results } of prepared) await step.write(tx, ready, results)
  await Promise.all([
    markCompleted(
      tx,
      workspaceId,
      ready.map(memory => memory.id),
    ),
    events.publish(
      tx,
      ready.map(({ id, userId, revision }) => ({
        kind: 'memory.processed',
        workspaceId,
        subjectId: id,
        userId,
        data: { id, user_id: userId, revision },
      })),
    ),
  ])
}
