import type { Tenant, Tx } from 'mneme/plugin'
import { announceUpdated } from '../announce.ts'
import { prepareWrites } from '../preparation.ts'
import type { MemoryServices } from '../scope.ts'
import { differingMarks, marksWithout } from './merges.ts'
import { type ConsolidationRow, findAbsorbedMarks, setMarks } from './store.ts'

/**
 * Takes back what survivors gained from a memory that is absorbed no longer: categories that it alone brought, and its
 * priority. Their text was always their own.
 *
 * @param chain the memory and those it lived on in, as they were and locked; the memory itself is restored or gone by now
 */
export async function withdrawMarks(
  tx: Tx,
  services: Pick<MemoryServices, 'wiring' | 'events' | 'jobs'>,
  tenant: Tenant,
  chain: readonly ConsolidationRow[],
): Promise<void> {
  const [leaving, ...survivors] = chain
  if (!leaving) return
  const now = new Date()
  for (const { record, own } of survivors) {
    const others = await findAbsorbedMarks(tx, tenant.workspaceId, record.id, leaving.record.id)
    const marks = marksWithout(record, leaving.record, own, others)
    // Whoever absorbed this one goes by its marks, which stay.
    const fields = differingMarks(record, marks)
    if (fields.length === 0) return
    const left = others.length > 0 ? 'kept' : 'forgotten'
    const changed = await setMarks(tx, tenant.workspaceId, record.id, marks, left, now)
    if (record.consolidatedInto !== null) continue
    await announceUpdated(tx, services, changed, fields, await prepareWrites(services, tenant, [changed]))
  }
}
