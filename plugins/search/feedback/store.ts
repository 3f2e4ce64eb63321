import { plainArray, type Tx } from 'mneme/plugin'
import type { FeedbackSignal } from '../../memories/contract.ts'
import type { ModelId } from '../engine/engine.ts'
import { type VectorType, vectorParameter } from '../engine/postgres/embeddings.ts'

/** Signals without a query are stored under this hash. */
export const NO_QUERY = ''

/** The known facts about the query of a signal. */
export interface KnownQuery {
  readonly model: ModelId
  readonly vector: Float32Array
  /** The digest of the query, see `marksOf`. */
  readonly marks: string
}

/** Counts a signal and stores its query's vector if it is known. The statements are sent without awaiting one another. */
export async function recordSignal(
  tx: Tx,
  type: VectorType,
  { workspaceId, memoryId, signal, queryHash }: FeedbackSignal,
  query: KnownQuery | undefined,
  now: Date,
): Promise<void> {
  const [positive, negative, neutral] = ['POSITIVE', 'NEGATIVE', 'NEUTRAL'].map(kind => Number(kind === signal))
  const hash = queryHash ?? NO_QUERY
  const counted = tx`
    insert into search.feedback (
      workspace_id, query_hash, memory_id, positive, negative, neutral, last_signal, last_signal_at
    )
    values (
      ${workspaceId}, ${hash}, ${memoryId}, ${positive ?? 0}, ${negative ?? 0}, ${neutral ?? 0}, ${signal}, ${now}
    )
    on conflict on constraint feedback_pk do update
    set positive = feedback.positive + excluded.positive,
      negative = feedback.negative + excluded.negative,
      neutral = feedback.neutral + excluded.neutral,
      last_signal = excluded.last_signal,
      last_signal_at = excluded.last_signal_at`
  await Promise.all([
    counted,
    query && queryHash ? storeQuery(tx, type, workspaceId, queryHash, query, now) : undefined,
  ])
}

/** Stores a query's vector, or updates the time it was last used. */
export async function storeQuery(
  tx: Tx,
  type: VectorType,
  workspaceId: string,
  queryHash: string,
  { model, vector, marks }: KnownQuery,
  now: Date,
): Promise<void> {
  await tx`
    insert into search.feedback_query (workspace_id, query_hash, model, embedding, marks, last_signal_at)
    values (${workspaceId}, ${queryHash}, ${model}, ${vectorParameter(tx, type, vector)}, ${marks}, ${now})
    on conflict on constraint feedback_query_pk do update
    set model = excluded.model,
      embedding = excluded.embedding,
      marks = excluded.marks,
      last_signal_at = excluded.last_signal_at`
}

/** Deletes the signals of removed memories, and queries without signals for any other memory. */
export async function deleteSignals(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx`
    with gone as (
      delete from search.feedback
      where feedback.workspace_id = ${workspaceId}
        and feedback.memory_id = any(${plainArray(ids)}::uuid[])
      returning feedback.query_hash
    )
    delete from search.feedback_query
    where feedback_query.workspace_id = ${workspaceId}
      and feedback_query.query_hash in (select gone.query_hash from gone)
      and not exists (
        select
        from search.feedback as other
        where other.workspace_id = ${workspaceId}
          and other.query_hash = feedback_query.query_hash
          and other.memory_id <> all(${plainArray(ids)}::uuid[])
      )`
}
