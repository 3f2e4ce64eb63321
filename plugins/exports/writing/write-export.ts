import type { Tenant } from 'mneme/plugin'
import { DAY_MS, type Export, writeJob } from '../job.ts'
import { failWriting, noteRun } from '../queries/writing.ts'
import type { ExportsScope } from '../scope.ts'
import { endFile, writeSections } from './end-file.ts'
import type { Run } from './run.ts'
import { mendMemories, writeMemories } from './write-memories.ts'

/** So often a run writes the sections and the end, where memories are deleted meanwhile; the next run comes after a rest. */
const ROUNDS_MAX = 5
const REST_MS = 60_000
const OUTPACED =
  'Memories of the export were deleted again and again while it was written. Try again, export one user, or include less.'

/** Another run has begun, or the export is gone: this one stops without a trace. */
class RunLost extends Error {}

/**
 * Writes the file of an export, in constant memory. Memories that are deleted meanwhile empty the pieces that tell of them; then a further
 * round writes those pieces and what follows the memories once more.
 */
export async function writeExport(
  scope: ExportsScope,
  tenant: Tenant,
  target: Export,
  signal: AbortSignal,
): Promise<void> {
  const { workspaceId } = tenant
  const write: Run['write'] = (changes, work) => {
    signal.throwIfAborted()
    return tenant.transaction(async tx => {
      if (!(await noteRun(tx, workspaceId, target, changes))) throw new RunLost()
      return work(tx)
    })
  }
  try {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      // A deletion from here on counts: the round reads a state from before it.
      await write({ isOutdated: false }, async () => undefined)
      const counts = await inOneState(scope, tenant, async read => {
        const run: Run = { scope, tenant, target, read, write }
        await (target.hasMemories || round > 0 ? mendMemories(run) : writeMemories(run))
        return writeSections(run)
      })
      if (await endFile({ scope, tenant, target, write }, counts)) return
    }
    await write({}, async tx => {
      if (Date.now() > lastRunAt(target)) await failWriting(tx, workspaceId, target.id, OUTPACED)
      else await scope.jobs.enqueue(tx, [writeJob(workspaceId, target.id, REST_MS)])
    })
  } catch (error) {
    if (!(error instanceof RunLost)) throw error
  }
}

/** A file that was complete is mended until it expires, a new one is written for a day. */
function lastRunAt({ createdAt, expiresAt }: Export): number {
  return expiresAt?.getTime() ?? createdAt.getTime() + DAY_MS
}

/**
 * A database that runs transactions beside one another keeps one snapshot open for all that is read into the file. The embedded one could serve nobody
 * meanwhile, so there each page is a transaction of its own.
 */
async function inOneState<T>(scope: ExportsScope, tenant: Tenant, work: (read: Run['read']) => Promise<T>): Promise<T> {
  if (!(await scope.database.isConcurrent())) return work(part => tenant.transaction(part))
  return scope.database.workspace(tenant.workspaceId, tx => work(part => part(tx)), { snapshot: true, once: true })
}
