import { LRUCache } from 'lru-cache'
import {
  type Database,
  type Fragment,
  type Holding,
  held,
  type Logger,
  paced,
  plainArray,
  type Tx,
  textArray,
} from 'mneme/plugin'
import { v7 } from 'uuid'
import type { SearchMode, UserEraser } from '../../memories/contract.ts'
import { analysisSteps, analyze } from '../analysis/analyze.ts'
import { lexemePrefix, toTsvector, tsvectorSteps } from '../analysis/tsvector.ts'
import { queryHash } from '../query/prepare.ts'

/** So many characters of a workspace's searches are kept at once, if few came before them: those of 50,000 usual searches. */
const BURST_CHARACTERS = 2_000_000

/** So many more each second, as of five usual searches. A character takes up to 34 bytes of the disk, with the indexes of its words. */
const CHARACTERS_PER_SECOND = 200

/** Beyond so many workspaces the one that searched longest ago is forgotten; most of what it took has come back by then. */
const WORKSPACES_MAX = 10_000

const CHARACTERS_PER_MS = CHARACTERS_PER_SECOND / 1000

const BURST_MS = BURST_CHARACTERS / CHARACTERS_PER_MS

/**
 * Bounds the texts of searches that are kept of a workspace in a time, by the generic cell rate algorithm (ITU-T I.371, annex A): a key that
 * may only read would otherwise fill the disk with searches for new words.
 */
export class TextRoom {
  /** When all that was taken would have come back, by workspace. */
  readonly #backAt = new LRUCache<string, number>({ max: WORKSPACES_MAX })

  /**
   * Takes room for a text where there is enough.
   * @param now in milliseconds, of a clock that is never put back
   */
  take(workspaceId: string, characters: number, now: number): boolean {
    const backAt = Math.max(this.#backAt.get(workspaceId) ?? now, now) + characters / CHARACTERS_PER_MS
    if (backAt - now > BURST_MS) return false
    this.#backAt.set(workspaceId, backAt)
    return true
  }
}

/** One logged search. */
export interface LoggedSearch {
  readonly workspaceId: string
  readonly query: string
  readonly queryHash: string
  readonly mode: SearchMode
  /** The user whose memories were searched; null for all users. */
  readonly userId: string | null
  /** The search had any filter; which ones is not logged. */
  readonly isFiltered: boolean
  /** The total of the response. */
  readonly results: number
  readonly bestScore: number | null
  readonly durationMs: number
  /** When the search began. */
  readonly createdAt: Date
  /**
   * The same as a reading of `performance.now()`: whatever was deleted since then must not come into the log with it, also where the clock
   * was put back meanwhile.
   */
  readonly startedAt: number
}

/** This many searches are buffered. More arrive only while the database is away, and then the newest are dropped. */
const WAITING_MAX = 10_000
/** A query has at most 1,000 characters, and each search some figures beside it. */
const WAITING_BYTES_MAX = 10_000 * 2_500
/** No query has more words. */
const QUERY_WORDS_MAX = 4_000
/** A search waits this long at most for the deletions in its workspace; its moment passes between two of them. */
const POSTPONED_MS = 120_000
/** Word of a deletion is kept longer than any search waits. */
export const FORGOTTEN_KEPT_MS = 3_600_000

interface WaitingSearch extends LoggedSearch {
  /**
   * Version 7, so ascending ids are the order in time. It is given once: where only the reply to a write is lost, the next flush writes the
   * search again, and the database keeps one of the two.
   */
  readonly id: string
  /** There was room for its text, which is logged with it. */
  readonly hasText: boolean
}

function bytesOf({ query }: LoggedSearch): number {
  return 500 + 2 * query.length
}

/** Buffers searches and writes them every second, so that logging never delays a search. */
export class QueryLog {
  #waiting: WaitingSearch[] = []
  #dropped = 0
  readonly #textRoom = new TextRoom()
  readonly holding: Holding = held({
    name: 'search.query_log',
    maxBytes: WAITING_BYTES_MAX,
    bytes: () => this.#waiting.reduce((sum, search) => sum + bytesOf(search), 0),
  })

