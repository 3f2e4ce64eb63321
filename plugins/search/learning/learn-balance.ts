import type { Quarantine, Tenant, TenantDirectory } from 'mneme/plugin'
import { EmbedderInputError } from 'mneme/plugin'
import type { SearchServices } from '../pipeline/search.ts'
import type { PreparedQuery } from '../query/prepare.ts'
import { prepareQuery } from '../query/prepare.ts'
import type { RankingContext } from '../ranking/rank.ts'
import { DEFAULT_BALANCE, rank, recompute } from '../ranking/rank.ts'
import { retrieve } from '../retrieval/retrieve.ts'
import { type FinishedFit, finishFit, readBalance } from './balance-store.ts'
import { fitBalance, type JudgedQuery, QUERIES_MIN } from './fit.ts'
import { readSignalled, type SignalledQuery } from './judged.ts'
import type { FeedbackServices } from './listener.ts'

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

/** Unjudged results are compared up to the end of a page, because few users look further. */
const RESULTS_MAX = 10

/**
 * Repeats a query as of the time of its signals: later memories are excluded, ages count from then, and signals have no effect, since the
 * balance is judged by them. Of the filters only the user is logged.
 *
 * @returns undefined for a query whose text the model refuses, because nobody knows what it led to then
 * @throws when the embedding model is unavailable, because the order would differ without it
 */
async function replay(
  services: SearchServices,
  tenant: Tenant,
  asked: SignalledQuery,
): Promise<JudgedQuery | undefined> {
  const { queryHash, lastSignalAt, judgements } = asked
  const prepared = await prepareAgain(services, tenant, asked)
  if (!prepared) return undefined
  const { set, context } = await tenant.transaction(tx => retrieve(tx, services, prepared, false))
  const { feedback: _, ...unmoved } = context
  const then: RankingContext = { ...unmoved, balance: DEFAULT_BALANCE, now: lastSignalAt }
  const results = rank(set.candidates, then).filter(
    ({ candidate }, place) => place < RESULTS_MAX || judgements.has(candidate.memoryId),
  )
  return {
    queryHash,
    results: results.map(({ candidate, parts }) => ({
      memoryId: candidate.memoryId,
      judgement: judgements.get(candidate.memoryId) ?? 0,
      score: balance => recompute({ ...parts, lifted: false }, balance),
    })),
  }
}

async function prepareAgain(
  services: SearchServices,
  tenant: Tenant,
  { query, mode, userId, lastSignalAt }: SignalledQuery,
): Promise<PreparedQuery | undefined> {
  const filter = { createdBefore: lastSignalAt, ...(userId === null ? {} : { userId }) }
  try {
    const { prepared, warning, cause } = await prepareQuery(services, tenant, { query, mode, filter })
    // A query in a script that the model does not support gets another mode, as it did when it was made.
    if (warning && prepared.plan.mode === mode) throw new Error(warning, { cause })
    return prepared
  } catch (error) {
    if (error instanceof Error && error.cause instanceof EmbedderInputError) return undefined
    throw error
  }
}
