import { setTimeout as sleep } from 'node:timers/promises'
import { FileMissingError, snoozeFor, type Tenant, Type, tasksOf } from 'mneme/plugin'
import { memoryArchive, memoryReader } from '../../memories/contract.ts'
import type { Import } from '../job.ts'
import { claimImport, endImport, findImport, setFormat } from '../queries/imports.ts'
import { noteUnprocessed, removeWaiting, waitingMemories } from '../queries/waiting-memories.ts'
import { DocumentError } from '../reading/document-items.ts'
import { fileOf } from '../reading/file-of.ts'
import { importFile } from '../reading/import-file.ts'
import { ImportError, inspect, type Shape } from '../reading/inspect.ts'
import { ImportMoved } from '../reading/restore-records.ts'
import type { ExportsScope } from '../scope.ts'

/** One run reads for so long, then other jobs have their turn. */
const RUN_MS = 10_000
/** So many memories may wait for their processing before more are read: a large import leaves the queue to others. */
const WAITING_MAX = 1000
const PAUSE_MS = 1000
const FILE_GONE = 'The file is no longer kept. Import it again: memories that are stored already are skipped.'
/** For so long a run waits itself for the processing of its last memories. */
const FEW = 100
const LOOK_MS = 100
const LOOKS_MAX = 20

const SHAPES: readonly string[] = ['mneme', 'plain', 'list', 'document'] satisfies Shape[]

/** Reads an import's file on from where it stands, then waits until all memories of it can be searched. */
export const importTask = tasksOf<ExportsScope>()({
  name: 'exports:import',
  payload: Type.Object({ workspace_id: Type.String(), import_id: Type.String() }),
  timeLimitMs: 10 * 60_000,
  async run({ payload: { workspace_id: workspaceId, import_id: id }, scope, signal }) {
    const tenant = await scope.tenants.tenant(workspaceId)
    const job = await tenant.transaction(tx => claimImport(tx, workspaceId, id))
    if (!job) return
    try {
      const waiting = await countWaiting(scope, tenant, id)
      if (waiting >= WAITING_MAX) return later(PAUSE_MS)
      if (job.position < job.size || job.format === null) {
        const shape = await shapeOf(tenant, job, signal)
        const isRead = await importFile(scope, tenant, job, shape, {
          forMs: RUN_MS,
          memories: WAITING_MAX - waiting,
          signal,
        })
        if (!isRead) return later(0)
      }
      if (!(await areProcessed(scope, tenant, id, signal))) return later(PAUSE_MS)
      await end(tenant, id)
    } catch (error) {
      if (error instanceof ImportMoved) return later(PAUSE_MS)
      // An import that has ended meanwhile, as by a deletion of all memories, stays as it ended.
      if (error instanceof FileMissingError) return fail(scope, workspaceId, id, FILE_GONE)
      if (!(error instanceof ImportError || error instanceof DocumentError)) throw error
      await fail(scope, workspaceId, id, error.message)
    }
  },
  async exhausted({ payload: { workspace_id: workspaceId, import_id: id }, scope }, error) {
    scope.log.error({ err: error, import: id }, 'an import failed')
    await fail(scope, workspaceId, id, 'The import failed. Memories stored so far stay; the server’s log says why.')
  },
})

function later(ms: number) {
  return snoozeFor(ms, { progressed: true })
}

async function shapeOf(tenant: Tenant, job: Import, signal: AbortSignal): Promise<Shape> {
  const known = SHAPES.find(shape => shape === job.format)
  if (known !== undefined) return known as Shape
  const open = fileOf(tenant, job, signal)
  const shape = await inspect(() => open(0))
  await tenant.transaction(tx => setFormat(tx, tenant.workspaceId, job.id, shape))
  return shape
}

/** Counts the memories of an import that wait for their processing, up to {@link WAITING_MAX}, and forgets those that do not. */
async function countWaiting(
  { wiring }: ExportsScope,
  { workspaceId, transaction }: Tenant,
  id: string,
): Promise<number> {
  for (;;) {
    const { waiting, open } = await transaction(async tx => {
      const waiting = await waitingMemories(tx, workspaceId, id, WAITING_MAX)
      const open = new Set(await wiring.use(memoryArchive).unprocessed(tx, workspaceId, waiting))
      const done = waiting.filter(memoryId => !open.has(memoryId))
      const statuses = await wiring.use(memoryReader).statuses(tx, done)
      const failed = done.filter(memoryId => statuses.get(memoryId) === 'FAILED')
      await noteUnprocessed(tx, workspaceId, id, failed.length)
      await removeWaiting(tx, workspaceId, id, done)
      return { waiting: waiting.length, open: open.size }
    })
    // Those that were forgotten make room for a look at further ones.
    if (waiting < WAITING_MAX || open === waiting) return open
  }
}

/** A few memories are processed in a moment, which is sooner than a job that waits comes again. */
async function areProcessed(scope: ExportsScope, tenant: Tenant, id: string, signal: AbortSignal): Promise<boolean> {
  for (let look = 0; look < LOOKS_MAX && !signal.aborted; look++) {
    if (look > 0) await sleep(LOOK_MS)
    const waiting = await countWaiting(scope, tenant, id)
    if (waiting === 0) return true
    if (waiting > FEW) return false
  }
  return false
}

/** A file of which nothing could be used has failed, whatever was read of it. */
async function end(tenant: Tenant, id: string): Promise<void> {
  const { workspaceId } = tenant
  await tenant.transaction(async tx => {
    const job = await findImport(tx, workspaceId, id)
    if (!job) return
    const isUsed = job.created + job.skipped + job.expired + job.restored > 0
    const isUseless = !isUsed && (job.failed > 0 || job.lines === 0)
    const error = isUseless
      ? `Nothing of the file could be imported: ${job.faults[0]?.message ?? 'it holds no memories'}.`
      : unprocessedSentence(job)
    await endImport(tx, workspaceId, id, { status: error === null ? 'COMPLETED' : 'FAILED', error })
  })
}

/** An import is COMPLETED only when all of its memories can be searched in every way. */
function unprocessedSentence({ unprocessed }: Import): string | null {
  if (unprocessed === 0) return null
  const what = unprocessed === 1 ? 'One memory' : `${unprocessed} memories`
  return `${what} of the file could not be processed and can be found by words only. The others are complete.`
}

async function fail({ database }: ExportsScope, workspaceId: string, id: string, error: string): Promise<void> {
  await database.workspace(workspaceId, tx => endImport(tx, workspaceId, id, { status: 'FAILED', error }))
}
