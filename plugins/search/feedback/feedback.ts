import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { BoundedCache, denialsIn, foldWord, normalizeText, plainArray, type Tx } from 'mneme/plugin'
import type { FeedbackSignal } from '../../memories/contract.ts'
import { parseQuery } from '../analysis/parse-query.ts'
import type { ModelId, QueryVector } from '../engine/engine.ts'
import { type VectorType, vectorParameter } from '../engine/postgres/embeddings.ts'
import type { Balance } from '../ranking/signal.ts'
import { DEFAULT_BALANCE } from '../ranking/signals.ts'

/** From this cosine on two queries count as the same question in other words: rewordings lie between 0.86 and 0.97. */
export const SIMILAR_FROM = 0.8

/** A query at the lower bound of similarity counts this fraction of a signal. */
const SIMILAR_SHARE = 0.25

/** The shrinkage constant: a single signal yields a value of one half. */
const DOUBT = 1

/** Signals without a query need more agreement and are capped. */
const GENERAL_DOUBT = 4

const GENERAL_SHARE = 0.2

/** A neutral signal counts a little against both sides. */
const NEUTRAL_WEIGHT = 0.5

/** The query for which signals are looked up. */
export interface FeedbackQuery {
  readonly workspaceId: string
  readonly query: string
  readonly queryHash: string
  /** Without a vector only signals for exactly this query count. */
  readonly vector?: Meaning
}

/** The learned inputs of one search. */
export interface LearnedForQuery {
  readonly balance: Balance
  /** Scores from −1 to 1 by memory, from signals for this query and similar ones. */
  readonly signals: ReadonlyMap<string, number>
  /** Tells whether signals without a query may concern the candidates too. */
  readonly hasGeneral: boolean
}

/** The learned state of a workspace, independent of a query. */
interface WorkspaceState {
  readonly balance: Balance
  readonly hasSignals: boolean
  readonly hasGeneral: boolean
}

/** The first signal and a new balance from another server are visible after this time; later signals at once. */
const STATE_TTL_MS = 5_000
/** After a write by this process the state is not cached for this long, because its transaction may not be visible yet. */
const CHANGED_TTL_MS = 30_000
const WORKSPACES_MAX = 10_000

/** Similar queries are searched among this many of the newest, which bounds the scan. */
const QUERIES_MAX = 1_000
/** This many similar queries count. */
const SIMILAR_MAX = 8
/** A search reads this many signals, those of the nearest queries and the newest first. */
const SIGNALS_MAX = 400

/**
 * Reads learned signals in the search's transaction. A workspace without any costs nothing, others one statement of well under a
 * millisecond.
 */
