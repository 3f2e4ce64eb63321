import {
  type Contribution,
  compileValidator,
  hasFeature,
  type Logger,
  type Tenant,
  type Validator,
  type Wiring,
} from 'mneme/plugin'
import { TimeLimitExceeded, withTimeLimit } from '../contract/time-limit.ts'
import {
  FIELD_MS_MAX,
  isShownAt,
  type MemoryExtensions,
  type MemoryFieldSource,
  type MemoryPlace,
  memoryFields,
} from '../contract.ts'

type Source = Contribution<MemoryFieldSource>

/** A source with this many loads running past their limit is skipped until one of them ends. */
const STUCK_MAX = 10
/** One value, as JSON. */
const VALUE_MAX_LENGTH = 64_000
/** Failures of one source are logged at most this often. */
const LOG_EVERY_MS = 60_000

/** Adds the fields of other plugins to memories. A failing field is omitted, so that no plugin can fail a response. */
export class AddedFields {
  readonly #wiring: Wiring
  readonly #log: Logger
  readonly #stuck = new Map<MemoryFieldSource, number>()
  readonly #loggedAt = new Map<MemoryFieldSource, number>()
  readonly #validators = new Map<MemoryFieldSource, Validator<unknown>>()

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
        if (value !== undefined && this.#isFit(source, value))
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
    const limitMs = Math.min(value.timeLimitMs ?? FIELD_MS_MAX, FIELD_MS_MAX)
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

  /** One value that is no JSON would fail the whole response, and a huge one make it too large. */
  #isFit({ plugin, value: source }: Source, value: unknown): boolean {
    try {
      const fault = this.#validator(source).faults(value).length > 0 ? 'it does not fit its schema' : jsonFault(value)
      if (fault !== undefined) throw new Error(fault)
      return true
    } catch (error) {
      this.#note(plugin, source, error)
      return false
    }
  }

  #validator(source: MemoryFieldSource): Validator<unknown> {
    const known = this.#validators.get(source)
    if (known) return known
    const validator = compileValidator(source.schema)
    this.#validators.set(source, validator)
    return validator
  }

  /** Counts a load that exceeded its limit until it ends. */
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
    this.#log.warn({ err: error, plugin, field: source.name }, 'a field of a plugin is omitted from responses')
  }
}

function jsonFault(value: unknown): string | undefined {
  try {
    const text: string | undefined = JSON.stringify(value)
    if (text === undefined) return 'it is no JSON'
    return text.length > VALUE_MAX_LENGTH ? `it has more than ${VALUE_MAX_LENGTH} characters` : undefined
  } catch {
    return 'it is no JSON'
  }
}
