import { type Tenant, violatedConstraint } from 'mneme/plugin'
import type { MemoryRecord, PreparedWrites } from '../contract.ts'
import { memoryFailure } from '../errors.ts'
import { isTextHeld } from '../queries/insert.ts'
import { findDetails } from '../queries/read.ts'
import type { MemoryServices } from '../scope.ts'
import { announceRestored } from '../storing/announce.ts'
import { duplicateOf, releaseContent } from '../storing/create.ts'
import { lockForChange } from '../storing/lock.ts'
import { prepareWrites } from '../storing/preparation.ts'
import { lockChain, reactivate } from './store.ts'
import { withdrawFields } from './withdraw.ts'

/**
 * Restores an absorbed memory and takes back what its survivor gained from it. The memory is processed again and is not absorbed again
 * while its text stays.
 */
export async function restoreMemory(services: MemoryServices, tenant: Tenant, id: string): Promise<MemoryRecord> {
  const memory = await findAbsorbed(tenant, id)
  const writes = await prepareWrites(services, tenant, [memory])
  const restored = await tryToRestore(services, tenant, memory, writes)
  if (restored) return restored
  // Another memory has the text. If that memory has expired and was not swept yet, it gives the text up.
  const holder = await tenant.transaction(tx => releaseContent(tx, services, tenant, memory))
  if (holder) throw duplicateOf(tenant, holder.id, holder.userId)
  const restoredNow = await tryToRestore(services, tenant, memory, writes)
  if (!restoredNow) throw memoryFailure('DUPLICATE_MEMORY')
  return restoredNow
}

/** The text of an absorbed memory never changes, so reading it before the restoring transaction is safe. */
async function findAbsorbed({ workspaceId, transaction }: Tenant, id: string): Promise<MemoryRecord> {
  const details = await transaction(tx => findDetails(tx, workspaceId, id))
  if (!details) throw memoryFailure('MEMORY_NOT_FOUND')
  if (details.expired) throw memoryFailure('MEMORY_EXPIRED')
  if (details.record.consolidatedInto === null) throw memoryFailure('MEMORY_NOT_CONSOLIDATED')
  return details.record
}

/** Returns undefined when another memory has the text. */
async function tryToRestore(
  services: MemoryServices,
  tenant: Tenant,
  { id, text }: MemoryRecord,
  writes: PreparedWrites,
): Promise<MemoryRecord | undefined> {
  const { workspaceId } = tenant
  try {
    return await tenant.transaction(async tx => {
      const chain = await lockChain(tx, workspaceId, id)
      const { consolidatedInto } = await lockForChange(tx, workspaceId, id)
      if (consolidatedInto === null) throw memoryFailure('MEMORY_NOT_CONSOLIDATED')
      if (await isTextHeld(tx, tenant, id, text)) return undefined
      const restored = await reactivate(tx, tenant, id, new Date())
      await announceRestored(tx, services, restored, writes)
      await withdrawFields(tx, services, tenant, chain)
      return restored
    })
  } catch (error) {
    if (violatedConstraint(error) === 'memory_content_unique') return undefined
    throw error
  }
}
