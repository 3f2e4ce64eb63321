import { type Tenant, violatedConstraint } from 'mneme/plugin'
import { announceRestored } from '../announce.ts'
import type { MemoryRecord, PreparedWrites } from '../contract.ts'
import { duplicateOf, releaseContent } from '../create.ts'
import { memoryFailure } from '../errors.ts'
import { prepareWrites } from '../preparation.ts'
import { findDetails } from '../queries/read.ts'
import { memoryQuota } from '../quota.ts'
import type { MemoryServices } from '../scope.ts'
import { lockForChange } from '../state.ts'
import { bringBack, lockChain } from './store.ts'
import { withdrawMarks } from './withdraw.ts'

/**
 * Brings an absorbed memory back as it was, and takes back what its survivor gained from it. It is processed again and stays
 * apart from then on, as long as its text stays.
 */
export async function restoreMemory(services: MemoryServices, tenant: Tenant, id: string): Promise<MemoryRecord> {
  const memory = await findAbsorbed(tenant, id)
  const writes = await prepareWrites(services, tenant, [memory])
  const restored = await tryToRestore(services, tenant, id, writes)
  if (restored) return restored
  // The text is taken. A holder that has expired but was not swept yet gives way.
  const holder = await tenant.transaction(tx => releaseContent(tx, services, tenant.workspaceId, memory.text))
  if (holder) throw duplicateOf(holder.id)
  const restoredNow = await tryToRestore(services, tenant, id, writes)
  if (!restoredNow) throw memoryFailure('DUPLICATE_MEMORY')
  return restoredNow
}

/** What it says never changes while it is absorbed, so it can be read ahead of the transaction that restores it. */
async function findAbsorbed({ workspaceId, transaction }: Tenant, id: string): Promise<MemoryRecord> {
  const details = await transaction(tx => findDetails(tx, workspaceId, id))
  if (!details) throw memoryFailure('MEMORY_NOT_FOUND')
  if (details.expired) throw memoryFailure('MEMORY_EXPIRED')
  if (details.record.consolidatedInto === null) throw memoryFailure('MEMORY_NOT_CONSOLIDATED')
  return details.record
}

/** Undefined when another memory has the text. */
async function tryToRestore(
  services: MemoryServices,
  tenant: Tenant,
  id: string,
  writes: PreparedWrites,
): Promise<MemoryRecord | undefined> {
  const { workspaceId } = tenant
  try {
    return await tenant.transaction(async tx => {
      await services.quotas.take(tx, tenant.workspace, memoryQuota.name)
      const chain = await lockChain(tx, workspaceId, id)
      const { consolidatedInto } = await lockForChange(tx, workspaceId, id)
      if (consolidatedInto === null) throw memoryFailure('MEMORY_NOT_CONSOLIDATED')
      const restored = await bringBack(tx, workspaceId, id, new Date())
      await announceRestored(tx, services, restored, writes)
      await withdrawMarks(tx, services, tenant, chain)
      return restored
    })
  } catch (error) {
    if (violatedConstraint(error) === 'memory_content_unique') return undefined
    throw error
  }
}
