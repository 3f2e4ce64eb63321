import { randomUUID } from 'node:crypto'
import { EmbedderUnavailableError, type JobQueue, type Logger, type Tx } from 'mneme/plugin'
import postgres from 'postgres'
import { dropGraphs } from './drop-graphs.ts'
import { type FillParts, fillOwed, fillPage, PAGE } from './fill.ts'
import type { ModelRecord } from './model-records.ts'
import { isAway, type OpenModels, otherTarget } from './models.ts'
import { type EmbeddingUse, holdUse } from './use-store.ts'
import {
  advance,
  advanceCleaning,
  claimWork,
  countRefused,
  declineWork,
  nextToClean,
  noteProgress,
  pauseWork,
  releaseClaim,
  renewClaim,
  switchToTarget,
} from './work-store.ts'

export interface ReEmbeddingParts extends Omit<FillParts, 'models'> {
  readonly models: OpenModels
  readonly jobs: JobQueue
  readonly log: Logger
  /** For tests: how long former vectors stay after the switch; 30 seconds. */
  readonly graceMs?: number
  /** For tests: how long one job works at a time; 5 seconds. */
  readonly sliceMs?: number
  /** For tests: the least time to stand still after a failure of the model; 5 seconds. */
  readonly pauseMs?: number
}

/** Longer than a search keeps what it knows of the models, and waits for its vector. */
const GRACE_MS = 30_000
/** A job of a few seconds ends in time when its process stops. */
const SLICE_MS = 5_000
const RENEW_MS = 4_000
const PAUSE_MS = 5_000
const PAUSE_MAX_MS = 5 * 60_000
/** When nothing can be done but wait for writes that are under way, or for another process. */
const WAIT_MS = 1_000
const CLEANED_AT_ONCE = 500
/** A process that could not ask the model tries again after this time, should it get the job. */
const DECLINED_MS = 10 * 60_000

/** What is left after a step: `now` goes on at once, `later` after a moment, `over` until there is something new. */
type Next = 'now' | 'later' | 'over'

/**
 * Brings all memories from one model's vectors to another's, a slice of a few seconds at a time. How far it is stands in the
 * database, so a process that is killed loses nothing but the chunk it was at.
 */
export class ReEmbedding {
  readonly #parts: ReEmbeddingParts
  readonly #stopping = new AbortController()
  /** The target that this process could not ask, and until when that counts. */
  #declined: { readonly model: number; readonly until: number } | undefined

  constructor(parts: ReEmbeddingParts) {
    this.#parts = parts
  }