export class Learned {
  readonly #states = new BoundedCache<WorkspaceState>({
    name: 'search.learned',
    max: WORKSPACES_MAX,
    maxBytes: 1024 * WORKSPACES_MAX,
    ttlMs: STATE_TTL_MS,
  })
  readonly #changed = new LRUCache<string, true>({ max: WORKSPACES_MAX, ttl: CHANGED_TTL_MS })

  constructor(private readonly vectorType: VectorType) {}

  /** Must be called by writers of signals or balances, within the transaction or after it. */
  changed(workspaceId: string): void {
    this.#changed.set(workspaceId, true)
    this.#states.delete(workspaceId)
  }

  async load(tx: Tx, asked: FeedbackQuery): Promise<LearnedForQuery> {
    const known = this.#states.get(asked.workspaceId)
    if (known && !known.hasSignals) return { ...known, signals: NO_SIGNALS }
    const [{ balance, hasGeneral }, rows] = await Promise.all([
      known ?? this.#readState(tx, asked.workspaceId),
      this.#readSignals(tx, asked),
    ])
    return { balance, hasGeneral, signals: signalsOf(rows) }
  }

  /** Combines the signals of a query with those without a query for the given memories. */
  async forMemories(
    tx: Tx,
    workspaceId: string,
    { signals, hasGeneral }: LearnedForQuery,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (!hasGeneral || ids.length === 0) return signals
    const rows = await tx<(SignalCounts & { memory_id: string })[]>`
      select feedback.memory_id, feedback.positive, feedback.negative, feedback.neutral
      from search.feedback
      where feedback.workspace_id = ${workspaceId}
        and feedback.query_hash = ${NO_QUERY}
        and feedback.memory_id = any(${plainArray(ids)}::uuid[])`
    const all = new Map(signals)
    for (const row of rows) all.set(row.memory_id, withGeneral(all.get(row.memory_id) ?? 0, row))
    return all
  }

  async #readState(tx: Tx, workspaceId: string): Promise<WorkspaceState> {
    const [row] = await tx<
      { recency: number | null; priority: number | null; has_signals: boolean; has_general: boolean }[]
    >`
      select
        balance.recency,
        balance.priority,
        exists (
          select
          from search.feedback
          where feedback.workspace_id = ${workspaceId}
            and feedback.query_hash > ${NO_QUERY}
        ) as has_signals,
        exists (
          select
          from search.feedback
          where feedback.workspace_id = ${workspaceId}
            and feedback.query_hash = ${NO_QUERY}
        ) as has_general
      from (select 1) as one
      left join search.balance on balance.workspace_id = ${workspaceId}`
    const learned = row?.recency != null && row.priority != null
    const state: WorkspaceState = {
      balance: learned ? { recency: row.recency ?? 0, priority: row.priority ?? 0 } : DEFAULT_BALANCE,
      hasSignals: row?.has_signals ?? false,
      hasGeneral: row?.has_general ?? false,
    }
    if (!this.#changed.has(workspaceId)) this.#states.set(workspaceId, state)
    return state
  }

  async #readSignals(tx: Tx, { workspaceId, query, queryHash, vector }: FeedbackQuery): Promise<QuerySignals[]> {
    const rows = await tx<(SignalCounts & { memory_id: string; similarity: number })[]>`
      with asked as (
        select ${queryHash}::text as query_hash, 1::double precision as similarity
        ${vector ? tx`union all (${this.#similar(tx, workspaceId, query, queryHash, vector)})` : tx``}
      )
      select
        feedback.memory_id, feedback.positive, feedback.negative, feedback.neutral, asked.similarity
      from asked
      join search.feedback on feedback.workspace_id = ${workspaceId} and feedback.query_hash = asked.query_hash
      order by asked.similarity desc, feedback.last_signal_at desc, feedback.memory_id
      limit ${SIGNALS_MAX}`
    return rows.map(({ memory_id, ...counts }) => ({ memoryId: memory_id, ...counts }))
  }

  #similar(tx: Tx, workspaceId: string, query: string, queryHash: string, { model, values }: Meaning) {
    return tx`
      select near.query_hash, near.similarity
      from (
        select newest.query_hash, -(newest.embedding <#> ${vectorParameter(tx, this.vectorType, values)}) as similarity
        from (
          select feedback_query.query_hash, feedback_query.embedding, feedback_query.marks
          from search.feedback_query
          where feedback_query.workspace_id = ${workspaceId}
            and feedback_query.model = ${model}
          order by feedback_query.last_signal_at desc
          limit ${QUERIES_MAX}
        ) as newest
        where newest.marks = ${marksOf(query)}
          and newest.query_hash <> ${queryHash}
      ) as near
      where near.similarity >= ${SIMILAR_FROM}
      order by near.similarity desc
      limit ${SIMILAR_MAX}`
  }
}

type Meaning = Pick<QueryVector, 'model' | 'values'>

const NO_SIGNALS: ReadonlyMap<string, number> = new Map()

/** The number of signals for a memory, for one query or without one. */
interface SignalCounts {
  readonly positive: number
  readonly negative: number
  readonly neutral: number
}

/** The signals of one memory for one query. */
export interface QuerySignals extends SignalCounts {
  readonly memoryId: string
  /** The cosine of that query and the current one; 1 for the same query. */
  readonly similarity: number
}

/**
 * Scores each memory from −1 to 1 by the signals for this query and similar ones: the surplus of helpful signals, shrunk towards 0 like a
 * mean under a prior of {@link DOUBT} undecided signals. Similar queries count as fractions of a signal.
 */
export function signalsOf(rows: readonly QuerySignals[]): Map<string, number> {
  const pooled = new Map<string, { positive: number; negative: number; neutral: number }>()
  for (const { memoryId, similarity, positive, negative, neutral } of rows) {
    const weight = weightOf(similarity)
    const counts = pooled.get(memoryId) ?? { positive: 0, negative: 0, neutral: 0 }
    counts.positive += weight * positive
    counts.negative += weight * negative
    counts.neutral += weight * neutral
    pooled.set(memoryId, counts)
  }
  return new Map([...pooled].map(([memoryId, counts]) => [memoryId, shrunk(counts, DOUBT)]))
}

/** Adds the signals without a query; the stronger the query's own signals, the less they count. */
export function withGeneral(signal: number, general: SignalCounts): number {
  return signal + GENERAL_SHARE * shrunk(general, GENERAL_DOUBT) * (1 - Math.abs(signal))
}

/** Rises linearly from {@link SIMILAR_SHARE} at {@link SIMILAR_FROM} to 1, and is 0 below. */
export function weightOf(similarity: number): number {
  if (similarity < SIMILAR_FROM) return 0
  const closeness = Math.min(1, (similarity - SIMILAR_FROM) / (1 - SIMILAR_FROM))
  return SIMILAR_SHARE + (1 - SIMILAR_SHARE) * closeness
}

function shrunk({ positive, negative, neutral }: SignalCounts, doubt: number): number {
  return (positive - negative) / (positive + negative + NEUTRAL_WEIGHT * neutral + doubt)
}

/**
 * A digest of the tokens that two queries must share to ask for the same thing, however similar their vectors are: "ticket 4711" and
 * "ticket 4712" have a cosine of 0.94. Words with a digit, exclusions, quotations and denials count, in any order. Empty when
 * there are none.
 */
export function marksOf(query: string): string {
  const quotedOrExcluded = parseQuery(query).clauses.flatMap(({ excluded, terms }) =>
    terms.filter(({ quoted }) => excluded || quoted).map(({ text }) => (excluded ? `-${text}` : `"${text}`)),
  )
  const normal = normalizeText(query)
  const telling = [...(normal.match(WITH_DIGIT) ?? []), ...denialsIn(normal)]
  const marks = new Set([...quotedOrExcluded, ...telling].map(foldWord))
  if (marks.size === 0) return ''
  return createHash('sha256')
    .update(JSON.stringify([...marks].sort()))
    .digest('hex')
    .slice(0, 32)
}

const WITH_DIGIT = /\p{N}[\p{L}\p{N}_]*|(?<![\p{L}_])[\p{L}_]+\p{N}[\p{L}\p{N}_]*/gu

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
