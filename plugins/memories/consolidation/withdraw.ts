import type { Tenant, Tx } from 'mneme/plugin'
import type { MemoryServices } from '../scope.ts'
import { announceUpdated } from '../storing/announce.ts'
import { prepareWrites } from '../storing/preparation.ts'
import { changedFields, fieldsWithout } from './merges.ts'
import { type ConsolidationRow, findAbsorbedFields, setInheritedFields } from './store.ts'

/**
 * Takes back what survivors gained from a memory that is no longer absorbed: categories that it alone brought, and its priority. Survivors
 * never take over text.
 *
 * @param chain the memory and the survivors it went into, locked, as they were before the memory was restored or deleted
 */
export async function withdrawFields(
  tx: Tx,
  services: Pick<MemoryServices, 'wiring' | 'events' | 'jobs'>,
  tenant: Tenant,
  chain: readonly ConsolidationRow[],
): Promise<void> {
  const [leaving, ...survivors] = chain
  if (!leaving) return
  const now = new Date()
  for (const { record, own } of survivors) {
    const others = await findAbsorbedFields(tx, tenant.workspaceId, record.id, leaving.record.id)
    const inherited = fieldsWithout(record, leaving.record, own, others)
    // The next survivor in the chain inherited from this one, so it does not change either.
    const fields = changedFields(record, inherited)
    if (fields.length === 0) return
    const left = others.length > 0 ? 'kept' : 'forgotten'
    const changed = await setInheritedFields(tx, tenant.workspaceId, record.id, inherited, left, now)
    if (record.consolidatedInto !== null) continue
    await announceUpdated(tx, services, changed, fields, await prepareWrites(services, tenant, [changed]))
  }
}
