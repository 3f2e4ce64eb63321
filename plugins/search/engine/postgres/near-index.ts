import { BoundedCache, type Database, type Logger, plainArray, type Tx } from 'mneme/plugin'
import type { MemoryFilter } from '../../../memories/contract.ts'
import type { CorpusStatistics, EngineQuery, ModelId } from '../engine.ts'
import { queryLiteral, type VectorType } from './embeddings.ts'
import { columnConditions, isByUserAlone, needsDocument } from './filters.ts'
import { GENERIC_PLAN, underSettings } from './planner.ts'

/** The tables with vectors: of whole texts, and of the passages of long ones. */
type VectorTable = 'embedding' | 'passage'

/** An HNSW index over one model's vectors of all workspaces. */
export interface NearIndex {
  readonly model: ModelId
  readonly dimensions: number
  /** The number of its vectors, as of the database's last count. */
  readonly rows: number
}

/** Decides how HNSW indexes are built, and from when on. */
export interface IndexBuilding {
  /** Returns the number of candidates from which an index of so many vectors is used; tests have another rule. */
  readonly paysFrom?: typeof indexPaysFrom
  /** The most MiB of Postgres's memory that a build asks for. */
  readonly memoryMbMax?: number | undefined
  readonly log?: Pick<Logger, 'info' | 'warn'>
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
}

/** The type of stored vectors and the HNSW indexes over them. */
export interface VectorStore {
  readonly type: VectorType
  readonly indexes: NearIndexes
}

/** Below this number an exact scan is as fast and also counts the matches. */
const CANDIDATES_MIN = 5000
/** Visiting a vector in the index takes as long as scanning this many. */
const VISIT_COST = 12
/** An index scan has to return this many vectors. */
const NEAREST = 100
/** pgvector indexes half vectors up to this length. */
const DIMENSIONS_MAX = 4000
/** Counting thousands of vectors takes as long as finding the nearest, so a sufficient count is remembered this long. */
const ENOUGH_TTL_MS = 60_000
const ENOUGH_MAX = 10_000
/** A failed build may have taken minutes, so it is not retried at once. */
const RETRY_MS = 3_600_000
/** Vectors are counted for this many workspaces, those with the most texts, as far as an index needs. */
const WORKSPACES_MAX = { embedding: 10, passage: 100 } as const satisfies Record<VectorTable, number>
const NAME = /_near_(\d+)$/
/** The default of SEARCH_INDEX_MEMORY_MB. */
export const INDEX_MEMORY_MB = 2048
/** Vectors may be more than the database has counted. */
const MEMORY_MB_MIN = 512
/** Each vector is linked to at most twice as many on the lowest layer, which holds nearly all links. */
const LINKS = 24
const BYTES_OF_LINK = 16
const BYTES_OF_NODE = 280
/** A text has at most this many rows of a table. */
const ROWS_OF_TEXT_MAX = { embedding: 1, passage: 64 } as const satisfies Record<VectorTable, number>

/**
 * Returns the number of candidates from which an HNSW index of `rows` vectors beats an exact scan. The index scan passes vectors of other
 * workspaces: for the hundred nearest it visits about 100 · rows / candidates.
 */
export function indexPaysFrom(rows: number): number {
  return Math.max(CANDIDATES_MIN, Math.ceil(Math.sqrt(VISIT_COST * NEAREST * Math.max(0, rows))))
}

/**
 * The HNSW indexes of one table, as this process last saw them, and their maintenance. An index is built in the background once a
 * workspace is large enough for it to pay. This requires a native server with pgvector 0.8 or newer: older versions cannot continue a scan
 * that filters have left with too few rows, and the embedded database would block everyone during the build.
 */
export class NearIndexes {
  #known: ReadonlyMap<ModelId, NearIndex> = new Map()
  /** The least number of vectors that a workspace, or a user of it, was seen to have. */
  readonly #enough: BoundedCache<number>
  #making: Promise<void> | undefined
  #failure: unknown
  #notBefore = Number.NEGATIVE_INFINITY

  private constructor(
    private readonly database: Pick<Database, 'system' | 'maintain'>,
    private readonly table: VectorTable,
    private readonly possible: boolean,
    private readonly building: IndexBuilding,
  ) {
    const name = `search.${table}-counts`
    this.#enough = new BoundedCache({ name, max: ENOUGH_MAX, maxBytes: 512 * ENOUGH_MAX, ttlMs: ENOUGH_TTL_MS })
  }

