import type { LearningServices } from './learn-balance.ts'
import { knownQuery, loggedText } from './listener.ts'
import { keepQuery, NO_QUERY } from './store.ts'

/** Queries looked at in one run; the rest comes in the next. */
const QUERIES_MAX = 500

interface MissingRow {
  workspace_id: string
  query_hash: string
  last_signal_at: Date
}

/**
 * Gives queries with signals the vectors they lack: those of which the log had nothing yet when the signal came, whose vector the
 * model did not have in time, or whose vector is of a former model. Without a model it leaves them for the next time.
 */
export async function fillQueries(services: LearningServices, signal: AbortSignal): Promise<void> {
  const { database, search } = services
  // Whatever text it is: what counts is the model that searches go by now.
  const probe = await search.embedder.embed('', 'feedback')
  if (!('vector' in probe)) return
  const missing = await database.system(
    tx => tx<MissingRow[]>`
      -- across workspaces: finds queries without a vector of the model in use
      select feedback.workspace_id, feedback.query_hash, max(feedback.last_signal_at) as last_signal_at
      from search.feedback
      where feedback.query_hash > ${NO_QUERY}
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
        )
      group by feedback.workspace_id, feedback.query_hash
      order by max(feedback.last_signal_at) desc
      limit ${QUERIES_MAX}`,
  )
  for (const row of missing) {
    signal.throwIfAborted()
    await fill(services, row)
  }
}

async function fill({ tenants, vectorType, search }: LearningServices, row: MissingRow): Promise<void> {
  const { workspace_id: workspaceId, query_hash: queryHash, last_signal_at: lastSignalAt } = row
  if (!(await tenants.find(workspaceId))) return
  const tenant = await tenants.tenant(workspaceId)
  const text = await tenant.transaction(tx => loggedText(tx, workspaceId, queryHash))
  const known = text === undefined ? undefined : await knownQuery(search, tenant, text)
  if (!known) return
  await tenant.transaction(async tx => {
    // Whoever deleted the text meanwhile wants nothing of it kept.
    if ((await loggedText(tx, workspaceId, queryHash)) === undefined) return
    await keepQuery(tx, vectorType, workspaceId, queryHash, known, lastSignalAt)
  })
}
