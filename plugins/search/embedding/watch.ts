import { type Database, type Embedder, EmbedderUnavailableError, type HealthCheck, type Logger } from 'mneme/plugin'
import { Gauge, type Registry } from 'prom-client'
import { type ModelRecord, storeProbe } from './model-records.ts'
import type { OpenModels } from './models.ts'
import type { ReEmbedding } from './re-embedding.ts'
import { applyConfiguredModel, type EmbeddingUse, lockUse } from './use-store.ts'

export interface WatchParts {
  readonly database: Database
  /** The embedder of the configured model. */
  readonly embedder: Embedder
  readonly models: OpenModels
  readonly work: ReEmbedding
  readonly log: Logger
}

/** A waiting job is not queued again within this time. */
const ADD_EVERY_MS = 10_000
const PROBE_EVERY_MS = 60_000

/**
 * Runs every second in each process, and rarely while nothing changes. It reads the state, so that the process notices a switch; announces the configured model once; and
 * queues the job when no process works on it, for example after a kill. If workers cannot reach the model, it does the work itself.
 */
export class EmbeddingWatch {
  #announced = false
  #probeAt = 0
  #unknown = false
  #addedAt = Number.NEGATIVE_INFINITY
  #supersededBy: number | undefined

  constructor(private readonly parts: WatchParts) {}

  /** @returns `idle` where one model is used, everybody knows it, and nothing is left to do */
  async run(): Promise<'idle' | 'busy'> {
    const { models, database, work } = this.parts
    let use = await models.refresh()
    const configured = await this.#configured()
    if (configured && !this.#announced) use = await this.#announce(configured)
    if (configured) this.#warnOnce(use, configured)
    // A job would go to a process that cannot reach the model.
    if (use.due && use.declined && configured && use.target?.id === configured.id) await work.run()
    else if (use.due && performance.now() - this.#addedAt > ADD_EVERY_MS) {
      this.#addedAt = performance.now()
      await database.system(tx => work.enqueue(tx, 0))
    }
    if (configured && performance.now() > this.#probeAt) await this.#storeProbe(configured)
    const isSettled = !use.target && !use.due && use.cleaning === 'none' && use.problem === null
    return configured && this.#probeAt === Number.POSITIVE_INFINITY && isSettled ? 'idle' : 'busy'
  }

  /** Undefined while an endpoint at a new address is unavailable, because it is unknown whether it serves another model. */
  async #configured(): Promise<ModelRecord | undefined> {
    const { models, log } = this.parts
    try {
      return await models.configured()
    } catch (error) {
      if (!(error instanceof EmbedderUnavailableError)) throw error
      if (!this.#unknown)
        log.warn({ err: error }, 'the embedding model at its new address is unavailable; the former one is used')
      this.#unknown = true
      return undefined
    }
  }

  async #announce(configured: ModelRecord): Promise<EmbeddingUse> {
    const { models, database, log } = this.parts
    const announced = await database.system(async tx => {
      await lockUse(tx)
      return applyConfiguredModel(tx, configured.id)
    })
    this.#announced = true
    const use = await models.refresh()
    const { active, seen, total } = use
    const change = {
      model: configured.modelId,
      dimensions: configured.dimensions,
      active: active.modelId,
      done: seen,
      total,
    }
    if (announced === 'started') {
      log.info(
        change,
        'the embedding model changed: memories are re-embedded, searches use the former vectors meanwhile',
      )
    }
    if (announced === 'resumed') log.info(change, 're-embedding resumes')
    if (announced === 'cancelled') {
      log.info(change, 'the embedding model is the former one again: re-embedding is cancelled, gaps are filled')
    }
    return use
  }

  /** Warns that a process which started later chose another model, whose choice this process follows. */
  #warnOnce({ active, target }: EmbeddingUse, configured: ModelRecord): void {
    const wanted = target ?? active
    if (wanted.id === configured.id) this.#supersededBy = undefined
    else if (wanted.id !== this.#supersededBy) {
      this.#supersededBy = wanted.id
      this.parts.log.warn(
        { configured: describe(configured), wanted: describe(wanted) },
        'a process that started later chose another embedding model, which is used; give all processes the same settings',
      )
    }
  }

  /** An unavailable endpoint is asked again later; only a later change of its address needs the vector. */
  async #storeProbe(configured: ModelRecord): Promise<void> {
    const { database, embedder } = this.parts
    this.#probeAt = performance.now() + PROBE_EVERY_MS
    await storeProbe(database, embedder, configured).then(
      () => {
        this.#probeAt = Number.POSITIVE_INFINITY
      },
      () => undefined,
    )
  }
}

/** Distinguishes models of one name in log messages. */
function describe({ modelId, dimensions, origin }: ModelRecord): object {
  return { model: modelId, dimensions, ...(origin?.kind === 'http' ? { url: origin.url } : {}) }
}

/** Reports the active model and the progress towards the next one. */
export function embeddingHealth(models: OpenModels): HealthCheck {
  return {
    name: 'embeddings',
    essential: true,
    async check() {
      await models.use()
    },
    state: () => (models.known?.problem ? 'degraded' : 'ok'),
    details() {
      const use = models.known
      if (!use) return undefined
      const { active, target, seen, total, refused, problem } = use
      const own = { active: active.modelId, dimensions: active.dimensions }
      if (!target) return { ...own, target: null }
      const progress = { done: seen, total, without_vector: refused, ...(problem ? { problem } : {}) }
      return { ...own, target: target.modelId, target_dimensions: target.dimensions, ...progress }
    },
  }
}

export function measureEmbeddings(registry: Registry, models: OpenModels): void {
  const gauge = (name: string, help: string, value: (use: EmbeddingUse) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        if (models.known) this.set(value(models.known))
      },
    })
  gauge('mneme_reembedding_running', '1 while memories are embedded with another model.', use => Number(!!use.target))
  gauge('mneme_reembedding_total', 'Memories to look at in the last re-embedding.', ({ total }) => total)
  gauge('mneme_reembedding_done', 'Memories looked at in the last re-embedding.', ({ seen }) => seen)
  gauge('mneme_reembedding_without_vector', 'Memories that the new model gives no vector.', ({ refused }) => refused)
  gauge('mneme_reembedding_failures', 'Failures of the new model in a row.', ({ failures }) => failures)
}
