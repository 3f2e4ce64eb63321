import { AppError, EmbedderUnavailableError, isUnavailable } from 'mneme/plugin'
import type { MemoryKey, MemoryPart, MemoryVersion } from '../contract.ts'
import { findVisible } from '../queries/read.ts'
import type { MemoryServices } from '../scope.ts'
import { advance, nextMemories, type PageOutcome, type Pass, takeUpPass } from './state.ts'

type Services = Pick<MemoryServices, 'database' | 'tenants' | 'log'>

/** Memories that are looked at between two notes of how far it is. */
const PAGE = 500
/** Memories that a part is made of at once. */
const CHUNK = 32

const NOTHING: PageOutcome = { seen: 0, made: 0, dropped: 0, failed: 0 }

/**
 * Looks through the next page of memories for those that lack a part, and has it made of them; after the last page, through what the
 * part has, for memories that are gone.
 *
 * @returns `over` when there is nothing to do (any more), `later` when the part has no room now
 */
export async function catchUpPage(
  services: Services,
  part: MemoryPart,
  signal: AbortSignal,
): Promise<'over' | 'more' | 'later'> {
  const { database } = services
  const pass = await database.system(tx => takeUpPass(tx, part.id))
  if (!pass) return 'over'
  const dealt =
    pass.phase === 'missing'
      ? await makeMissing(services, part, pass, signal)
      : await dropSurplus(services, part, pass, signal)
  if (dealt === 'later') return 'later'
  const advanced = await database.system(tx => advance(tx, part.id, pass, dealt.last, dealt.outcome))
  return advanced ? 'more' : 'over'
}

interface Dealt {
  readonly outcome: PageOutcome
  /** Undefined when it was the last page. */
  readonly last: MemoryKey | undefined
}

async function makeMissing(
  services: Services,
  part: MemoryPart,
  pass: Pass,
  signal: AbortSignal,
): Promise<Dealt | 'later'> {
  const page = await services.database.system(tx => nextMemories(tx, part.id, pass.after, PAGE))
  let made = 0
  let failed = 0
  for (const [workspaceId, items] of Map.groupBy(page, item => item.workspaceId)) {
    const versions = items.flatMap(({ version }) => version ?? [])
    const lacking = await lackingOf(services, part, workspaceId, versions)
    for (let from = 0; from < lacking.length; from += CHUNK) {
      signal.throwIfAborted()
      const chunk = lacking.slice(from, from + CHUNK)
      const outcome = await makeAll(services, part, workspaceId, chunk)
      if (outcome === 'later') return 'later'
      failed += outcome
      made += chunk.length - outcome
    }
  }
  return { outcome: { ...NOTHING, seen: page.length, made, failed }, last: lastOf(page) }
}

async function lackingOf(
  { database }: Services,
  part: MemoryPart,
  workspaceId: string,
  versions: readonly MemoryVersion[],
): Promise<readonly string[]> {
  if (versions.length === 0) return []
  return database.workspace(workspaceId, tx => part.lacking(tx, workspaceId, versions))
}

/** What fails together is made one by one, so that none is in the way of others. @returns how many failed */
async function makeAll(
  services: Services,
  part: MemoryPart,
  workspaceId: string,
  ids: readonly string[],
): Promise<number | 'later'> {
  try {
    const outcome = await part.make(await services.tenants.tenant(workspaceId), ids)
    return outcome === 'later' ? 'later' : 0
  } catch (error) {
    // It went with all its memories.
    if (error instanceof AppError && error.code === 'WORKSPACE_NOT_FOUND') return 0
    if (isUnavailable(error) || error instanceof EmbedderUnavailableError) throw error
    const [only, ...others] = ids
    if (only !== undefined && others.length === 0) {
      services.log.warn({ err: error, part: part.id, memory: only }, 'what a memory lacks could not be made')
      return 1
    }
    let failed = 0
    for (const id of ids) {
      const outcome = await makeAll(services, part, workspaceId, [id])
      if (outcome === 'later') return 'later'
      failed += outcome
    }
    return failed
  }
}

async function dropSurplus({ database }: Services, part: MemoryPart, pass: Pass, signal: AbortSignal): Promise<Dealt> {
  const page = await database.system(tx => part.held(tx, pass.after, PAGE))
  let dropped = 0
  for (const [workspaceId, items] of Map.groupBy(page, item => item.workspaceId)) {
    signal.throwIfAborted()
    const ids = items.map(({ memoryId }) => memoryId)
    dropped += await database.workspace(workspaceId, async tx => {
      const visible = new Set(await findVisible(tx, ids))
      const gone = ids.filter(id => !visible.has(id))
      if (gone.length > 0) await part.drop(tx, workspaceId, gone)
      return gone.length
    })
  }
  return { outcome: { ...NOTHING, seen: 0, dropped }, last: lastOf(page) }
}

function lastOf(page: readonly MemoryKey[]): MemoryKey | undefined {
  const last = page.at(-1)
  return last && page.length === PAGE ? { workspaceId: last.workspaceId, memoryId: last.memoryId } : undefined
}