  /** Works for a slice, unless another process does, and adds the job of the next one. */
  async run(signal = this.#stopping.signal): Promise<void> {
    const { database } = this.#parts
    const owner = randomUUID()
    if (await this.#leavesIt()) return
    if (!(await database.system(tx => claimWork(tx, owner)))) return
    const lost = new AbortController()
    const renewal = setInterval(() => {
      database
        .system(tx => renewClaim(tx, owner))
        .then(
          held => held || lost.abort(new Error('another process took over')),
          // When the database stays away the next statement says so.
          () => undefined,
        )
    }, RENEW_MS)
    let next: Next = 'over'
    try {
      next = await this.#work(owner, AbortSignal.any([signal, lost.signal]))
    } finally {
      clearInterval(renewal)
      await database.system(async tx => {
        await releaseClaim(tx, owner)
        if (next !== 'over' && !signal.aborted) await this.enqueue(tx, next === 'later' ? WAIT_MS : 0)
      })
    }
  }

  /** Ends what {@link run} without a signal is at. */
  stop(): void {
    this.#stopping.abort(new Error('the process stops'))
  }

  /** Whether the target is one that this process cannot ask; then one that is configured with it works without a job. */
  async #leavesIt(): Promise<boolean> {
    const { database, models } = this.#parts
    const { target, declined } = await models.refresh()
    const known = this.#declined
    if (!target || (await this.#isConfigured(target))) return false
    if (known?.model !== target.id || known.until < performance.now()) return declined
    if (!declined) await database.system(tx => declineWork(tx, target.id))
    return true
  }

  async #isConfigured(target: ModelRecord | undefined): Promise<boolean> {
    const configured = await this.#parts.models.configured().catch(() => undefined)
    return configured !== undefined && configured.id === target?.id
  }

  /** Adds the job, of which at most one waits. */
  async enqueue(tx: Tx, inMs: number): Promise<void> {
    await this.#parts.jobs.enqueue(tx, [
      {
        task: 'search:re-embed',
        payload: {},
        key: 'search:re-embed',
        // Whatever a user waits for goes first.
        priority: 10,
        ...(inMs > 0 ? { runAt: new Date(Date.now() + inMs) } : {}),
      },
    ])
  }

  async #work(owner: string, signal: AbortSignal): Promise<Next> {
    const until = performance.now() + (this.#parts.sliceMs ?? SLICE_MS)
    let next: Next = 'now'
    while (next === 'now' && performance.now() < until) {
      signal.throwIfAborted()
      const use = await this.#parts.models.refresh()
      try {
        next = await this.#step(owner, use, signal)
      } catch (error) {
        if (!isAway(error) || signal.aborted) throw error
        next = await this.#standStill(owner, use, error)
      }
    }
    return next
  }

  async #step(owner: string, use: EmbeddingUse, signal: AbortSignal): Promise<Next> {
    const { target } = use
    if (!target) return use.cleaning === 'now' ? this.#clean(owner, use, signal) : 'over'
    if (!use.allSeen) return this.#fill(owner, target, signal)
    const owed = await fillOwed(this.#parts, target, signal)
    if (owed === 'stuck') return 'later'
    if (owed === 'none') return this.#switch(owner, use, target)
    await this.#parts.database.system(tx => noteProgress(tx, owner))
    return 'now'
  }

  async #fill(owner: string, target: ModelRecord, signal: AbortSignal): Promise<Next> {
    const { database, log } = this.#parts
    const page = await fillPage(this.#parts, target, signal)
    const progress = await database.system(async tx => {
      const advanced = await advance(tx, owner, target.id, page, page.length < PAGE)
      await countRefused(tx, target.id)
      return advanced
    })
    if (!progress) return 'later'
    const { before, seen, total } = progress
    const tenths = (part: number) => Math.floor((10 * part) / Math.max(1, total))
    if (tenths(seen) > tenths(before)) {
      log.info({ model: target.modelId, done: seen, total }, `re-embedding: ${tenths(seen) * 10} %`)
    }
    return 'now'
  }

  async #switch(owner: string, { active }: EmbeddingUse, target: ModelRecord): Promise<Next> {
    const { database, jobs, log, models, graceMs = GRACE_MS } = this.#parts
    try {
      const refused = await database.system(async tx => {
        const without = await switchToTarget(tx, owner, target.id, graceMs)
        if (without === undefined) return undefined
        await this.enqueue(tx, graceMs)
        // Queries with feedback get vectors of the new model.
        await jobs.enqueue(tx, [
          { task: 'search:find-balances', payload: {}, key: 'search:find-balances:switched', priority: 10 },
        ])
        return without
      })
      if (refused === undefined) return 'later'
      await models.refresh()
      const change = { model: target.modelId, dimensions: target.dimensions, refused, former: active.modelId }
      if (otherTarget({ active, target })) log.info(change, 'searches go by the new embedding model from now on')
      else log.info(change, 'every memory has a vector of the embedding model again')
      return 'over'
    } catch (error) {
      if (isLockTimeout(error)) return 'later'
      throw error
    }
  }

  /** Deletes vectors that nothing goes by any more. */
  async #clean(owner: string, { active }: EmbeddingUse, signal: AbortSignal): Promise<Next> {
    const { database, engine, log } = this.#parts
    await dropGraphs(database, active.id)
    const page = await database.system(tx => nextToClean(tx, active.id, CLEANED_AT_ONCE))
    const byWorkspace = Map.groupBy(page, ({ workspaceId }) => workspaceId)
    for (const [workspaceId, memories] of byWorkspace) {
      signal.throwIfAborted()
      const kept = await database.workspace(workspaceId, async tx => {
        const use = await holdUse(tx)
        // A start just now may have made a target of what would be deleted.
        if (use?.active !== active.id || use.target !== undefined) return false
        await engine.keepEmbeddings(
          tx,
          workspaceId,
          active.id,
          memories.map(({ memoryId }) => memoryId),
        )
        return true
      })
      if (!kept) return 'now'
    }
    const last = page.length < CLEANED_AT_ONCE
    await database.system(tx => advanceCleaning(tx, owner, page.at(-1), last))
    if (last) log.info({ model: active.modelId }, 'vectors of former embedding models are deleted')
    return last ? 'over' : 'now'
  }

  /** The model is away: everybody waits, or this process leaves the work to one that is configured with the model. */
  async #standStill(owner: string, { target, failures }: EmbeddingUse, error: Error): Promise<Next> {
    const { database, log, pauseMs = PAUSE_MS } = this.#parts
    if (target && !(await this.#isConfigured(target))) {
      this.#declined = { model: target.id, until: performance.now() + DECLINED_MS }
      await database.system(tx => declineWork(tx, target.id))
      log.warn({ err: error, model: target.modelId }, 'this process cannot embed with the new model: others have to')
      return 'over'
    }
    const askedMs = error instanceof EmbedderUnavailableError ? (error.retryAfterMs ?? 0) : 0
    const forMs = Math.min(PAUSE_MAX_MS, Math.max(askedMs, pauseMs * 2 ** Math.min(failures, 10)))
    await database.system(async tx => {
      await pauseWork(tx, owner, { problem: error.message, forMs })
      await this.enqueue(tx, forMs)
    })
    log.warn(
      { err: error, model: target?.modelId, retryInSeconds: Math.round(forMs / 1000) },
      're-embedding stands still: the embedding model is away',
    )
    return 'over'
  }
}

/** Somebody's write takes long; the next try finds it done. */
function isLockTimeout(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '55P03'
}
