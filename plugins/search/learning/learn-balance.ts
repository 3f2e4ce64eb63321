import type { Quarantine, Tenant, TenantDirectory } from 'mneme/plugin'
import type { SearchServices } from '../pipeline/search.ts'
import { DEFAULT_BALANCE } from '../ranking/rank.ts'
import { type FinishedFit, finishFit, readBalance } from './balance-store.ts'
import { fitBalance, type JudgedQuery, QUERIES_MIN } from './fit.ts'
import { readSignalled, type SignalledQuery } from './judged.ts'
import type { FeedbackServices } from './listener.ts'
import { replay } from './replay.ts'

export interface LearningServices extends FeedbackServices {
  readonly tenants: TenantDirectory
  readonly quarantine: Quarantine
}

/**
 * Fits a workspace's balance to its signals and keeps it if it is better on unseen queries. Each query is replayed in a short transaction
 * of its own, so that nothing waits for a fit.
 *
 * @throws the signal's reason when it is aborted
 */
export async function learnBalance(
  services: LearningServices,
  workspaceId: string,
  signal: AbortSignal,
): Promise<void> {
  const { database, tenants, search, log } = services
  if (!(await tenants.find(workspaceId))) return
  const tenant = await tenants.tenant(workspaceId)
  const startedAt = new Date()
  const finished = await fitWorkspace(services, tenant, startedAt, signal)
  await database.workspace(workspaceId, tx => finishFit(tx, workspaceId, finished))
  if (finished.kept) search.learned.changed(workspaceId)
  log.info({ workspaceId, outcome: finished.outcome, ...finished.kept }, 'fitted the balance of a workspace')
}

async function fitWorkspace(
  { search }: LearningServices,
  tenant: Tenant,
  checkedAt: Date,
  signal: AbortSignal,
): Promise<FinishedFit> {
  const { workspaceId } = tenant
  const [record, signalled] = await tenant.transaction(async tx => {
    const read = await readBalance(tx, workspaceId)
    return [read, await readSignalled(tx, workspaceId, read.learnsFrom)] as const
  })
  if (signalled.length < QUERIES_MIN) return { outcome: 'TOO_FEW', checkedAt }
  const queries = await replayAll(search, tenant, signalled, signal)
  const fit = fitBalance(queries, record.balance ?? DEFAULT_BALANCE, DEFAULT_BALANCE)
  if (!fit) return { outcome: 'TOO_FEW', checkedAt }
  if (!fit.better) return { outcome: 'NOT_BETTER', checkedAt }
  const signals = signalled.reduce((sum, query) => sum + query.signals, 0)
  return { outcome: 'KEPT', checkedAt, kept: { balance: fit.balance, effect: fit.effect, signals } }
}

async function replayAll(
  search: SearchServices,
  tenant: Tenant,
  signalled: readonly SignalledQuery[],
  signal: AbortSignal,
): Promise<JudgedQuery[]> {
  const queries: JudgedQuery[] = []
  for (const asked of signalled) {
    signal.throwIfAborted()
    const query = await replay(search, tenant, asked)
    if (query) queries.push(query)
  }
  return queries
}
