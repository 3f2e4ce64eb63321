import { AppError, EmbedderUnavailableError, inParts, isBusy, isUnavailable, type Sweep } from 'mneme/plugin'
import type { MemoryKey, MemoryPart } from '../contract.ts'
import { findVisible } from '../queries/read.ts'
import type { MemoryServices } from '../scope.ts'
import { advancePass, claimPass, nextMemories, type PageItem, type PageOutcome, type Pass } from './state.ts'

type Services = Pick<MemoryServices, 'database' | 'tenants' | 'quarantine' | 'log'>

/** Progress is stored after each page of this many memories, which bounds what a killed process repeats. */
const PAGE = 500
/** Parts fail on memories, none of which stops the others. */
const BY_MEMORY: Pick<Sweep<MemoryKey>, 'workspaceOf' | 'idOf'> = {
  workspaceOf: ({ workspaceId }) => workspaceId,
  idOf: ({ memoryId }) => memoryId,
}
/** A part is asked for this many memories at once, so that one call stays short. */
const CHUNK = 32

const NOTHING: PageOutcome = { seen: 0, made: 0, dropped: 0, failed: 0 }

/**
 * Backfills a part for the next page of memories that lack it. After the last page it removes what the part keeps for deleted memories.
 *
 * @returns `over` when nothing is left to do, `later` when the part has no capacity now
 */
export async function catchUpPage(
  services: Services,
  part: MemoryPart,
  signal: AbortSignal,
): Promise<'over' | 'more' | 'later'> {
  const { database } = services
  const pass = await database.system(tx => claimPass(tx, part.id))
  if (!pass) return 'over'
  const result =
    pass.phase === 'missing'
      ? await backfillMissing(services, part, pass, signal)
      : await removeSurplus(services, part, pass, signal)
  if (result === 'later') return 'later'
  const advanced = await database.system(tx => advancePass(tx, part.id, pass, result.last, result.outcome))
  return advanced ? 'more' : 'over'
}

interface PageResult {
  readonly outcome: PageOutcome
  /** The cursor is undefined after the last page. */
  readonly last: MemoryKey | undefined
}

async function backfillMissing(
  services: Services,
  part: MemoryPart,
  pass: Pass,
  signal: AbortSignal,
): Promise<PageResult | 'later'> {
  const page = await services.database.system(tx => nextMemories(tx, part.id, pass.after, PAGE))
  const found = await findMissing(services, part, page, signal)
  if (found === 'later') return 'later'
  let made = 0
  let { failed } = found
  for (const [workspaceId, missing] of found.missing) {
    for (const chunk of inParts(missing, CHUNK)) {
      signal.throwIfAborted()
      const outcome = await backfillTogether(services, part, workspaceId, chunk)
      if (outcome === 'later') return 'later'
      failed += outcome
      made += chunk.length - outcome
    }
  }
  return { outcome: { ...NOTHING, seen: page.length, made, failed }, last: lastOf(page) }
}

/** Finds the memories of a page that lack the part, by workspace, and counts those on which the part fails. */
async function findMissing(
  { database, quarantine }: Services,
  part: MemoryPart,
  page: readonly PageItem[],
  signal: AbortSignal,
): Promise<{ missing: ReadonlyMap<string, readonly string[]>; failed: number } | 'later'> {
  const missing = new Map<string, string[]>()
  const outcome = await quarantine.sweep<PageItem>({
    ...BY_MEMORY,
    name: `memories:find-missing:${part.id}`,
    items: page.filter(({ version }) => version !== undefined),
    signal,
    async work(workspaceId, items) {
      const versions = items.flatMap(({ version }) => version ?? [])
      const ids = await database.workspace(workspaceId, tx => part.missing(tx, workspaceId, versions))
      missing.set(workspaceId, [...(missing.get(workspaceId) ?? []), ...ids])
    },
  })
  return outcome.wasBusy ? 'later' : { missing, failed: outcome.heldBack }
}

/**
 * Backfills memories together, and one by one when that fails, so that a bad memory does not stop its neighbours. @returns how many failed
 */
async function backfillTogether(
  services: Services,
  part: MemoryPart,
  workspaceId: string,
  ids: readonly string[],
): Promise<number | 'later'> {
  try {
    const outcome = await part.backfill(await services.tenants.tenant(workspaceId), ids)
    return outcome === 'later' ? 'later' : 0
  } catch (error) {
    // The memories were deleted with their workspace, so nothing is left to backfill.
    if (error instanceof AppError && error.code === 'WORKSPACE_NOT_FOUND') return 0
    if (isBusy(error)) return 'later'
    if (isUnavailable(error) || error instanceof EmbedderUnavailableError) throw error
    const [only, ...others] = ids
    if (only !== undefined && others.length === 0) {
      services.log.warn({ err: error, part: part.id, memory: only }, 'a memory could not be backfilled')
      return 1
    }
    let failed = 0
    for (const id of ids) {
      const outcome = await backfillTogether(services, part, workspaceId, [id])
      if (outcome === 'later') return 'later'
      failed += outcome
    }
    return failed
  }
}

async function removeSurplus(
  { database, quarantine }: Services,
  part: MemoryPart,
  pass: Pass,
  signal: AbortSignal,
): Promise<PageResult | 'later'> {
  const page = await database.system(tx => part.stored(tx, pass.after, PAGE))
  let dropped = 0
  const outcome = await quarantine.sweep({
    ...BY_MEMORY,
    name: `memories:remove-surplus:${part.id}`,
    items: page,
    signal,
    async work(workspaceId, items) {
      const ids = items.map(({ memoryId }) => memoryId)
      dropped += await database.workspace(workspaceId, async tx => {
        const visible = new Set(await findVisible(tx, ids))
        const gone = ids.filter(id => !visible.has(id))
        if (gone.length > 0) await part.remove(tx, workspaceId, gone)
        return gone.length
      })
    },
  })
  return outcome.wasBusy ? 'later' : { outcome: { ...NOTHING, dropped, failed: outcome.heldBack }, last: lastOf(page) }
}

function lastOf(page: readonly MemoryKey[]): MemoryKey | undefined {
  const last = page.at(-1)
  return last && page.length === PAGE ? { workspaceId: last.workspaceId, memoryId: last.memoryId } : undefined
}
