import { Precedence } from '../../core/background/precedence.ts'
import { type OpenDatabase, openDatabase } from '../../core/db/database.ts'
import { plainArray } from '../../core/db/literals.ts'
import type { ModelId } from '../../plugins/search/engine/engine.ts'
import { foldDeltas } from '../../plugins/search/engine/postgres/fold.ts'
import { openPostgresEngine, type PostgresEngine } from '../../plugins/search/engine/postgres/index.ts'
import { quarantineOf } from '../../test/support/quarantine.ts'
import { makePlace, type Place } from './places.ts'
import { caller } from './service.ts'
import { randomFrom } from './varied-texts.ts'
import type { VectorSource } from './vectors.ts'

/**
 * Puts many memories into a running service that works on no jobs: first the texts through its API, then, when it has stopped,
 * the vectors, which are known already. In this order no graph over vectors is made before they are all there.
 */
export class Bulk {
  readonly #stored: { place: Place; ids: readonly string[]; from: number }[] = []

  private constructor(
    private readonly base: string,
    readonly database: OpenDatabase,
    readonly engine: PostgresEngine,
    readonly model: ModelId,
    private readonly vectors: VectorSource,
  ) {}

  /** @param base address of the service, @param url of its database */
  static async open(base: string, url: string, vectors: VectorSource): Promise<Bulk> {
    const database = openDatabase({ url, poolSize: 4 })
    const engine = await openPostgresEngine(database)
    const model = await database.system(async tx => {
      const [row] = await tx<{ id: ModelId }[]>`
        insert into search.model (model_id, dimensions)
        values (${vectors.modelId}, ${vectors.dimensions})
        on conflict on constraint model_unique do update set dimensions = excluded.dimensions
        returning id`
      return row?.id ?? 0
    })
    return new Bulk(base, database, engine, model, vectors)
  }

  makePlace(name: string): Promise<Place> {
    return makePlace(this.database, name)
  }

  /** Stores the texts from number `from` to before number `to`. */
  async fill(place: Place, from: number, to: number): Promise<void> {
    const parts = Array.from({ length: Math.ceil((to - from) / PART) }, (_, part) => from + part * PART)
    // Two at once keep a core of the service and one of the database busy.
    const next = async (): Promise<void> => {
      for (let at = parts.shift(); at !== undefined; at = parts.shift()) {
        await this.#fillPart(place, at, Math.min(at + PART, to))
      }
    }
    await Promise.all([next(), next()])
  }

  async #fillPart(place: Place, from: number, to: number): Promise<void> {
    const numbers = Array.from({ length: to - from }, (_, n) => from + n)
    const answer = (await caller(this.base, place.key)('POST', '/v1/memories/batch', {
      memories: numbers.map(n => memoryOf(n, this.vectors.text(n))),
    })) as { results: { status: number; memory?: { id: string } }[] }
    const ids = answer.results.map(({ memory }) => memory?.id ?? '')
    if (ids.includes('')) throw new Error(`a memory was not stored: ${JSON.stringify(answer).slice(0, 300)}`)
    const days = plainArray(numbers.map(dayOf))
    await this.database.workspace(place.id, async tx => {
      // Times cannot be given to the API, and filters by time shall be measured too. The vectors take theirs from here.
      await tx`
        with given as (select * from unnest(${plainArray(ids)}::uuid[], ${days}::integer[]) as given (id, day)),
        indexed as (
          update search.document
          set created_at = ${FIRST_DAY}::timestamptz + make_interval(days => given.day)
          from given
          where document.workspace_id = ${place.id}
            and document.memory_id = given.id
        )
        update memories.memory
        set created_at = ${FIRST_DAY}::timestamptz + make_interval(days => given.day), status = 'COMPLETED'
        from given
        where memory.workspace_id = ${place.id}
          and memory.id = given.id`
    })
    this.#stored.push({ place, ids, from })
  }

  /** Gives what is stored its vectors, and long texts those of their passages. */
  async embed(): Promise<void> {
    for (const { place, ids, from } of this.#stored.splice(0)) {
      const vectors = new Map(ids.map((id, index) => [id, this.vectors.of(from + index)]))
      const passages = new Map(
        ids.flatMap((id, index) => {
          const stored = this.vectors.passagesOf(from + index)
          return stored.length > 0 ? [[id, stored] as const] : []
        }),
      )
      await this.database.workspace(place.id, async tx => {
        await this.engine.setEmbeddings(tx, place.id, this.model, vectors)
        await this.engine.setPassages(tx, place.id, this.model, passages)
      })
    }
  }

  /**
   * Does what the service and the database do in their own time: document frequencies, dead rows, statistics, indexes.
   */
  async settle(): Promise<void> {
    const { database } = this
    await foldDeltas({ database, quarantine: quarantineOf('search', database), background: new Precedence() })
    await this.database.maintain('vacuum analyze')
    await this.engine.upkeep()
    await this.engine.indexesBuilt()
  }

  close(): Promise<void> {
    return this.database.close()
  }
}

const PART = 500

/** Days over which the memories are spread. */
export const DAYS = 1000
export const FIRST_DAY = new Date('2023-01-01T00:00:00.000Z')

function dayOf(n: number): number {
  return Math.floor(randomFrom(n * 31 + 8)() * DAYS)
}

/** Users hold 1, 10 and 50 per cent of the memories and the rest; a category holds 5. */
function memoryOf(n: number, text: string) {
  const random = randomFrom(n * 31 + 7)
  const share = random()
  return {
    memory: `${text} (${n})`,
    user_id: share < 0.01 ? 'one' : share < 0.11 ? 'ten' : share < 0.61 ? 'fifty' : 'others',
    categories: random() < 0.05 ? ['work'] : ['notes'],
    metadata: { kind: 'note', hundredth: n % 100 },
  }
}
