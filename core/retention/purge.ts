import type { TenantDirectory } from '../auth/directory.ts'
import type { Database, Tx } from '../db/database.ts'
import { leastId } from '../db/least-id.ts'
import { textArray } from '../db/literals.ts'
import { DAY_MS } from '../durations.ts'
import type { Logger } from '../log.ts'
import type { MountedRetention } from './retention.ts'

export interface PurgeParts {
  readonly database: Database
  readonly directory: Pick<TenantDirectory, 'find'>
  readonly log: Logger
  readonly metrics?: { removed(name: string, rows: number): void; failed(name: string): void }
}

/** One transaction takes so many rows, so that none holds its locks for long. */
const BATCH = 1000
const REMOVAL_BATCH = 500
/** A workspace has so many batches before the others have their turn. */
const BATCHES_OF_TURN = 5
/** So many rows of a workspace may fail in a turn before it is left for the next hour. */
const FAILURES_MAX = 50

/**
 * Removes expired rows of one workspace, for a turn of a few batches. Rows that cannot be removed are reported and left
 * where they are.
 * @param now the database's: a server with a wrong clock must not remove what is kept
 * @returns whether there is more to remove
 */
export async function purgeWorkspace(
  parts: PurgeParts,
  mounted: MountedRetention,
  workspaceId: string,
  now: Date,
  signal: AbortSignal,
): Promise<boolean> {
  const before = await cutOff(parts, mounted, workspaceId, now)
  if (!before) return false
  const turn = new Turn(parts, mounted, workspaceId, before)
  for (let n = 0; n < BATCHES_OF_TURN; n++) {
    signal.throwIfAborted()
    if (!(await turn.batch())) return false
  }
  return true
}

/** Returns the time since which rows of the workspace are kept; undefined when all are. */
async function cutOff(
  { directory }: PurgeParts,
  { retention, keepMs }: MountedRetention,
  workspaceId: string,
  now: Date,
): Promise<Date | undefined> {
  const { workspaceSetting } = retention
  let kept = keepMs ?? Number.POSITIVE_INFINITY
  if (workspaceSetting) {
    // A workspace that ended meanwhile is erased as a whole.
    const workspace = await directory.find(workspaceId)
    const days = workspace ? workspaceSetting.of(workspace) : null
    if (days !== null) kept = Math.min(kept, days * DAY_MS)
  }
  return Number.isFinite(kept) ? new Date(now.getTime() - kept) : undefined
}

class Turn {
  readonly #parts: PurgeParts
  readonly #mounted: MountedRetention
  readonly #workspaceId: string
  readonly #before: Date
  /** Keys of rows that could not be removed. */
  readonly #failed: string[] = []

  constructor(parts: PurgeParts, mounted: MountedRetention, workspaceId: string, before: Date) {
    this.#parts = parts
    this.#mounted = mounted
    this.#workspaceId = workspaceId
    this.#before = before
  }

  /** @returns whether there may be more */
  async batch(): Promise<boolean> {
    const most = this.#batchMax
    try {
      const removed = await this.#remove(most)
      return removed === most
    } catch (error) {
      const keys = await this.#oneByOne(error)
      return keys === most && this.#failed.length < FAILURES_MAX
    }
  }

  get #batchMax(): number {
    const { removal } = this.#mounted.retention
    return removal ? (removal.batchMax ?? REMOVAL_BATCH) : BATCH
  }

  async #remove(most: number): Promise<number> {
    const removed = await this.#transaction(async tx => {
      const keys = await this.#find(tx, most)
      await this.#removeKeys(tx, keys)
      return keys.length
    })
    this.#parts.metrics?.removed(this.#mounted.retention.table, removed)
    return removed
  }

  /**
   * Handles a batch that failed as a whole.
   * @returns how many rows it had
   */
  async #oneByOne(cause: unknown): Promise<number> {
    const keys = await this.#transaction(tx => this.#find(tx, this.#batchMax))
    for (const key of keys) {
      if (this.#failed.length >= FAILURES_MAX) break
      try {
        await this.#transaction(async tx => {
          const still = await this.#find(tx, 1, key)
          await this.#removeKeys(tx, still)
        })
        this.#parts.metrics?.removed(this.#mounted.retention.table, 1)
      } catch (error) {
        this.#failed.push(key)
        this.#report(error, key)
      }
    }
    if (keys.length === 0) this.#report(cause, undefined)
    return keys.length
  }

  #report(error: unknown, key: string | undefined): void {
    const { owner, retention } = this.#mounted
    this.#parts.metrics?.failed(retention.table)
    this.#parts.log.warn(
      { err: error, plugin: owner, table: retention.table, workspace: this.#workspaceId, row: key },
      'what is older than it is kept cannot be removed; tried again in an hour',
    )
  }

  /** Locks the oldest expired rows and returns their keys; one row only, where a key is given. */
  async #find(tx: Tx, most: number, only?: string): Promise<string[]> {
    const { table, where, removal } = this.#mounted.retention
    const key = removal ? tx`item.${tx(removal.key)}` : tx`item.ctid`
    const rows = await tx<{ key: string }[]>`
      select ${key}::text as key
      from ${tx(table)} as item
      where item.workspace_id = ${this.#workspaceId}
        and ${this.#isOld(tx)}
        ${where === undefined ? tx`` : tx`and (${this.#condition(tx, where)})`}
        ${only === undefined ? tx`` : tx`and ${key}::text = ${only}`}
        ${this.#failed.length === 0 ? tx`` : tx`and ${key}::text <> all(${textArray(this.#failed)}::text[])`}
      order by item.${tx(this.#mounted.retention.column)}
      limit ${most}
      for update of item skip locked`
    return rows.map(row => row.key)
  }

  async #removeKeys(tx: Tx, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const { retention, scope } = this.#mounted
    const { table, removal } = retention
    if (removal) return removal.run({ tx, workspaceId: this.#workspaceId, keys, scope: scope as never })
    await tx`
      delete from ${tx(table)} as item
      where item.workspace_id = ${this.#workspaceId}
        and item.ctid = any(${textArray(keys)}::tid[])`
  }

  #isOld(tx: Tx) {
    const { column, columnType } = this.#mounted.retention
    if (columnType === 'uuidv7') return tx`item.${tx(column)} < ${leastId(this.#before)}::uuid`
    return tx`item.${tx(column)} < ${this.#before}`
  }

  #condition(tx: Tx, where: string) {
    const [first = '', ...others] = where.split(':before')
    return [tx.unsafe(first), ...others.map(part => tx`${this.#before}::timestamptz ${tx.unsafe(part)}`)]
  }

  #transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#parts.database.workspace(this.#workspaceId, work)
  }
}
