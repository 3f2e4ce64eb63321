import { type Contribution, hasFeature, type Logger, type Tenant, type Wiring } from 'mneme/plugin'
import { TimeLimitExceeded, withTimeLimit } from './contract/time-limit.ts'
import {
  FIELD_MS,
  FIELD_MS_MAX,
  isShownAt,
  type MemoryExtensions,
  type MemoryFieldSource,
  type MemoryPlace,
  memoryFields,
} from './contract.ts'

type Source = Contribution<MemoryFieldSource>

/** Loads what come from sources that did not end in time; with so many of one under way it is not asked again. */
const STUCK_MAX = 10
/** Between two messages about one source. */
const LOG_EVERY_MS = 60_000

/** Adds to memories what other plugins show of them. What fails is left out, so that no plugin takes a response down. */
export class AddedFields {
  readonly #wiring: Wiring
  readonly #log: Logger
  readonly #stuck = new Map<MemoryFieldSource, number>()
  readonly #loggedAt = new Map<MemoryFieldSource, number>()

  constructor({ wiring, log }: { readonly wiring: Wiring; readonly log: Logger }) {
    this.#wiring = wiring
    this.#log = log
  }

  async add<M extends { readonly id: string }>(
    tenant: Tenant,
    memories: readonly M[],
    place: MemoryPlace,
  ): Promise<(M & { extensions?: MemoryExtensions })[]> {
    const sources = this.#wiring
      .contributions(memoryFields)
      .filter(({ value, feature }) => isShownAt(value, place) && hasFeature(tenant.workspace, feature))
    if (sources.length === 0 || memories.length === 0) return [...memories]
    const ids = memories.map(({ id }) => id)
    const loaded = await Promise.all(
      sources.map(async source => ({ source, values: await this.#load(source, tenant, ids) })),
    )
    return memories.map(memory => {
      const extensions: Record<string, Record<string, unknown>> = {}
      for (const { source, values } of loaded) {
        const value = values?.get(memory.id)
        if (value !== undefined)
          extensions[source.plugin] = { ...extensions[source.plugin], [source.value.name]: value }
      }
      return Object.keys(extensions).length > 0 ? { ...memory, extensions } : memory
    })
  }

  async #load(
    { plugin, value }: Source,
    tenant: Tenant,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, unknown> | undefined> {
    if ((this.#stuck.get(value) ?? 0) >= STUCK_MAX) return undefined
    const limitMs = Math.min(value.timeLimitMs ?? FIELD_MS, FIELD_MS_MAX)
    let working: Promise<unknown> = Promise.resolve()
    try {
      const values: unknown = await withTimeLimit(limitMs, signal => {
        const loading = value.load(tenant, ids, signal)
        working = loading
        return loading
      })
      if (values instanceof Map) return values
      throw new Error('it gave no map of values by memory id')
    } catch (error) {
      if (error instanceof TimeLimitExceeded) this.#watch(value, working)
      this.#note(plugin, value, error)
      return undefined
    }
  }

  /** Counts what goes on after its time, until it ends. */
  #watch(source: MemoryFieldSource, working: Promise<unknown>): void {
    const count = (by: number) => this.#stuck.set(source, (this.#stuck.get(source) ?? 0) + by)
    count(1)
    const ended = () => count(-1)
    working.then(ended, ended)
  }

  #note(plugin: string, source: MemoryFieldSource, error: unknown): void {
    const now = performance.now()
    if (now - (this.#loggedAt.get(source) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return
    this.#loggedAt.set(source, now)
    this.#log.warn({ err: error, plugin, field: source.name }, 'a field of a plugin is left out of responses')
  }
}
