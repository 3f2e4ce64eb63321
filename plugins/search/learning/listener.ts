import { type Database, inTime, type Logger, type Quarantine, type TenantDirectory, type Tx } from 'mneme/plugin'
import type { FeedbackListener, FeedbackSignal, MemoryWriteHook } from '../../memories/contract.ts'
import type { VectorType } from '../engine/postgres/embeddings.ts'
import { deleteSignals, type KnownQuery, marksOf, NO_QUERY, recordSignal, storeQuery } from '../feedback/feedback.ts'
import type { SearchServices } from '../pipeline/search.ts'

interface FeedbackServices {
  readonly database: Database
  readonly vectorType: VectorType
  /** Searches like the routes, but without counting usage. */
  readonly search: SearchServices
  readonly log: Logger
}

export interface LearningServices extends FeedbackServices {
  readonly tenants: TenantDirectory
  readonly quarantine: Quarantine
}

/** A signal waits this long for the vector of its query; otherwise `fill-queries.ts` adds it later. */
const PATIENCE_MS = 1_000

/** Records feedback signals, which count from the next search on. */
export function createFeedbackListener(services: FeedbackServices): FeedbackListener<KnownQuery | undefined> {
  return {
    id: 'search',
    async prepare(tenant, { queryHash }) {
      if (!queryHash) return undefined
      try {
        const text =
          services.search.log.waitingText(tenant.workspaceId, queryHash) ??
          (await tenant.transaction(tx => loggedText(tx, tenant.workspaceId, queryHash)))
        return text === undefined
          ? undefined
          : await inTime(knownQuery(services.search, tenant.workspaceId, text), PATIENCE_MS, () => undefined)
      } catch (error) {
        services.log.warn({ err: error }, 'feedback was stored without the vector of its query')
        return undefined
      }
    },
    async received(tx: Tx, signal: FeedbackSignal, query) {
      services.search.learned.changed(signal.workspaceId)
      await recordSignal(tx, services.vectorType, signal, query, new Date())
    },
  }
}

/** Deletes the signals of removed memories in the same transaction. Those of absorbed ones wait for a restoration. */
export function createFeedbackHook(): MemoryWriteHook {
  return {
    id: 'search.feedback',
    created: async () => undefined,
    updated: async () => undefined,
    async removed(tx, workspaceId, ids, why) {
      if (why !== 'absorbed') await deleteSignals(tx, workspaceId, ids)
    },
  }
}

/** Embeds a query as typed, as searches compare it with theirs; undefined when it has no vector or none at the moment. */
async function knownQuery(
  { embedder }: Pick<SearchServices, 'embedder'>,
  workspaceId: string,
  text: string,
): Promise<KnownQuery | undefined> {
  const embedded = await embedder.embed(workspaceId, text)
  if (!('vector' in embedded)) return undefined
  const { model, values } = embedded.vector
  return { model, vector: values, marks: marksOf(text) }
}

/** Reads the last logged query text of a hash. */
async function loggedText(tx: Tx, workspaceId: string, queryHash: string): Promise<string | undefined> {
  const [row] = await tx<{ query: string }[]>`
    select query_log.query
    from search.query_log
    where query_log.workspace_id = ${workspaceId}
      and query_log.query_hash = ${queryHash}
      and query_log.has_text
    order by query_log.created_at desc
    limit 1`
  return row?.query
}

const NAME = 'search:find-balances'

/** One run fills this many queries; the next run continues. */
const QUERIES_MAX = 500

interface MissingRow {
  workspace_id: string
  query_hash: string
  last_signal_at: Date
}

/**
 * Backfills vectors of queries with signals: queries that were not logged yet when the signal came, whose vector arrived too late, or whose
 * vector is of a former model. Without a model they wait for the next run.
 */
export async function fillQueries(services: LearningServices, signal: AbortSignal): Promise<void> {
  const { database, search } = services
  // Any text works here, because only the id of the active model is needed.
  const probe = await search.embedder.embed('', 'feedback')
  if (!('vector' in probe)) return
  const missing = await database.system(
    tx => tx<MissingRow[]>`
      -- across workspaces: finds queries without a vector of the active model
      select feedback.workspace_id, feedback.query_hash, max(feedback.last_signal_at) as last_signal_at
      from search.feedback
      where feedback.query_hash > ${NO_QUERY}
        and ${services.quarantine.admits(tx, NAME, 'feedback.workspace_id', 'feedback.query_hash')}
        and not exists (
          select
          from search.feedback_query
          where feedback_query.workspace_id = feedback.workspace_id
            and feedback_query.query_hash = feedback.query_hash
            and feedback_query.model = ${probe.vector.model}
        )
        and exists (
          select
          from search.query_log
          where query_log.workspace_id = feedback.workspace_id
            and query_log.query_hash = feedback.query_hash
            and query_log.has_text
        )
      group by feedback.workspace_id, feedback.query_hash
      -- The newest of each workspace first: queries that never get a vector are found again each time.
      order by row_number() over (partition by feedback.workspace_id order by max(feedback.last_signal_at) desc), random()
      limit ${QUERIES_MAX}`,
  )
  await services.quarantine.sweep({
    name: NAME,
    items: missing,
    workspaceOf: row => row.workspace_id,
    idOf: row => row.query_hash,
    signal,
    async work(_, rows) {
      for (const row of rows) {
        signal.throwIfAborted()
        await fill(services, row)
      }
    },
  })
}

async function fill({ tenants, vectorType, search }: LearningServices, row: MissingRow): Promise<void> {
  const { workspace_id: workspaceId, query_hash: queryHash, last_signal_at: lastSignalAt } = row
  if (!(await tenants.find(workspaceId))) return
  const tenant = await tenants.tenant(workspaceId)
  const text = await tenant.transaction(tx => loggedText(tx, workspaceId, queryHash))
  const known = text === undefined ? undefined : await knownQuery(search, workspaceId, text)
  if (!known) return
  await tenant.transaction(async tx => {
    // If the text was deleted meanwhile, nothing derived from it may be stored.
    if ((await loggedText(tx, workspaceId, queryHash)) === undefined) return
    await storeQuery(tx, vectorType, workspaceId, queryHash, known, lastSignalAt)
  })
}
