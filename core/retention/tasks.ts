import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { isUnavailable, type Tx } from '../db/database.ts'
import { databaseTime } from '../db/database-time.ts'
import type { MountedTask } from '../jobs/attempt.ts'
import { type JobQueue, type NewJob, type Task, tasksOf } from '../jobs/task.ts'
import { keepOut, WHOLE_WORKSPACE } from '../quarantine/store.ts'
import { type PurgeParts, purgeWorkspace } from './purge.ts'
import { type MountedRetention, nameOf, RETENTION_PREFIX, type Retention } from './retention.ts'

export interface RetentionParts extends PurgeParts {
  readonly queue: JobQueue
}

/** One look into a table finds so many workspaces. */
const PAGE = 200
/**
 * A job of some seconds makes room for others, and ends in time when its process stops; the next one continues from
 * there.
 */
const SLICE_MS = 10_000

/**
 * Records the progress of a pass. It begins at a random workspace and goes round, so that all have their turn also
 * where passes are cut short again and again.
 */
const progress = Type.Object({
  from: Type.String({ minLength: 36, maxLength: 36 }),
  after: Type.String({ minLength: 36, maxLength: 36 }),
  /** The pass has wrapped round to the first workspace, and ends with `from`. */
  round: Type.Boolean(),
  /** Some workspace has more to remove than its turn allowed. */
  more: Type.Boolean(),
})

type Progress = typeof progress.static

const LEAST = '00000000-0000-0000-0000-000000000000'

/** Begins a pass over one table, unless one waits. */
export function retentionJob(retention: MountedRetention, at?: Progress): NewJob {
  const task = retentionName(retention.retention)
  const from = randomUUID()
  return { task, key: task, payload: at ?? { from, after: from, round: false, more: false }, priority: 9 }
}

/**
 * Each table is a task of its own: a failing one keeps no other, and a process without the plugin leaves it to others.
 */
export function retentionTasks(parts: RetentionParts, retentions: readonly MountedRetention[]): MountedTask[] {
  return retentions.map(mounted => ({ task: passOver(mounted), scope: parts }))
}

export function retentionName(retention: Pick<Retention, 'table' | 'column'>): string {
  return `${RETENTION_PREFIX}${nameOf(retention)}`
}

function passOver(mounted: MountedRetention): Task {
  return tasksOf<RetentionParts>()({
    name: retentionName(mounted.retention),
    payload: progress,
    async run({ payload, scope: parts, signal }) {
      const next = await new Pass(parts, mounted, payload).run(signal)
      if (next) await parts.database.system(tx => parts.queue.enqueue(tx, [retentionJob(mounted, next)]))
    },
  }) as Task
}

class Pass {
  readonly #parts: RetentionParts
  readonly #mounted: MountedRetention
  #at: Progress

  constructor(parts: RetentionParts, mounted: MountedRetention, at: Progress) {
    this.#parts = parts
    this.#mounted = mounted
    this.#at = at
  }

  /**
   * Works for a slice.
   * @returns where the next one continues; undefined when nothing is left to do
   */
  async run(signal: AbortSignal): Promise<Progress | undefined> {
    const until = performance.now() + SLICE_MS
    const now = await databaseTime(this.#parts.database)
    for (;;) {
      const page = await this.#page()
      for (const workspaceId of page) {
        await this.#purge(workspaceId, now, signal)
        this.#at = { ...this.#at, after: workspaceId }
        if (performance.now() > until) return this.#at
      }
      if (page.length === PAGE) continue
      if (this.#at.round) break
      this.#at = { ...this.#at, round: true, after: LEAST }
    }
    const from = randomUUID()
    return this.#at.more ? { from, after: from, round: false, more: false } : undefined
  }

  async #purge(workspaceId: string, now: Date, signal: AbortSignal): Promise<void> {
    try {
      const more = await purgeWorkspace(this.#parts, this.#mounted, workspaceId, now, signal)
      if (more) this.#at = { ...this.#at, more }
    } catch (error) {
      signal.throwIfAborted()
      if (isUnavailable(error)) throw error
      const { owner, retention } = this.#mounted
      this.#parts.metrics?.failed(retention.table)
      this.#parts.log.warn(
        { err: error, plugin: owner, table: retention.table, workspace: workspaceId },
        'what is older than it is kept cannot be removed in a workspace; the others go on',
      )
      // It is tried again at each pass all the same; operators see there that it fails.
      const place = {
        sweep: retentionName(this.#mounted.retention),
        workspaceId,
        rowId: WHOLE_WORKSPACE,
        plugin: owner,
        error,
      }
      await this.#parts.database.system(tx => keepOut(tx, place))
    }
  }

  /** Finds the next workspaces with rows. */
  async #page(): Promise<string[]> {
    const { from, after, round } = this.#at
    const rows = await this.#parts.database.system(tx => workspacesIn(tx, this.#mounted.retention.table, after))
    return round ? rows.filter(id => id <= from) : rows
  }
}

async function workspacesIn(tx: Tx, table: string, after: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select seen.id from core.workspaces_in(${table}::text::regclass, ${after}, ${PAGE}) as seen (id) order by seen.id`
  return rows.map(row => row.id)
}