  constructor(
    private readonly database: Database,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  add(search: LoggedSearch): void {
    if (this.#waiting.length >= WAITING_MAX) {
      this.#dropped++
      return
    }
    const hasText = this.#textRoom.take(search.workspaceId, search.query.length, performance.now())
    this.#waiting.push({ ...search, id: v7(), hasText })
  }

  /** Returns the text of a buffered query by its hash. */
  waitingText(workspaceId: string, queryHash: string): string | undefined {
    return this.#waiting.findLast(search => search.workspaceId === workspaceId && search.queryHash === queryHash)?.query
  }

  async flush(): Promise<void> {
    if (this.#dropped > 0) this.log.warn({ dropped: this.#dropped }, 'searches were not logged')
    this.#dropped = 0
    if (this.#waiting.length === 0) return
    let batch: WaitingSearch[] | undefined
    try {
      const { refused, left } = await this.database.system(async tx => {
        // Taken once it is their turn, so that feedback finds their texts until then.
        batch ??= this.#waiting.splice(0)
        const free = await withoutDeletions(tx, batch)
        const written = batch.filter(({ workspaceId }) => free.has(workspaceId))
        return {
          refused: written.length > 0 ? await insertSearches(tx, written) : 0,
          left: batch.filter(({ workspaceId }) => !free.has(workspaceId)),
        }
      })
      const oldest = performance.now() - POSTPONED_MS
      const postponed = left.filter(({ startedAt }) => startedAt > oldest)
      this.#dropped += left.length - postponed.length
      this.#takeBack(postponed)
      this.#report(refused)
    } catch (error) {
      this.#takeBack(batch ?? [])
      throw error
    }
  }

  #takeBack(searches: readonly WaitingSearch[]): void {
    this.#waiting = [...searches, ...this.#waiting].slice(0, WAITING_MAX)
  }

  /**
   * Deletes the searches that contain every word of one of these memories, which must still be indexed. Searches that any server has yet to
   * write are left out there if they may contain one.
   */
  async forget(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await Promise.all([holdFlushes(tx, workspaceId), deleteSearches(tx, ids), noteForgotten(tx, workspaceId, ids)])
  }

  /** Does the same for texts of which none need be indexed. */
  async forgetTexts(tx: Tx, workspaceId: string, texts: readonly string[]): Promise<void> {
    const forgotten = await wordsOf(workspaceId, texts)
    if (forgotten.length === 0) return
    await Promise.all([
      holdFlushes(tx, workspaceId),
      deleteSearchesOf(tx, forgotten),
      noteLength(tx, workspaceId, Math.min(...forgotten.map(({ length }) => length))),
    ])
  }

  /**
   * The searches of a user that any server has yet to write are not written, nor are those of anybody for the user's id, and what was learned
   * about these goes.
   */
  async forgetUser(tx: Tx, workspaceId: string, userId: string): Promise<void> {
    const hash = queryHash(userId)
    await Promise.all([
      holdFlushes(tx, workspaceId),
      tx`
        insert into search.forgotten_text (workspace_id, length, digest)
        values
          (${workspaceId}, 0, search.user_digest(${workspaceId}, ${userId})),
          (${workspaceId}, 0, search.user_digest(${workspaceId}, ${hash}))`,
      tx`
        delete from search.query_log
        where query_log.workspace_id = ${workspaceId} and query_log.query_hash = ${hash}`,
      tx`
        delete from search.feedback_query
        where feedback_query.workspace_id = ${workspaceId} and feedback_query.query_hash = ${hash}`,
    ])
  }

  /**
   * Searches that the database refuses are dropped, because it would refuse them again. The message does not quote the query, which is
   * private.
   */
  #report(refused: number): void {
    if (refused > 0) this.log.warn({ refused }, 'searches were not logged: the database refuses their data')
  }
}

/** The first key of the advisory locks that deletions share, and that a flush has alone: neither misses what the other writes. */
const LOG_LOCK = 1_936_028_774

/**
 * Workspaces share this many locks, a power of two: a flush takes those of all its workspaces, and a database has room for some thousands.
 */
const LOCKS = 1024

function lockKey(tx: Tx, workspaceId: Fragment): Fragment {
  return tx`hashtext(${workspaceId}) & ${LOCKS - 1}`
}

/**
 * Flushes wait for the end of the transaction. The statement is sent at once, ahead of those that are built after it: one that is only
 * awaited beside them would be sent behind them, and they would miss what a flush writes meanwhile.
 */
function holdFlushes(tx: Tx, workspaceId: string): Promise<unknown> {
  return tx`select pg_advisory_xact_lock_shared(${LOG_LOCK}, ${lockKey(tx, tx`${workspaceId}`)})`.execute()
}

/** Returns the workspaces in which no deletion is under way, and none will be until the transaction ends. */
async function withoutDeletions(tx: Tx, searches: readonly WaitingSearch[]): Promise<ReadonlySet<string>> {
  const workspaces = [...new Set(searches.map(({ workspaceId }) => workspaceId))]
  const rows = await tx<{ id: string }[]>`
    select workspace.id
    from unnest(${plainArray(workspaces)}::text[]) as workspace (id)
    where pg_try_advisory_xact_lock(${LOG_LOCK}, ${lockKey(tx, tx`workspace.id`)})`
  return new Set(rows.map(({ id }) => id))
}

/** @returns how many searches the database refused */
async function insertSearches(tx: Tx, searches: readonly WaitingSearch[]): Promise<number> {
  const rows = textArray(searches.map(search => JSON.stringify(toRow(search))))
  const [kept] = await tx<{ refused: number }[]>`select search.keep_searches(${rows}::text[]) as refused`
  return kept?.refused ?? 0
}

function toRow(search: WaitingSearch) {
  const query = search.hasText ? search.query : ''
  const analysis = analyze(query)
  return {
    workspace_id: search.workspaceId,
    id: search.id,
    query,
    query_hash: search.queryHash,
    mode: search.mode,
    user_id: search.userId,
    is_filtered: search.isFiltered,
    results: search.results,
    best_score: search.bestScore,
    duration_ms: search.durationMs,
    words: toTsvector(analysis, lexemePrefix(search.workspaceId)),
    length: analysis.length,
    has_text: search.hasText,
    created_at: search.createdAt,
    age_ms: performance.now() - search.startedAt,
  }
}

async function deleteSearches(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`select search.forget_searches(${plainArray(ids)}::uuid[])`
}

interface ForgottenText {
  readonly words: string
  readonly length: number
}

/** Analyses those of the texts that a search can hold. */
async function wordsOf(workspaceId: string, texts: readonly string[]): Promise<ForgottenText[]> {
  const prefix = lexemePrefix(workspaceId)
  const forgotten: ForgottenText[] = []
  for (const text of texts) {
    const analysis = await paced(analysisSteps(text))
    if (analysis.length === 0 || analysis.length > QUERY_WORDS_MAX) continue
    forgotten.push({ words: await paced(tsvectorSteps(analysis, prefix)), length: analysis.length })
  }
  return forgotten
}

async function deleteSearchesOf(tx: Tx, texts: readonly ForgottenText[]): Promise<void> {
  await tx`
    select search.forget_texts(
      ${textArray(texts.map(({ words }) => words))}::text[],
      ${plainArray(texts.map(({ length }) => length))}::integer[]
    )`
}

async function noteLength(tx: Tx, workspaceId: string, length: number): Promise<void> {
  await tx`insert into search.forgotten_text (workspace_id, length) values (${workspaceId}, ${length})`
}

/** Leaves word of a deletion for the searches that are still to be written. */
async function noteForgotten(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  await tx`
    insert into search.forgotten_text (workspace_id, forgotten_at, id, length)
    select document.workspace_id, statement_timestamp(), ${v7()}::uuid, min(document.length)
    from search.document
    where document.workspace_id = ${workspaceId}
      and document.memory_id = any(${plainArray(ids)}::uuid[])
      and document.length > 0
    group by document.workspace_id
    having min(document.length) <= ${QUERY_WORDS_MAX}`
}

/**
 * Erases what search keeps of a user beside the rows that name one: what was learned about queries that nobody's feedback is left for, words
 * that no other text has, documents at Typesense, and searches that are still to be logged.
 */
export function createUserEraser(log: QueryLog): UserEraser {
  return {
    id: 'search',
    async begin(tx, workspaceId) {
      await tx`
        delete from search.feedback_query
        where feedback_query.workspace_id = ${workspaceId}
          and not exists (
            select
            from search.feedback
            where feedback.workspace_id = ${workspaceId}
              and feedback.query_hash = feedback_query.query_hash
          )`
    },
    async isDone(tx, workspaceId, _userId, removedAt) {
      const [row] = await tx<{ done: boolean }[]>`
        select
          not exists (
            select
            from search.term_delta
            where term_delta.workspace_id = ${workspaceId}
              and term_delta.written_at <= ${removedAt}
          )
          and not exists (
            select
            from search.typesense_queue
            where typesense_queue.workspace_id = ${workspaceId}
              and not typesense_queue.acknowledged
              and not exists (
                select
                from search.document
                where document.workspace_id = ${workspaceId}
                  and document.memory_id = typesense_queue.memory_id
              )
          ) as done`
      return row?.done ?? true
    },
    end: (tx, workspaceId, userId) => log.forgetUser(tx, workspaceId, userId),
  }
}
