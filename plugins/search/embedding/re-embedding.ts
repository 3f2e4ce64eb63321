import { randomUUID } from 'node:crypto'
import { type Database, EmbedderUnavailableError, type JobQueue, type Logger, type Tx } from 'mneme/plugin'
import postgres from 'postgres'
import type { ModelId } from '../engine/engine.ts'
import { type FillParts, fillOwed, fillPage, PAGE } from './fill.ts'
import type { ModelRecord } from './model-records.ts'
import { type OpenModels, otherTarget } from './models.ts'
import {
  advance,
  advanceCleaning,
  claimWork,
  countRefused,
  declineWork,
  type EmbeddingUse,
  lockUseForWrite,
  nextToClean,
  PAUSE_SECONDS_MAX,
  pauseWork,
  recordProgress,
  releaseClaim,
  renewClaim,
  switchToTarget,
} from './use-store.ts'

export interface ReEmbeddingParts extends Omit<FillParts, 'models'> {
  readonly models: OpenModels
  readonly jobs: JobQueue
  readonly log: Logger
  /** Tests shorten the time that former vectors stay after the switch (default 30 seconds). */
  readonly graceMs?: number
  /** Tests shorten the slice of one job (default 5 seconds). */
  readonly sliceMs?: number
  /** Tests shorten the minimum pause after a failure of the model (default 5 seconds). */
  readonly pauseMs?: number
}

/** The grace period exceeds the age of a search's cached state plus its wait for a vector. */
const GRACE_MS = 30_000
/** A job of a few seconds ends in time when its process stops. */
const SLICE_MS = 5_000
const RENEW_MS = 4_000
const PAUSE_MS = 5_000
/** The pause while concurrent writes or another process must finish first. */
const WAIT_MS = 1_000
const CLEANED_AT_ONCE = 500
/** A process that could not reach the model retries after this time if it gets the job. */
const DECLINED_MS = 10 * 60_000

/** The remaining work after a step: `now` continues at once, `later` after a pause, `over` when there is nothing left. */
type Next = 'now' | 'later' | 'over'

/**
 * Re-embeds all memories with another model in slices of a few seconds. Progress is stored in the database, so a killed process repeats at
 * most one chunk.
 */
export class ReEmbedding {
  readonly #parts: ReEmbeddingParts
  readonly #stopping = new AbortController()
  /** The target that this process could not reach, and until when it declines the work. */
  #declined: { readonly model: number; readonly until: number } | undefined

  constructor(parts: ReEmbeddingParts) {
    this.#parts = parts
  }

  /** Works for one slice, unless another process does, and queues the next one. */
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
          // If the database stays away, the next statement reports it.
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

  /** Ends the current {@link run} that was started without a signal. */
  stop(): void {
    this.#stopping.abort(new Error('the process stops'))
  }

  /** Tells whether this process cannot reach the target; a process that is configured with it then works without a job. */
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

