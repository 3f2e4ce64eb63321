import type { Database, Embedder, HealthCheck, Logger } from 'mneme/plugin'
import { Gauge, type Registry } from 'prom-client'
import { keepProbe, type ModelRecord } from './model-records.ts'
import { isAway, type OpenModels } from './models.ts'
import type { ReEmbedding } from './re-embedding.ts'
import { announceModel, type EmbeddingUse, lockUse } from './use-store.ts'

export interface WatchParts {
  readonly database: Database
  /** The configured one. */
  readonly embedder: Embedder
  readonly models: OpenModels
  readonly work: ReEmbedding
  readonly log: Logger
}

/** A job that waits its turn behind others is not added again sooner than this. */
const ADD_EVERY_MS = 10_000
const PROBE_EVERY_MS = 60_000

/**
 * What each process does every second: it reads the state, so that it sees a switch; says once what it is configured with; and
 * adds the job when there is work that no process is at, as after a kill. What those that run jobs cannot do, it does itself.
 */
export class EmbeddingWatch {
  #announced = false
  #probeAt = 0
  #unknown = false
  #addedAt = Number.NEGATIVE_INFINITY
  #supersededBy: number | undefined

  constructor(private readonly parts: WatchParts) {}

  async run(): Promise<void> {
    const { models, database, work } = this.parts
    let use = await models.refresh()
    const configured = await this.#configured()
    if (configured && !this.#announced) use = await this.#announce(configured)
    if (configured) this.#warnOnce(use, configured)
    // The job would go to a process that cannot do it.
    if (use.due && use.declined && configured && use.target?.id === configured.id) await work.run()
    else if (use.due && performance.now() - this.#addedAt > ADD_EVERY_MS) {
      this.#addedAt = performance.now()
      await database.system(tx => work.enqueue(tx, 0))
    }
    if (configured && performance.now() > this.#probeAt) await this.#keepProbe(configured)
  }

  /** Undefined while an endpoint at another address is away: nobody knows yet whether it is another model too. */
  async #configured(): Promise<ModelRecord | undefined> {
    const { models, log } = this.parts
    try {
      return await models.configured()
    } catch (error) {
      if (!isAway(error)) throw error
      if (!this.#unknown)
        log.warn({ err: error }, 'the embedding model at its new address is away; the former one is used')
      this.#unknown = true
      return undefined
    }
  }

  async #announce(configured: ModelRecord): Promise<EmbeddingUse> {
    const { models, database, log } = this.parts
    const announced = await database.system(async tx => {
      await lockUse(tx)
      return announceModel(tx, configured.id)
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
        'the embedding model changed: memories are embedded anew, searches go by the former vectors meanwhile',
      )
    }
    if (announced === 'resumed') log.info(change, 're-embedding goes on')
    if (announced === 'cancelled') {
      log.info(change, 'the embedding model is the former one again: re-embedding is cancelled, gaps are filled')
    }
    return use
  }

  /** A process that started earlier with another model serves by what the later one said, and says so. */
  #warnOnce({ active, target }: EmbeddingUse, configured: ModelRecord): void {
    const wanted = target ?? active
    if (wanted.id === configured.id) this.#supersededBy = undefined
    else if (wanted.id !== this.#supersededBy) {
      this.#supersededBy = wanted.id
      this.parts.log.warn(
        { configured: describe(configured), wanted: describe(wanted) },
        'a process that started later is configured with another embedding model, which counts; give all processes the same settings',
      )
    }
  }

  /** An endpoint that is away is asked again; nothing but a later change of its address needs the answer. */
  async #keepProbe(configured: ModelRecord): Promise<void> {
    const { database, embedder } = this.parts
    this.#probeAt = performance.now() + PROBE_EVERY_MS
    await keepProbe(database, embedder, configured).then(
      () => {
        this.#probeAt = Number.POSITIVE_INFINITY
      },
      () => undefined,
    )
  }
}

/** Tells models of one name apart. */
function describe({ modelId, dimensions, origin }: ModelRecord): object {
  return { model: modelId, dimensions, ...(origin?.kind === 'http' ? { url: origin.url } : {}) }
}

/** Shows which model searches go by, and how far the way to the next one is. */
export function embeddingHealth(models: OpenModels): HealthCheck {
  return {
    name: 'embeddings',
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
