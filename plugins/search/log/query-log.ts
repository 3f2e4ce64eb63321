import { type Database, type Holding, held, type Logger, plainArray, type Tx, textArray } from 'mneme/plugin'
import { v7 } from 'uuid'
import type { SearchMode } from '../../memories/contract.ts'
import { analyze } from '../analysis/analyze.ts'
import { toTsvector } from '../analysis/tsvector.ts'
import { lexemePrefix } from '../engine/postgres/prefix.ts'

/** One logged search. */
export interface LoggedSearch {
  readonly workspaceId: string
  readonly query: string
  readonly queryHash: string
  readonly mode: SearchMode
  /** The user whose memories were searched; null for all users. */
  readonly userId: string | null
  /** The total of the response. */
  readonly results: number
  readonly bestScore: number | null
  readonly durationMs: number
  readonly createdAt: Date
}

/** This many searches are buffered. More arrive only while the database is away, and then the newest are dropped. */
const WAITING_MAX = 10_000
/** A query has at most 1,000 characters, and each search some figures beside it. */
const WAITING_BYTES_MAX = 10_000 * 2_500

function bytesOf({ query }: LoggedSearch): number {
  return 500 + 2 * query.length
}

/** Buffers searches and writes them every second, so that logging never delays a search. */
export class QueryLog {
  #waiting: LoggedSearch[] = []
  #dropped = 0
  readonly holding: Holding = held({
    name: 'search.query_log',
    maxBytes: WAITING_BYTES_MAX,
    bytes: () => this.#waiting.reduce((sum, search) => sum + bytesOf(search), 0),
  })

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
  ) {}

  add(search: LoggedSearch): void {
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(search)
    else this.#dropped++
  }

  /** Returns the text of a buffered query by its hash. */
  waitingText(workspaceId: string, queryHash: string): string | undefined {
    return this.#waiting.findLast(search => search.workspaceId === workspaceId && search.queryHash === queryHash)?.query
  }

  async flush(): Promise<void> {
    if (this.#dropped > 0) this.log.warn({ dropped: this.#dropped }, 'searches were not logged')
    this.#dropped = 0
    if (this.#waiting.length === 0) return
    let batch: LoggedSearch[] | undefined
    try {
      const refused = await this.database.system(tx => {
        // Taken once it is their turn: a deletion that comes before still finds them waiting.
        batch ??= this.#waiting.splice(0)
        return insertSearches(tx, batch)
      })
      this.#report(refused)
    } catch (error) {
      this.#waiting = [...(batch ?? []), ...this.#waiting].slice(0, WAITING_MAX)
      throw error
    }
  }

  /**
   * Deletes the searches that contain every word of one of these memories, which must still be indexed. The buffer is written first, so
   * that its searches are checked too.
   */
  async forget(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const own = this.#waiting.filter(search => search.workspaceId === workspaceId)
    if (own.length > 0) this.#waiting = this.#waiting.filter(search => search.workspaceId !== workspaceId)
    const [refused] = await Promise.all([own.length > 0 ? insertSearches(tx, own) : 0, deleteSearches(tx, ids)])
    this.#report(refused)
  }

  /**
   * Searches that the database refuses are dropped, because it would refuse them again. The message does not quote the query, which is
   * private.
   */
  #report(refused: number): void {
    if (refused > 0) this.log.warn({ refused }, 'searches were not logged: the database refuses their data')
  }
}

/** @returns how many searches the database refused */
async function insertSearches(tx: Tx, searches: readonly LoggedSearch[]): Promise<number> {
  const rows = textArray(searches.map(search => JSON.stringify(toRow(search))))
  const [kept] = await tx<{ refused: number }[]>`select search.keep_searches(${rows}::text[]) as refused`
  return kept?.refused ?? 0
}

function toRow(search: LoggedSearch) {
  const analysis = analyze(search.query)
  return {
    workspace_id: search.workspaceId,
    id: v7(),
    query: search.query,
    query_hash: search.queryHash,
    mode: search.mode,
    user_id: search.userId,
    results: search.results,
    best_score: search.bestScore,
    duration_ms: search.durationMs,
    words: toTsvector(analysis, lexemePrefix(search.workspaceId)),
    length: analysis.length,
    created_at: search.createdAt,
  }
}

async function deleteSearches(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`select search.forget_searches(${plainArray(ids)}::uuid[])`
}