  /** Queues the job, of which at most one waits. */
  async enqueue(tx: Tx, inMs: number): Promise<void> {
    await this.#parts.jobs.enqueue(tx, [
      {
        task: 'search:re-embed',
        payload: {},
        key: 'search:re-embed',
        // The lowest priority lets everything that users wait for go first.
        priority: 10,
        inMs,
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
        if (!(error instanceof EmbedderUnavailableError) || signal.aborted) throw error
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
    await this.#parts.database.system(tx => recordProgress(tx, owner))
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
        // Queries with feedback need vectors of the new model.
        await jobs.enqueue(tx, [
          { task: 'search:find-balances', payload: {}, key: 'search:find-balances:switched', priority: 10 },
        ])
        return without
      })
      if (refused === undefined) return 'later'
      await models.refresh()
      const change = { model: target.modelId, dimensions: target.dimensions, refused, former: active.modelId }
      if (otherTarget({ active, target })) log.info(change, 'searches now use the new embedding model')
      else log.info(change, 'every memory has a vector of the embedding model again')
      return 'over'
    } catch (error) {
      if (isLockTimeout(error)) return 'later'
      throw error
    }
  }

  /** Deletes the vectors of inactive models. */
  async #clean(owner: string, { active }: EmbeddingUse, signal: AbortSignal): Promise<Next> {
    const { database, log } = this.#parts
    await dropInactiveIndexes(database, active.id)
    const page = await database.system(tx => nextToClean(tx, active.id, CLEANED_AT_ONCE))
    const outcome = await this.#cleanPage(active, page, signal)
    if (outcome === 'changed') return 'now'
    if (outcome === 'busy') return 'later'
    const last = page.length < CLEANED_AT_ONCE
    await database.system(tx => advanceCleaning(tx, owner, page.at(-1), last))
    if (last) log.info({ model: active.modelId }, 'vectors of former embedding models are deleted')
    return last ? 'over' : 'now'
  }

  /** @returns `busy` when a workspace had no turn, `changed` when the model is no longer the only one in use */
  async #cleanPage(
    active: ModelRecord,
    page: Awaited<ReturnType<typeof nextToClean>>,
    signal: AbortSignal,
  ): Promise<'cleaned' | 'busy' | 'changed'> {
    const { database, engine, quarantine } = this.#parts
    let isChanged = false
    const keepActive = async (tx: Tx, workspaceId: string, ids: readonly string[]) => {
      const use = await lockUseForWrite(tx)
      // A process that started just now may have chosen the model to be deleted as its target.
      if (use?.active === active.id && use.target === undefined) {
        return engine.keepEmbeddings(tx, workspaceId, active.id, ids)
      }
      isChanged = true
    }
    const { wasBusy } = await quarantine.sweep({
      name: 'search:clean-embeddings',
      items: page,
      workspaceOf: ({ workspaceId }) => workspaceId,
      idOf: ({ memoryId }) => memoryId,
      signal,
      async work(workspaceId, memories) {
        const ids = memories.map(({ memoryId }) => memoryId)
        await database.workspace(workspaceId, tx => keepActive(tx, workspaceId, ids))
      },
    })
    if (isChanged) return 'changed'
    return wasBusy ? 'busy' : 'cleaned'
  }

  /** Handles an unavailable model: all processes pause, or this one leaves the work to a process configured with the model. */
  async #standStill(owner: string, { target, failures }: EmbeddingUse, error: EmbedderUnavailableError): Promise<Next> {
    const { database, log, pauseMs = PAUSE_MS } = this.#parts
    if (target && !(await this.#isConfigured(target))) {
      this.#declined = { model: target.id, until: performance.now() + DECLINED_MS }
      await database.system(tx => declineWork(tx, target.id))
      log.warn(
        { err: error, model: target.modelId },
        'this process cannot reach the new embedding model; others have to re-embed',
      )
      return 'over'
    }
    const askedMs = error.retryAfterMs ?? 0
    const forMs = Math.min(1000 * PAUSE_SECONDS_MAX, Math.max(askedMs, pauseMs * 2 ** Math.min(failures, 10)))
    await database.system(async tx => {
      await pauseWork(tx, owner, { problem: error.message, forMs })
      await this.enqueue(tx, forMs)
    })
    log.warn(
      { err: error, model: target?.modelId, retryInSeconds: Math.round(forMs / 1000) },
      're-embedding is paused: the embedding model is unavailable',
    )
    return 'over'
  }
}

/** A long write holds the lock; the next attempt will find it released. */
function isLockTimeout(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '55P03'
}

/** Drops the HNSW indexes of inactive models, which would slow down the deletion of their vectors. */
async function dropInactiveIndexes(database: Database, active: ModelId): Promise<void> {
  const indexes = await database.system(
    tx => tx<{ name: string }[]>`
      select pg_class.relname as name
      from pg_index
      join pg_class on pg_class.oid = pg_index.indexrelid
      where pg_index.indrelid in ('search.embedding'::regclass, 'search.passage'::regclass)
        and pg_class.relname ~ '^(embedding|passage)_near_[0-9]+$'
        and pg_class.relname !~ ${`_near_${active}$`}`,
  )
  for (const { name } of indexes) await database.maintain(`drop index concurrently if exists search.${name}`)
}
