import type { Tenant, Tx } from 'mneme/plugin'
import { type ArchiveRecord, type ArchiveSection, archiveSections } from '../../memories/contract.ts'
import { isCleared } from '../clear-imports.ts'
import type { ImportFault, ImportUnderWay } from '../job.ts'
import { type HeldImport, holdImport } from '../queries/imports.ts'
import type { ExportsScope } from '../scope.ts'
import { shortened } from './shortened.ts'

/** A fault tells so many characters of the type that nothing reads. */
const TYPE_CHARS_MAX = 100

/** A record of a plugin, and the line where it stands. */
export interface BatchRecord {
  readonly line: number
  readonly record: ArchiveRecord
}

/** Another run of the job stores the same items; this one has nothing left to do. */
export class ImportMoved extends Error {}

/** Everything of the record's user was deleted meanwhile; never leaves this file. */
class RecordCleared extends Error {}

/**
 * Holds an import until the transaction ends.
 * @throws ImportMoved where it has ended, or stands elsewhere
 */
export async function holdUnmoved(tx: Tx, workspaceId: string, job: ImportUnderWay): Promise<HeldImport> {
  const held = await holdImport(tx, workspaceId, job)
  if (!held) throw new ImportMoved()
  return held
}

/** Records of plugins that derive them from memories are read over; those of plugins that are not there are told. */
export async function restoreRecords(
  { wiring }: ExportsScope,
  tenant: Tenant,
  job: ImportUnderWay,
  records: readonly BatchRecord[],
): Promise<{ count: number; faults: ImportFault[] }> {
  const faults: ImportFault[] = []
  let count = 0
  if (records.length === 0) return { count, faults }
  const sections = wiring.extensions(archiveSections)
  for (const { line, record } of records) {
    const section = sections.find(({ types }) => types.includes(record.type))
    if (!section) faults.push({ line, message: `nothing here reads a ${shortened(record.type, TYPE_CHARS_MAX)}` })
    const outcome = await restore(section, heldTenant(tenant, job, record), record)
    count += outcome.restored
    for (const { message } of outcome.faults) faults.push({ line, message })
  }
  return { count, faults }
}

async function restore(section: ArchiveSection | undefined, tenant: Tenant, record: ArchiveRecord) {
  const nothing = { restored: 0, faults: [] }
  try {
    return (await section?.restore?.(tenant, [record])) ?? nothing
  } catch (error) {
    if (error instanceof RecordCleared) return nothing
    throw error
  }
}

/** Plugins restore in transactions of their own. Each holds the import, so that none of them brings back what is deleted before it. */
function heldTenant(tenant: Tenant, job: ImportUnderWay, record: ArchiveRecord): Tenant {
  const { user_id: userId } = record
  const owner = { user_id: typeof userId === 'string' ? userId : '', agent_id: null, session_id: null }
  return {
    ...tenant,
    transaction: (work, options) =>
      tenant.transaction(async tx => {
        const { cleared } = await holdUnmoved(tx, tenant.workspaceId, job)
        if (isCleared(owner, cleared)) throw new RecordCleared()
        return work(tx)
      }, options),
  }
}
