import { setTimeout as pause } from 'node:timers/promises'
import { Counter, type Registry } from 'prom-client'
import { type Database, type Fragment, isUnavailable, type Tx } from '../db/database.ts'
import { textArray } from '../db/literals.ts'
import { isBusy } from '../db/turns.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { EmbedderUnavailableError } from '../models/embedder.ts'
import { BoundedCache, SMALL_BYTES } from '../resources/bounded-cache.ts'
import { keepOut, type Place, readHeld, takeBack, WHOLE_WORKSPACE } from './store.ts'

/** Work on items of many workspaces, none of which may stop the others. */
export interface Sweep<T> {
  /** `<plugin>:<verb>`, as its task is called; operators see it. */
  readonly name: string
  readonly items: readonly T[]
  workspaceOf(item: T): string
  /** Tells items of one workspace apart. Left out, the workspace is the item. */
  idOf?(item: T): string
  readonly signal: AbortSignal
  /**
   * Does the work on items of one workspace in transactions of its own. It is called again with fewer items where it throws, so what
   * it has done by then must bear that.
   */
  work(workspaceId: string, items: readonly T[]): Promise<unknown>
}

export interface SweepOutcome {
  /** Items whose work is done. */
  readonly done: number
  /** Items that are left out from now on, or were before. */
  readonly heldBack: number
  /** A workspace took all its turns of the database, so some of its items are left to the next run. */
  readonly wasBusy: boolean
}

/** Lets sweeps leave out what they cannot work on. Operators see it with `bun run server doctor`, and give it back. */
export interface Quarantine {
  /**
   * Works on each workspace's items, leaves out those that are held back, and holds back those that fail by themselves: for an hour,
   * then twice as long, a day at the most. A workspace that goes on failing is left out as a whole; one that takes all its turns of the
   * database is left to the next run.
   * @throws what means that no item can be worked on now: the database or the model is away, or `signal` is aborted
   */
  sweep<T>(sweep: Sweep<T>): Promise<SweepOutcome>
  /**
   * A condition for the statement that finds a sweep's items, so that those held back do not take the place of others, nor those of a
   * workspace that has just taken all its turns.
   * @param workspace the column with the workspace, as `edge.workspace_id`
   * @param row the column with the item's id
   */
  admits(tx: Tx, sweep: string, workspace: string, row?: string): Fragment
}

export interface QuarantineParts {
  readonly database: Database
  readonly log: Logger
  readonly registry: Registry
  /** Milliseconds of a clock that never goes back; tests replace it. */
  readonly now?: () => number
}

/** A workspace that took all its turns of the database is not looked for again for as long as a turn is waited for. */
const BUSY_MS = 30_000
const BUSY_MAX = 1000

/** Failing items of one workspace in one sweep; with one more the workspace is left out as a whole. */
const FAILURES_MAX = 20

/** @returns the quarantine of each plugin, by its id */
export function createQuarantine({ database, log, registry, now }: QuarantineParts): (plugin: string) => Quarantine {
  const busy = new BoundedCache<true>({
    name: 'quarantine.busy',
    max: BUSY_MAX,
    maxBytes: 2 * BUSY_MAX * SMALL_BYTES,
    ttlMs: BUSY_MS,
    ...(now ? { now } : {}),
  })
  const failures = new Counter({
    name: 'mneme_quarantined_total',
    help: 'Items that a job for all workspaces failed on, and holds back.',
    labelNames: ['plugin', 'sweep'],
    registers: [registry],
  })
  return plugin => {
    const report = async (place: Place, error: unknown) => {
      failures.labels(plugin, place.sweep).inc()
      log.warn(
        { err: error, plugin, sweep: place.sweep, workspace: place.workspaceId, row: place.rowId },
        'an item cannot be worked on and is held back; the others go on',
      )
      await database.system(tx => keepOut(tx, { ...place, plugin, error }))
    }
    return {
      async sweep(sweep) {
        // Prometheus sees no increase in a series that begins with its first failure.
        failures.labels(plugin, sweep.name).inc(0)
        return new Run(database, sweep, { report, wasBusy: id => busy.set(id, true) }).all()
      },
      admits: (tx, sweep, workspace, row) => tx`
        not exists (
          select
          from core.quarantine as held
          where held.workspace_id = ${tx(workspace)}
            and held.sweep = ${sweep}
            and held.row_id in (${WHOLE_WORKSPACE}, ${row === undefined ? WHOLE_WORKSPACE : tx`${tx(row)}::text`})
            and held.retry_at > now()
        )
        ${leavesOut(tx, workspace, busy)}`,
    }
  }
}

