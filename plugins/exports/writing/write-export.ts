import { DAY_MS, type Tenant } from 'mneme/plugin'
import { type Export, writeJob } from '../job.ts'
import { noteRun } from '../queries/writing.ts'
import type { ExportsScope } from '../scope.ts'
import { endFile } from './end-file.ts'
import { giveUp } from './give-up.ts'
import type { Run } from './run.ts'
import { SectionsWriter } from './sections-writer.ts'
import { mendMemories, writeMemories } from './write-memories.ts'

/** So often a run writes the sections and the end, where memories are deleted meanwhile; the next run comes after a rest. */
const ROUNDS_MAX = 5
const REST_MS = 60_000
const OUTPACED =
  'Memories of the export were deleted again and again while it was written. Try again, export one user, or include less.'

/**
 * One state of the database is read for so long. Until a snapshot ends, no row that was changed or deleted since can be removed for good, in
 * all workspaces; and exports of others wait for their turn.
 */
const STATE_MS = 5 * 60_000

/** Another run has begun, or the export is gone: this one stops without a trace. */
class RunLost extends Error {}

/** `unfinished`: the job comes again at once. `ended`: this run leaves nothing to it. */
export type Outcome = 'unfinished' | 'ended'

/**
 * Writes the file of an export, in constant memory: as many memories as are read of one state of the database, with the last of them all that
 * follows. Memories that are deleted meanwhile empty the pieces that tell of them; then a further round writes those pieces and what follows
 * the memories once more.
 * @param stateMs one state is read for so long
 */
export async function writeExport(
  scope: ExportsScope,
  tenant: Tenant,
  target: Export,
  signal: AbortSignal,
  stateMs = STATE_MS,
): Promise<Outcome> {
  const { workspaceId } = tenant
  const inState = <T>(work: (run: Run) => Promise<T>) =>
    inOneState(scope, tenant, read => work({ scope, tenant, target, read, write, until: performance.now() + stateMs }))
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
      const sections = await inState(async run => {
        const hasAll = await (target.hasMemories || round > 0 ? mendMemories(run) : writeMemories(run))
        if (!hasAll) return undefined
        const writer = await SectionsWriter.begin(run)
        await writer.write(run)
        return writer
      })
      if (!sections) return 'unfinished'
      while (!sections.isDone) await inState(run => sections.write(run))
      if (await endFile({ scope, tenant, target, write }, sections.counts)) return 'ended'
    }
    await write({}, async tx => {
      if (Date.now() > lastRunAt(target)) await giveUp(tx, scope, workspaceId, target.id, OUTPACED)
      else await scope.jobs.enqueue(tx, [writeJob(workspaceId, target.id, REST_MS)])
    })
  } catch (error) {
    if (!(error instanceof RunLost)) throw error
  }
  return 'ended'
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
  const options = { snapshot: true, once: true, idlesLong: true }
  return scope.database.workspace(tenant.workspaceId, tx => work(part => part(tx)), options)
}
