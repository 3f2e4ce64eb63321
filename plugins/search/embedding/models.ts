import {
  type Database,
  type Embedder,
  type EmbedderSource,
  EmbedderUnavailableError,
  type Embedding,
  type EmbedOptions,
  type Logger,
  type OpenEmbedder,
} from 'mneme/plugin'
import { type ModelRecord, recordOf } from './model-records.ts'
import { beginUse, type EmbeddingUse, readUse } from './use-store.ts'

/** Embeds with the model that searches go by, and with the one that is to follow it. */
export interface EmbeddingModels {
  /** The state, at most {@link AGE_MAX_MS} old. */
  use(): Promise<EmbeddingUse>
  /** Makes the next {@link use} read the database. */
  forget(): void
  /**
   * @throws EmbedderUnavailableError when the model is away or cannot be reached from this process
   * @throws EmbedderInputError when one text can never be embedded
   */
  embed(model: ModelRecord, texts: readonly string[], options?: EmbedOptions): Promise<Embedding[]>
}

export interface EmbeddingModelParts {
  readonly database: Database
  /** The configured one. */
  readonly embedder: Embedder
  readonly embedders: EmbedderSource
  readonly log: Logger
}

/** A chore reads the state every second; only when that has failed for so long does anybody wait for it. */
const AGE_MAX_MS = 3_000
/**
 * While two models are asked, one that failed is left alone for this long: searches do not wait for it in vain again and again,
 * nor do writes, which have more patience with it.
 */
const PAUSE_MS = { searches: 5_000, writes: 30_000 } as const
/** A model that could not be opened is tried again after this time. */
const REOPEN_MS = 30_000
/** A model that nothing goes by any more is kept this long for what began before. */
const IDLE_MS = 30_000

interface Opened {
  readonly embedder: Promise<OpenEmbedder>
  readonly openedAt: number
  failed: boolean
  idleSince: number | undefined
}

/** The models of this process: the configured one, and former ones that are opened when something needs them. */
export class OpenModels implements EmbeddingModels {
  readonly #parts: EmbeddingModelParts
  readonly #opened = new Map<number, Opened>()
  /** By model, apart for searches and writes. */
  readonly #pausedUntil = new Map<string, number>()
  #configured: Promise<ModelRecord> | undefined
  #askAgainAt = Number.POSITIVE_INFINITY
  #current: EmbeddingUse | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #closed = false

  constructor(parts: EmbeddingModelParts) {
    this.#parts = parts
  }

  /** What is known without asking; undefined until something was. */
  get known(): EmbeddingUse | undefined {
    return this.#current
  }

  async use(): Promise<EmbeddingUse> {
    const fresh = performance.now() - this.#readAt <= AGE_MAX_MS
    return fresh && this.#current ? this.#current : this.refresh()
  }

  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY
  }

  /** Reads the state anew. */
  async refresh(): Promise<EmbeddingUse> {
    const { database } = this.#parts
    const askedAt = performance.now()
    let use = await database.system(readUse)
    if (!use) {
      const { id } = await this.configured()
      use = await database.system(async tx => {
        await beginUse(tx, id)
        return readUse(tx)
      })
    }
    if (!use) throw new Error('the state of the embedding models cannot be read')
    if (askedAt > this.#readAt) {
      this.#current = use
      this.#readAt = askedAt
    }
    this.#closeIdle(use)
    return use
  }

  /** The record of the configured model. */
  configured(): Promise<ModelRecord> {
    const { database, embedder, embedders } = this.#parts
    if (performance.now() > this.#askAgainAt) {
      this.#configured = undefined
      this.#askAgainAt = Number.POSITIVE_INFINITY
    }
    this.#configured ??= recordOf(database, embedder, embedders.configured).catch(error => {
      // Nobody waits again and again for an endpoint that is away; a database that is away others wait for as well.
      this.#askAgainAt = performance.now() + (isAway(error) ? REOPEN_MS : 0)
      throw error
    })
    return this.#configured
  }

  async embed(model: ModelRecord, texts: readonly string[], options: EmbedOptions = {}): Promise<Embedding[]> {
    const patient = !otherTarget(this.#current) || options.priority === 'background'
    const use = options.priority === 'query' ? 'searches' : 'writes'
    const pausedMs = (this.#pausedUntil.get(`${use} ${model.id}`) ?? 0) - performance.now()
    if (!patient && pausedMs > 0) {
      throw new EmbedderUnavailableError('the embedding model did not answer a moment ago', { retryAfterMs: pausedMs })
    }
    try {
      const embedder = await this.#embedderOf(model)
      return await embedder.embed(texts, options)
    } catch (error) {
      if (isAway(error)) this.#pausedUntil.set(`${use} ${model.id}`, performance.now() + PAUSE_MS[use])
      throw error
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#opened.keys()].map(id => this.#close(id)))
  }

  async #embedderOf(model: ModelRecord): Promise<Embedder> {
    const own = await this.configured().catch(() => undefined)
    if (own?.id === model.id) return this.#parts.embedder
    if (this.#closed) throw new EmbedderUnavailableError('the embedder is closed')
    const known = this.#opened.get(model.id)
    const stale = known?.failed && performance.now() - known.openedAt > REOPEN_MS
    const opened = known && !stale ? known : this.#open(model)
    try {
      return await opened.embedder
    } catch (error) {
      const message = error instanceof Error ? error.message : 'it cannot be opened'
      throw new EmbedderUnavailableError(`the embedding model ${model.modelId} is not available here: ${message}`)
    }
  }

  #open(model: ModelRecord): Opened {
    const { embedders, log } = this.#parts
    const { id, modelId, dimensions, origin } = model
    const embedder = origin
      ? embedders.open(origin, { modelId, dimensions })
      : Promise.reject(new Error('its address was never written down'))
    const opened: Opened = { embedder, openedAt: performance.now(), failed: false, idleSince: undefined }
    this.#opened.set(id, opened)
    embedder.then(
      () => log.info({ model: modelId }, 'opened another embedding model than the configured one'),
      error => {
        opened.failed = true
        log.warn({ err: error, model: modelId }, 'an embedding model other than the configured one cannot be opened')
      },
    )
    return opened
  }

  #closeIdle({ active, target }: EmbeddingUse): void {
    const now = performance.now()
    for (const [id, opened] of this.#opened) {
      if (id === active.id || id === target?.id) opened.idleSince = undefined
      else opened.idleSince ??= now
      if (opened.idleSince !== undefined && now - opened.idleSince > IDLE_MS) void this.#close(id)
    }
  }

  async #close(id: number): Promise<void> {
    const opened = this.#opened.get(id)
    this.#opened.delete(id)
    await opened?.embedder.then(embedder => embedder.close()).catch(() => undefined)
  }
}

/** The model that is to follow the active one, when that is another. */
export function otherTarget(use: Pick<EmbeddingUse, 'active' | 'target'> | undefined): ModelRecord | undefined {
  return use?.target && use.target.id !== use.active.id ? use.target : undefined
}

/** Whether an error says that a model does not serve now, rather than something of a text. */
export function isAway(error: unknown): error is Error {
  if (error instanceof EmbedderUnavailableError) return true
  return error instanceof Error && error.name === 'TimeoutError'
}
