import { DEFAULT_BALANCE } from '../ranking/rank.ts'
import { claimBalance, type FinishedFit, finishFit, readBalance, releaseBalance } from './balance-store.ts'
import { fitBalance, type JudgedQuery, QUERIES_MIN } from './fit.ts'
import { readSignalled, type SignalledQuery } from './judged.ts'
import { type FeedbackServices, knownQuery } from './listener.ts'
import { type ReplayServices, replay } from './replay.ts'

export type LearningServices = FeedbackServices & ReplayServices

/** A fit takes seconds; a server that was killed at it keeps others waiting no longer than this. */
const CLAIM_MS = 15 * 60_000
/** A vector is waited for this long; without one the fit fails and is tried again. */
const PATIENCE_MS = 30_000

/**
 * Fits a workspace's balance to its signals, and keeps it when it is better on queries it was not fitted to. Each query is asked
 * again in a short transaction of its own, so that nothing waits for a fit.
 *
 * @throws the signal's reason when it is aborted
 */
export async function learnBalance(
  services: LearningServices,
  workspaceId: string,
  signal: AbortSignal,
): Promise<void> {
  const { database, learned, log } = services
  const startedAt = new Date()
  if (!(await database.workspace(workspaceId, tx => claimBalance(tx, workspaceId, startedAt, CLAIM_MS)))) return
  try {
    const finished = await fitWorkspace(services, workspaceId, startedAt, signal)
    await database.workspace(workspaceId, tx => finishFit(tx, workspaceId, finished))
    if (finished.kept) learned.changed(workspaceId)
    log.info({ workspaceId, outcome: finished.outcome, ...finished.kept }, 'fitted the balance of a workspace')
  } catch (error) {
    // When that fails too, the claim runs out.
    await database.workspace(workspaceId, tx => releaseBalance(tx, workspaceId)).catch(() => undefined)
    throw error
  }
}

async function fitWorkspace(
  services: LearningServices,
  workspaceId: string,
  checkedAt: Date,
  signal: AbortSignal,
): Promise<FinishedFit> {
  const { database } = services
  const [record, signalled] = await database.workspace(workspaceId, async tx => {
    const read = await readBalance(tx, workspaceId)
    return [read, await readSignalled(tx, workspaceId, read.learnsFrom)] as const
  })
  if (signalled.length < QUERIES_MIN) return { outcome: 'TOO_FEW', checkedAt }
  const queries = await replayAll(services, workspaceId, signalled, signal)
  const fit = fitBalance(queries, record.balance ?? DEFAULT_BALANCE, DEFAULT_BALANCE)
  if (!fit) return { outcome: 'TOO_FEW', checkedAt }
  if (!fit.better) return { outcome: 'NOT_BETTER', checkedAt }
  const signals = signalled.reduce((sum, query) => sum + query.signals, 0)
  return { outcome: 'KEPT', checkedAt, kept: { balance: fit.balance, effect: fit.effect, signals } }
}

async function replayAll(
  services: LearningServices,
  workspaceId: string,
  signalled: readonly SignalledQuery[],
  signal: AbortSignal,
): Promise<JudgedQuery[]> {
  const queries: JudgedQuery[] = []
  for (const asked of signalled) {
    signal.throwIfAborted()
    const known = asked.mode === 'keyword' ? undefined : await knownQuery(services, asked.query, PATIENCE_MS)
    queries.push(await services.database.workspace(workspaceId, tx => replay(tx, services, workspaceId, asked, known)))
  }
  return queries
}