  static async open(
    database: Pick<Database, 'system' | 'maintain'>,
    table: VectorTable,
    building: IndexBuilding = {},
  ): Promise<NearIndexes> {
    const [server] = await database.system(
      tx => tx<{ pgvector: string; embedded: boolean }[]>`
        select pg_extension.extversion as pgvector, version() like '%emscripten%' as embedded
        from pg_extension
        where pg_extension.extname = 'vector'`,
    )
    const possible = server !== undefined && !server.embedded && continuesWalks(server.pgvector)
    const indexes = new NearIndexes(database, table, possible, building)
    await indexes.refresh()
    return indexes
  }

  get paysFrom(): typeof indexPaysFrom {
    return this.building.paysFrom ?? indexPaysFrom
  }

  get #now(): number {
    return this.building.now?.() ?? performance.now()
  }

  of(model: ModelId): NearIndex | undefined {
    return this.#known.get(model)
  }

  /** The number of candidates from which an index of some model beats an exact scan. */
  get leastOfAny(): number {
    return Math.min(...[...this.#known.values()].map(({ rows }) => this.paysFrom(rows)))
  }

  /**
   * Checks whether the workspace of a query, or the user in its filter, has at least this many vectors. An index scan returns too little
   * where most of them were deleted meanwhile, and an exact one follows.
   */
  async hasEnough(tx: Tx, query: EngineQuery, least: number): Promise<boolean> {
    if (this.wasEnough(query, least)) return true
    const {
      workspaceId,
      filter: { userId },
    } = query
    const [counted] = await tx<{ count: number }[]>`
      select count(*) as count
      from (
        select stored.memory_id
        from ${tx(`search.${this.table}`)} as stored
        where stored.workspace_id = ${workspaceId}
          ${userId === undefined ? tx`` : tx`and stored.user_id = ${userId}`}
        limit ${least}
      ) as theirs`
    const enough = (counted?.count ?? 0) >= least
    if (enough) this.#enough.set(countKey(query), least)
    return enough
  }

  /** Tells whether {@link hasEnough} has found that many lately. */
  wasEnough(query: EngineQuery, least: number): boolean {
    return (this.#enough.get(countKey(query)) ?? 0) >= least
  }

  /** Reads which indexes exist; other processes build and drop them too. */
  async refresh(): Promise<void> {
    if (!this.possible) return
    const found = await this.#inDatabase()
    this.#known = new Map(found.filter(({ valid }) => valid).map(index => [index.model, index]))
  }

  /**
   * Reads which indexes exist and starts building those that pay and are missing. It does not wait for the build, so that the process may
   * stop; the database finishes on its own.
   * @throws the error of the last build
   */
  async maintain(): Promise<void> {
    if (!this.possible || this.#making) return
    await this.refresh()
    const failure = this.#failure
    this.#failure = undefined
    if (failure) throw new Error('a vector index could not be built; searches scan instead', { cause: failure })
    if (this.#now < this.#notBefore) return
    const missing = await this.#missing([...this.#known.keys()])
    if (missing.length === 0 || (await this.#isBusy())) return
    this.#making = this.#make(missing)
      .catch(error => {
        this.#failure = error
        this.#notBefore = this.#now + RETRY_MS
      })
      .finally(() => {
        this.#making = undefined
      })
  }

  /** Resolves when no index is being built. */
  async built(): Promise<void> {
    await this.#making
  }

  async #make(missing: readonly { model: ModelId; dimensions: number }[]): Promise<void> {
    for (const { model, dimensions } of missing) {
      // An aborted build leaves an index that is never used, costs every write, and blocks the name.
      await this.database.maintain(`drop index concurrently if exists search.${this.table}_near_${model}`)
      await this.database.maintain(
        `create index concurrently if not exists ${this.table}_near_${model} on search.${this.table}
        using hnsw ((embedding::halfvec(${dimensions})) halfvec_ip_ops) with (m = ${LINKS}, ef_construction = 128)
        where model = ${model}`,
        await this.#memoryMbFor(dimensions),
      )
    }
    await this.refresh()
  }

  /** A build whose graph does not fit into memory takes many times as long. */
  async #memoryMbFor(dimensions: number): Promise<number> {
    const { memoryMbMax = INDEX_MEMORY_MB, log } = this.building
    const vectors = await this.database.system(tx => estimatedRows(tx, this.table))
    const ownMb = await this.database.system(serverMemoryMb)
    const neededMb = buildMemoryMb(vectors, dimensions)
    const about = { table: `search.${this.table}`, vectors, neededMb }
    if (neededMb <= Math.max(ownMb, memoryMbMax)) log?.info(about, 'an index over vectors is built')
    else {
      log?.warn(
        { ...about, memoryMbMax },
        `an index over vectors is built slowly, since it does not fit into memory: SEARCH_INDEX_MEMORY_MB=${neededMb} would do, where the database server has as much`,
      )
    }
    return Math.min(Math.max(neededMb, MEMORY_MB_MIN), memoryMbMax)
  }

  async #inDatabase(): Promise<(NearIndex & { valid: boolean })[]> {
    const rows = await this.database.system(
      tx => tx<{ name: string; rows: number; valid: boolean; dimensions: number }[]>`
        select
          pg_class.relname as name, pg_class.reltuples as rows, pg_index.indisvalid as valid,
          pg_attribute.atttypmod as dimensions
        from pg_index
        join pg_class on pg_class.oid = pg_index.indexrelid
        join pg_attribute on pg_attribute.attrelid = pg_index.indexrelid and pg_attribute.attnum = 1
        where pg_index.indrelid = to_regclass(${`search.${this.table}`})`,
    )
    return rows.flatMap(({ name, ...index }) => {
      const model = NAME.exec(name)?.[1]
      return model === undefined ? [] : [{ model: Number(model), ...index }]
    })
  }

  /** Finds models without an index for which the vectors of some workspace make one pay. */
  #missing(built: readonly ModelId[]): Promise<{ model: ModelId; dimensions: number }[]> {
    return this.database.system(async tx => {
      const least = this.paysFrom(await estimatedRows(tx, this.table))
      const models = await tx<{ model: ModelId; dimensions: number }[]>`
        select model.id as model, model.dimensions
        from search.model
        where model.dimensions <= ${DIMENSIONS_MAX}
          and model.id <> all(${plainArray(built)}::smallint[])`
      if (models.length === 0) return []
      const large = await tx<{ workspace_id: string }[]>`
        -- across workspaces: the vector index covers all workspaces, and its size decides
        select corpus_stat.workspace_id
        from search.corpus_stat
        where corpus_stat.documents >= ${Math.ceil(least / ROWS_OF_TEXT_MAX[this.table])}
        order by corpus_stat.documents desc
        limit ${WORKSPACES_MAX[this.table]}`
      const missing = new Set<(typeof models)[number]>()
      for (const { workspace_id: workspaceId } of large)
        for (const found of models)
          if (!missing.has(found) && (await this.#hasRows(tx, workspaceId, found.model, least))) missing.add(found)
      return [...missing]
    })
  }

  async #hasRows(tx: Tx, workspaceId: string, model: ModelId, least: number): Promise<boolean> {
    const [row] = await tx<{ enough: boolean }[]>`
      select count(*) >= ${least} as enough
      from (
        select stored.memory_id
        from ${tx(`search.${this.table}`)} as stored
        where stored.workspace_id = ${workspaceId}
          and stored.model = ${model}
        limit ${least}
      ) as counted`
    return row?.enough ?? false
  }

  /** Tells whether any process is building an index at the moment. */
  async #isBusy(): Promise<boolean> {
    const [busy] = await this.database.system(
      tx => tx`
        select from pg_stat_progress_create_index
        where pg_stat_progress_create_index.relid = to_regclass(${`search.${this.table}`})`,
    )
    return busy !== undefined
  }
}

/** Returns the MiB in which pgvector builds the graph of so many half vectors: measured for 0.8 by where it stopped to fit. */
export function buildMemoryMb(vectors: number, dimensions: number): number {
  return Math.ceil((vectors * (2 * dimensions + 2 * LINKS * BYTES_OF_LINK + BYTES_OF_NODE)) / 2 ** 20) + 1
}

/** Returns the number of vectors as of the database's last count. */
async function estimatedRows(tx: Tx, table: VectorTable): Promise<number> {
  const [stored] = await tx<{ rows: number }[]>`
    select greatest(pg_class.reltuples, 0)::float8 as rows
    from pg_class
    where pg_class.oid = to_regclass(${`search.${table}`})`
  return stored?.rows ?? 0
}

/** Returns the MiB that the server gives to maintenance by itself. */
async function serverMemoryMb(tx: Tx): Promise<number> {
  const [own] = await tx<{ mb: number }[]>`
    select pg_size_bytes(current_setting('maintenance_work_mem'))::float8 / 1048576 as mb`
  return own?.mb ?? 0
}

function countKey({ workspaceId, filter: { userId } }: EngineQuery): string {
  return userId === undefined ? workspaceId : `${workspaceId} ${userId}`
}

/** pgvector supports iterative scans from version 0.8 on. */
function continuesWalks(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 0 || minor >= 8
}

/** A memory that matches by meaning. */
export interface Near {
  readonly memory_id: string
  readonly cosine: number
}

/** An index scan visits at most this many vectors. If one in fifty passes the filter, an exact scan behind the filter is no slower. */
const VISITS_MAX = 5000

/**
 * Finds the `limit` nearest memories with the model's HNSW index, the nearest first. Undefined when an exact scan serves better, and when
 * too few rows came back or the farthest is no match: then few matches exist, and only an exact scan finds them all.
 */
export async function nearestByIndex(
  tx: Tx,
  indexes: NearIndexes,
  query: EngineQuery,
  corpus: CorpusStatistics,
  limit: number,
): Promise<Near[] | undefined> {
  const { vector } = query
  const index = vector && indexes.of(vector.model)
  if (!index || vector.values.length !== index.dimensions || !isLight(query.filter)) return undefined
  const least = indexes.paysFrom(index.rows)
  if (corpus.documents < least) return undefined
  if (query.filter.userId !== undefined && !(await indexes.hasEnough(tx, query, least))) return undefined
  const found = await underSettings(tx, indexScan(index), walk(tx, index, query, limit))
  const farthest = found[limit - 1]
  return farthest && farthest.cosine >= vector.floor ? [...found] : undefined
}

/**
 * Tells whether an index will most likely find the nearest memories of a query whose vector is not known yet. With a filter other than the
 * user, whose vectors are counted, it may find too few.
 */
export function expectsIndex(indexes: NearIndexes, query: EngineQuery, corpus: CorpusStatistics): boolean {
  const least = indexes.leastOfAny
  if (corpus.documents < least || !isByUserAlone(query.filter)) return false
  return query.filter.userId === undefined || indexes.wasEnough(query, least)
}

/** Tells whether an index scan can check the filter vector by vector. Other filters leave few rows or need documents. */
function isLight(filter: MemoryFilter): boolean {
  return filter.added === undefined && filter.sessionId === undefined && !needsDocument(filter)
}

/**
 * Returns the settings of an index scan. Its candidate list (ef_search) grows with the index, as a smaller one ends now and then in a corner of
 * it, far from all true neighbours: among 250,000 vectors, fifty of each text nearly equal, a list of 200 found 0.90 of the 20 nearest and in
 * some questions none, one of 800 0.99. pgvector allows 1,000. Sorting is discouraged, because the planner underestimates a workspace and would
 * sort all of it. It may still sort when the index is missing; the result is the same then.
 *
 * @param listed the least size of the candidate list
 */
export const indexScan = ({ rows }: Pick<NearIndex, 'rows'>, listed = 200) => ({
  ...GENERIC_PLAN,
  'hnsw.iterative_scan': 'relaxed_order',
  'hnsw.ef_search': Math.min(1000, Math.max(listed, Math.ceil(rows / 300))),
  'hnsw.max_scan_tuples': VISITS_MAX,
  enable_sort: 'off',
})

function walk(tx: Tx, { model, dimensions }: NearIndex, { workspaceId, vector, filter }: EngineQuery, limit: number) {
  // The index has a fixed model and length, and the planner recognises it only by constants.
  const type = tx.unsafe(`halfvec(${dimensions})`)
  const literal = queryLiteral(vector?.values ?? new Float32Array())
  return tx<Near[]>`
    with near as materialized (
      select d.memory_id, d.embedding::${type} <#> ${literal}::${type} as distance
      from search.embedding as d
      where d.workspace_id = ${workspaceId}
        and d.model = ${tx.unsafe(String(model))}
        and ${columnConditions(tx, workspaceId, filter)}
      order by distance
      limit ${limit}
    )
    select near.memory_id, -near.distance as cosine
    from near
    order by near.distance, near.memory_id`
}
