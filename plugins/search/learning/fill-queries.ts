import { NO_QUERY, storeQuery } from '../feedback/store.ts'
import type { LearningServices } from './learn-balance.ts'
import { knownQuery, loggedText } from './listener.ts'

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