function leavesOut(tx: Tx, workspace: string, busy: BoundedCache<true>): Fragment {
  const ids = busy.entries().map(([id]) => id)
  return ids.length === 0 ? tx`` : tx`and ${tx(workspace)}::text <> all(${textArray(ids)}::text[])`
}

interface Told {
  report(place: Place, error: unknown): Promise<void>
  wasBusy(workspaceId: string): void
}

/** One call of {@link Quarantine.sweep}. */
class Run<T> {
  readonly #database: Database
  readonly #sweep: Sweep<T>
  readonly #told: Told
  #done = 0
  #heldBack = 0
  #wasBusy = false
  /** These two are of the workspace whose turn it is. */
  #failed = 0
  #isBusy = false

  constructor(database: Database, sweep: Sweep<T>, told: Told) {
    this.#database = database
    this.#sweep = sweep
    this.#told = told
  }

  async all(): Promise<SweepOutcome> {
    const { items, name, signal, workspaceOf } = this.#sweep
    if (items.length === 0) return { done: 0, heldBack: 0, wasBusy: false }
    const held = await this.#database.system(tx => readHeld(tx, name))
    for (const [workspaceId, own] of Map.groupBy(items, workspaceOf)) {
      signal.throwIfAborted()
      const rows = held.get(workspaceId)
      const admitted = own.filter(item => !(rows?.get(WHOLE_WORKSPACE) ?? rows?.get(this.#idOf(item))))
      this.#heldBack += own.length - admitted.length
      this.#failed = 0
      this.#isBusy = false
      await this.#halve(workspaceId, admitted)
      this.#wasBusy ||= this.#isBusy
      // A row that was held back before and works again is forgotten.
      const returned = [...new Set(admitted.map(item => this.#idOf(item)))].filter(id => rows?.has(id))
      if (returned.length > 0 && this.#failed === 0 && !this.#isBusy) {
        await this.#database.system(tx => takeBack(tx, workspaceId, name, returned))
      }
      // Other work gets in between workspaces.
      await pause(0)
    }
    return { done: this.#done, heldBack: this.#heldBack, wasBusy: this.#wasBusy }
  }

  #idOf(item: T): string {
    return this.#sweep.idOf?.(item) ?? WHOLE_WORKSPACE
  }

  /** Works on items together, and by halves where that fails, until the failing ones stand alone. */
  async #halve(workspaceId: string, items: readonly T[]): Promise<void> {
    const [first, ...others] = items
    if (first === undefined || this.#isBusy) return
    if (this.#failed > FAILURES_MAX) {
      this.#heldBack += items.length
      return
    }
    try {
      await this.#sweep.work(workspaceId, items)
      this.#done += items.length
    } catch (error) {
      this.#sweep.signal.throwIfAborted()
      if (stopsAll(error)) throw error
      // It takes all its turns of the database at the moment, so the rest of its items is left to the next run.
      if (isBusy(error)) {
        this.#isBusy = true
        return this.#told.wasBusy(workspaceId)
      }
      // It ended meanwhile, and what is left of it goes by itself.
      if (error instanceof AppError && error.code === 'WORKSPACE_NOT_FOUND') return
      if (others.length === 0 || !this.#sweep.idOf) {
        this.#heldBack += items.length
        return this.#holdBack(workspaceId, this.#idOf(first), error)
      }
      const half = Math.ceil(items.length / 2)
      await this.#halve(workspaceId, items.slice(0, half))
      await this.#halve(workspaceId, items.slice(half))
    }
  }

  async #holdBack(workspaceId: string, rowId: string, error: unknown): Promise<void> {
    this.#failed++
    const tooMany = this.#failed > FAILURES_MAX
    await this.#told.report({ sweep: this.#sweep.name, workspaceId, rowId: tooMany ? WHOLE_WORKSPACE : rowId }, error)
  }
}

/** No other item would fare better. */
function stopsAll(error: unknown): boolean {
  return isUnavailable(error) || error instanceof EmbedderUnavailableError
}
