import {
  type Database,
  type Embedder,
  EmbedderInputError,
  type EmbedderSource,
  EmbedderUnavailableError,
  type Embedding,
  type EmbedOptions,
  type Logger,
  type OpenEmbedder,
  type UsageMeter,
} from 'mneme/plugin'
import type { SearchMode } from '../../memories/contract.ts'
import type { QueryVector } from '../engine/engine.ts'
import { askEmbedder, type ModelRecord, recordOf } from './model-records.ts'
import { type EmbeddingUse, initializeUse, readUse } from './use-store.ts'

/** Embeds with the active model and with the one that will replace it. */
export interface EmbeddingModels {
  /** Returns the state, which is at most {@link AGE_MAX_MS} old. */
  use(): Promise<EmbeddingUse>
  /** Invalidates the state, so that the next {@link use} reads the database. */
  forget(): void
  /**
   * @throws EmbedderUnavailableError when the model is unavailable or unreachable from this process
   * @throws EmbedderInputError when the model refuses a text
   */
  embed(model: ModelRecord, texts: readonly string[], options?: EmbedOptions): Promise<Embedding[]>
}

interface EmbeddingModelParts {
  readonly database: Database
  /** The embedder of the configured model. */
  readonly embedder: Embedder
  readonly embedders: EmbedderSource
  readonly log: Logger
}

/** A background loop reads the state every second while models change, and rarely otherwise; callers read what is older. */
const AGE_MAX_MS = 3_000
/**
 * While two models are in use, a failed one is not called for this long, so that searches do not wait for it in vain. Writes tolerate a
 * longer delay.
 */
const PAUSE_MS = { searches: 5_000, writes: 30_000 } as const
/** A model that could not be opened is retried after this time. */
const REOPEN_MS = 30_000
/** A model that is no longer used stays open this long for work that began earlier. */
const IDLE_MS = 30_000

interface Opened {
  readonly embedder: Promise<OpenEmbedder>
  readonly openedAt: number
  failed: boolean
  idleSince: number | undefined
}

/** The models of this process: the configured one, and former ones that are opened on demand. */
export class OpenModels implements EmbeddingModels {
  readonly #parts: EmbeddingModelParts
  readonly #opened = new Map<number, Opened>()
  /** The end of each pause, by model, separately for searches and writes. */
  readonly #pausedUntil = new Map<string, number>()
  #configured: Promise<ModelRecord> | undefined
  #askAgainAt = Number.POSITIVE_INFINITY
  #current: EmbeddingUse | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #closed = false

  constructor(parts: EmbeddingModelParts) {
    this.#parts = parts
  }

  /** Returns the cached state without reading; undefined before the first read. */
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

  /** Reads the state from the database. */
  async refresh(): Promise<EmbeddingUse> {
    const { database } = this.#parts
    const askedAt = performance.now()
    let use = await database.system(readUse)
    if (!use) {
      const { id } = await this.configured()
      use = await database.system(async tx => {
        await initializeUse(tx, id)
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

  /** Returns the record of the configured model. */
  configured(): Promise<ModelRecord> {
    const { database, embedder, embedders } = this.#parts
    if (performance.now() > this.#askAgainAt) {
      this.#configured = undefined
      this.#askAgainAt = Number.POSITIVE_INFINITY
    }
    this.#configured ??= recordOf(database, embedder, embedders.configured).catch(error => {
      // An unavailable endpoint is not asked again at once. A database failure has no pause, because every caller waits for the database
      // anyway.
      this.#askAgainAt = performance.now() + (error instanceof EmbedderUnavailableError ? REOPEN_MS : 0)
      throw error
    })
    return this.#configured
  }

  async embed(model: ModelRecord, texts: readonly string[], options: EmbedOptions = {}): Promise<Embedding[]> {
    const patient = !otherTarget(this.#current) || options.priority === 'background'
    const use = options.priority === 'query' ? 'searches' : 'writes'
    const pausedMs = (this.#pausedUntil.get(`${use} ${model.id}`) ?? 0) - performance.now()
    if (!patient && pausedMs > 0) {
      throw new EmbedderUnavailableError('the embedding model failed recently', { retryAfterMs: pausedMs })
    }
    try {
      const embedder = await this.#embedderOf(model)
      return await askEmbedder(embedder, texts, options)
    } catch (error) {
      if (error instanceof EmbedderUnavailableError)
        this.#pausedUntil.set(`${use} ${model.id}`, performance.now() + PAUSE_MS[use])
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
      throw new EmbedderUnavailableError(`the embedding model ${model.modelId} is not available here: ${message}`, {
        cause: error,
      })
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
      () => log.info({ model: modelId }, 'opened an embedding model other than the configured one'),
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

/** Returns the target model if it differs from the active one. */
export function otherTarget(use: Pick<EmbeddingUse, 'active' | 'target'> | undefined): ModelRecord | undefined {
  return use?.target && use.target.id !== use.active.id ? use.target : undefined
}

export type EmbeddedQuery =
  | {
      readonly vector: Omit<QueryVector, 'floor'>
      /** One sentence about what the vector cannot find. */
      readonly warning?: string
    }
  /** The model does not support the script of the query, so only words can find it. */
  | { readonly unknown: true }
  | { readonly retryAfterSeconds: number; readonly cause: Error }

/** Embeds queries ahead of all background work. */
export interface QueryEmbedder {
  /** @param mode a semantic search prefers partial results to none */
  embed(workspaceId: string, text: string, mode?: SearchMode): Promise<EmbeddedQuery>
}

/** A search waits this long for its vector; without one it can still match by words. */
const PATIENCE_MS = 10_000

const PARTLY =
  'The former embedding model is not available: only memories that the new one has embedded so far match by meaning.'

export function createQueryEmbedder(models: EmbeddingModels, usage: Pick<UsageMeter, 'tokens'>): QueryEmbedder {
  const embedWith = async (model: ModelRecord, workspaceId: string, text: string) => {
    const options = { priority: 'query', workspaceId, signal: AbortSignal.timeout(PATIENCE_MS) } as const
    const [embedding] = await models.embed(model, [text], options)
    if (!embedding) throw new EmbedderUnavailableError('the embedder returned no vector')
    if (embedding.tokens > 0) usage.tokens(workspaceId, 'search', embedding.tokens)
    const { vector, queryTokens: tokens } = embedding
    return vector && { model: model.id, values: vector, ...(tokens && { tokens }) }
  }
  return {
    async embed(workspaceId, text, mode) {
      const use = await models.use()
      try {
        const vector = await embedWith(use.active, workspaceId, text)
        return vector ? { vector } : { unknown: true }
      } catch (error) {
        if (!isMissingMeaning(error)) throw error
        const other = mode === 'semantic' ? otherTarget(use) : undefined
        const vector = other && (await embedWith(other, workspaceId, text).catch(() => undefined))
        return vector ? { vector, warning: PARTLY } : missing(error)
      }
    },
  }
}

function missing(cause: Error): EmbeddedQuery {
  const waitMs = cause instanceof EmbedderUnavailableError ? cause.retryAfterMs : undefined
  return { retryAfterSeconds: Math.max(1, Math.ceil((waitMs ?? 2000) / 1000)), cause }
}

function isMissingMeaning(error: unknown): error is Error {
  return (
    error instanceof EmbedderUnavailableError ||
    error instanceof EmbedderInputError ||
    (error instanceof Error && error.name === 'AbortError')
  )
}
