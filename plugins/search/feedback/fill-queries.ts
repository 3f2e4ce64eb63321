import { type FeedbackServices, knownQuery, loggedText } from './listener.ts'
import { keepQuery, NO_QUERY } from './store.ts'

/** Queries looked at in one run; the rest comes in the next. */
const QUERIES_MAX = 500
const PATIENCE_MS = 30_000

interface MissingRow {
  workspace_id: string
  query_hash: string
  last_signal_at: Date
}

/**
 * Gives queries with signals the vectors they lack: those of which the log had nothing yet when the signal came, whose vector the
 * model did not have in time, or whose vector is of a former model.
 */
export async function fillQueries(services: FeedbackServices, signal: AbortSignal): Promise<void> {
  const { database, model } = services
  const modelId = await model.id()
  const missing = await database.system(
    tx => tx<MissingRow[]>`
      select feedback.workspace_id, feedback.query_hash, max(feedback.last_signal_at) as last_signal_at
      from search.feedback
      where feedback.query_hash > ${NO_QUERY}
        and not exists (
          select
          from search.feedback_query
          where feedback_query.workspace_id = feedback.workspace_id
            and feedback_query.query_hash = feedback.query_hash
            and feedback_query.model = ${modelId}
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

async function fill(services: FeedbackServices, row: MissingRow): Promise<void> {
  const { database, vectorType } = services
  const { workspace_id: workspaceId, query_hash: queryHash, last_signal_at: lastSignalAt } = row
  const readText = () => database.workspace(workspaceId, tx => loggedText(tx, workspaceId, queryHash))
  const text = await readText()
  const known = text === undefined ? undefined : await knownQuery(services, text, PATIENCE_MS)
  if (!known) return
  await database.workspace(workspaceId, async tx => {
    // Whoever deleted the text meanwhile wants nothing of it kept.
    if ((await loggedText(tx, workspaceId, queryHash)) === undefined) return
    await keepQuery(tx, vectorType, workspaceId, queryHash, known, lastSignalAt)
  })
}
