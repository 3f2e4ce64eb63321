import { type Database, EmbedderInputError, type Quarantine, type Tenant, type Tx } from 'mneme/plugin'
import type { SearchMode } from '../../memories/contract.ts'
import { NO_QUERY } from '../feedback/feedback.ts'
import type { SearchServices } from '../pipeline/search.ts'
import { type PreparedQuery, prepareQuery } from '../query/prepare.ts'
import { rank, recompute } from '../ranking/rank.ts'
import type { RankingContext } from '../ranking/signal.ts'
import { DEFAULT_BALANCE } from '../ranking/signals.ts'
import { retrieve } from '../retrieval/retrieve.ts'
import { type FinishedFit, finishFit, readBalance } from './balance-store.ts'
import { fitBalance, type JudgedQuery, QUERIES_MIN } from './fit.ts'
import type { LearningServices } from './listener.ts'

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

/** A query with signals that can be replayed. */
interface SignalledQuery {
  readonly queryHash: string
  readonly query: string
  readonly mode: SearchMode
  /** The user whose memories were searched; null for all users. */
  readonly userId: string | null
  readonly lastSignalAt: Date
  /** 1 is helpful, −1 not helpful, by memory. */
  readonly judgements: ReadonlyMap<string, -1 | 1>
  /** The number of signals for these memories and this query. */
  readonly signals: number
}

/** A fit reads this many queries, the newest: it is bounded and follows the current use of the workspace. */
export const QUERIES_MAX = 200
/** A query contributes at most this many judged memories. */
const JUDGED_MAX = 20

interface SignalledRow {
  query_hash: string
  query: string
  mode: SearchMode
  user_id: string | null
  last_signal_at: Date
  judged: { memory_id: string; surplus: number; signals: number }[]
}

/** Reads the newest queries that have a majority for or against a memory and whose text is still logged. */
async function readSignalled(tx: Tx, workspaceId: string, since: Date | null): Promise<SignalledQuery[]> {
  const rows = await tx<SignalledRow[]>`
    with asked as (
      select feedback.query_hash, max(feedback.last_signal_at) as last_signal_at
      from search.feedback
      where feedback.workspace_id = ${workspaceId}
        and feedback.query_hash > ${NO_QUERY}
        and feedback.positive <> feedback.negative
        and feedback.last_signal_at > coalesce(${since}::timestamptz, '-infinity')
      group by feedback.query_hash
      order by max(feedback.last_signal_at) desc
      limit ${QUERIES_MAX}
    )
    select asked.query_hash, asked.last_signal_at, logged.query, logged.mode, logged.user_id, given.judged
    from asked
    cross join lateral (
      select query_log.query, query_log.mode, query_log.user_id
      from search.query_log
      where query_log.workspace_id = ${workspaceId}
        and query_log.query_hash = asked.query_hash
        and query_log.has_text
      order by query_log.created_at <= asked.last_signal_at desc, query_log.created_at desc
      limit 1
    ) as logged
    cross join lateral (
      select jsonb_agg(to_jsonb(newest)) as judged
      from (
        select
          feedback.memory_id,
          feedback.positive - feedback.negative as surplus,
          feedback.positive + feedback.negative as signals
        from search.feedback
        where feedback.workspace_id = ${workspaceId}
          and feedback.query_hash = asked.query_hash
          and feedback.positive <> feedback.negative
          and feedback.last_signal_at > coalesce(${since}::timestamptz, '-infinity')
        order by feedback.last_signal_at desc, feedback.memory_id
        limit ${JUDGED_MAX}
      ) as newest
    ) as given
    order by asked.query_hash`
  return rows.map(({ judged, ...row }) => ({
    queryHash: row.query_hash,
    query: row.query,
    mode: row.mode,
    userId: row.user_id,
    lastSignalAt: row.last_signal_at,
    judgements: new Map(judged.map(({ memory_id, surplus }) => [memory_id, surplus > 0 ? 1 : -1])),
    signals: judged.reduce((sum, { signals }) => sum + signals, 0),
  }))
}

/** Another fit is worth its cost after this many memories with new signals for a query. */
export const NEW_SIGNALS_MIN = 30
const WORKSPACES_MAX = 200

/** Finds workspaces with enough new signals since their last fit or reset, those with the most first, but those that the sweep holds back. */
export async function dueWorkspaces(database: Database, quarantine: Quarantine, sweep: string): Promise<string[]> {
  const rows = await database.system(
    tx => tx<{ workspace_id: string }[]>`
      -- across workspaces: finds workspaces with enough new signals to learn from
      select feedback.workspace_id
      from search.feedback
      left join search.balance on balance.workspace_id = feedback.workspace_id
      where feedback.query_hash > ${NO_QUERY}
        and feedback.positive <> feedback.negative
        and ${quarantine.admits(tx, sweep, 'feedback.workspace_id')}
        and feedback.last_signal_at > coalesce(greatest(balance.checked_at, balance.learns_from), '-infinity')
      group by feedback.workspace_id
      having count(*) >= ${NEW_SIGNALS_MIN}
      order by count(*) desc
      limit ${WORKSPACES_MAX}`,
  )
  return rows.map(({ workspace_id }) => workspace_id)
}
