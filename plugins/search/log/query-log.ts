import { type Database, type Logger, plainArray, type Tx, textArray } from 'mneme/plugin'
import { v7 } from 'uuid'
import type { SearchMode } from '../../memories/contract.ts'
import { analyze } from '../analysis/analyze.ts'
import { toTsvector } from '../analysis/tsvector.ts'
import { lexemePrefix } from '../engine/postgres/prefix.ts'

/** One search as it is logged. */
export interface LoggedSearch {
  readonly workspaceId: string
  readonly query: string
  readonly queryHash: string
  readonly mode: SearchMode
  /** The user whose memories were searched; null when it was those of all. */
  readonly userId: string | null
  /** All matches, as the answer counted them. */
  readonly results: number
  readonly bestScore: number | null
  readonly durationMs: number
  readonly createdAt: Date
}

/** Searches waiting to be written; more come only when the database is away, and then the newest are dropped. */
const WAITING_MAX = 10_000

/** Keeps searches in memory and writes them every second, so that logging never makes a search wait. */
export class QueryLog {
  #waiting: LoggedSearch[] = []
  #dropped = 0

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
  ) {}

  add(search: LoggedSearch): void {
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(search)
    else this.#dropped++
  }

  /** What was asked under a hash, as long as it waits here to be written. */
  waitingText(workspaceId: string, queryHash: string): string | undefined {
    return this.#waiting.findLast(search => search.workspaceId === workspaceId && search.queryHash === queryHash)?.query
  }

  async flush(): Promise<void> {
    if (this.#dropped > 0) this.log.warn({ dropped: this.#dropped }, 'searches were not logged')
    this.#dropped = 0
    const batch = this.#waiting.splice(0)
    if (batch.length === 0) return
    try {
      this.#report(await this.database.system(tx => insertSearches(tx, batch)))
    } catch (error) {
      this.#waiting = [...batch, ...this.#waiting].slice(0, WAITING_MAX)
      throw error
    }
  }

  /**
   * Forgets the searches that hold every word of one of these memories, which must still be indexed. What waits in memory is
   * written first, so that it is looked at too.
   */
  async forget(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const own = this.#waiting.filter(search => search.workspaceId === workspaceId)
    if (own.length > 0) this.#waiting = this.#waiting.filter(search => search.workspaceId !== workspaceId)
    const [refused] = await Promise.all([own.length > 0 ? insertSearches(tx, own) : 0, deleteSearches(tx, ids)])
    this.#report(refused)
  }

  /** What was refused for its data would be refused again, for ever; the query itself is nobody's business in a log. */
  #report(refused: number): void {
    if (refused > 0) this.log.warn({ refused }, 'searches were left out of the log: the database refuses their data')
  }
}

/** @returns how many the database refused for their data */
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
