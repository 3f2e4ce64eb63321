import type { Database, Quarantine, Tx } from 'mneme/plugin'
import type { SearchMode } from '../../memories/contract.ts'
import { NO_QUERY } from '../feedback/store.ts'

/** A query with signals that can be replayed. */
export interface SignalledQuery {
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
export async function readSignalled(tx: Tx, workspaceId: string, since: Date | null): Promise<SignalledQuery[]> {
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
