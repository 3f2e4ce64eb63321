import {
  type Database,
  type Embedder,
  type EmbedderInfo,
  type EmbedderOrigin,
  EmbedderUnavailableError,
  type Embedding,
  type EmbedOptions,
  type Tx,
  vectorLiteral,
} from 'mneme/plugin'
import type { ModelId } from '../engine/engine.ts'

/** A model with vectors in the database. */
export interface ModelRecord extends EmbedderInfo {
  readonly id: ModelId
  /** The address of the model; undefined for records from before addresses were stored. */
  readonly origin: EmbedderOrigin | undefined
}

/** The columns of `search.model` that {@link toModel} reads, under prefixed names. */
export interface ModelRow {
  id: number
  model_id: string
  dimensions: number
  kind: 'local' | 'http' | null
  url: string | null
  model: string | null
  sends_dimensions: boolean
}

export function toModel(row: ModelRow): ModelRecord {
  return { id: row.id, modelId: row.model_id, dimensions: row.dimensions, origin: originOf(row) }
}

function originOf({ kind, url, model, sends_dimensions: sendsDimensions }: ModelRow): EmbedderOrigin | undefined {
  if (kind === 'local') return { kind }
  return kind === 'http' && url !== null && model !== null ? { kind, url, model, sendsDimensions } : undefined
}

/** The vector of this text tells whether two addresses serve the same model under one name. */
const PROBE = 'The harbour master writes the names of all ships into a blue book.'
/** Builds of one model have a cosine above this value, different models far below. */
const SAME_FROM = 0.99
const PATIENCE_MS = 10_000

/**
 * Finds or creates the record of an embedder. An unknown address of a known model is asked for one vector: if it equals the stored one, the
 * model has moved; otherwise another model has the same name.
 *
 * @throws EmbedderUnavailableError when the model must be asked and is unavailable
 */
export async function recordOf(database: Database, embedder: Embedder, origin: EmbedderOrigin): Promise<ModelRecord> {
  const rows = await database.system(tx => readEditions(tx, embedder))
  const known = rows.find(row => sameAddress(row, origin))
  if (known) return toModel(known)
  // This record was written before addresses were stored.
  const unplaced = rows.find(row => row.kind === null)
  if (unplaced) return database.system(tx => place(tx, unplaced.id, origin))
  if (rows.length === 0) return database.system(tx => add(tx, embedder, origin))
  const vector = await probe(embedder)
  return database.system(async tx => {
    const like = await findLike(tx, embedder, vector)
    return like === undefined ? add(tx, embedder, origin) : place(tx, like, origin)
  })
}

/** Stores the vector that identifies the model at another address. */
export async function storeProbe(database: Database, embedder: Embedder, { id, origin }: ModelRecord): Promise<void> {
  if (origin?.kind !== 'http') return
  const [missing] = await database.system(
    tx => tx`select from search.model where model.id = ${id} and model.probe is null`,
  )
  if (!missing) return
  const vector = vectorLiteral(await probe(embedder))
  await database.system(
    tx => tx`update search.model set probe = ${vector}::vector where model.id = ${id} and model.probe is null`,
  )
}

async function probe(embedder: Embedder): Promise<Float32Array> {
  const [embedding] = await askEmbedder(embedder, [PROBE], { signal: AbortSignal.timeout(PATIENCE_MS) })
  if (!embedding?.vector) throw new Error('the embedder returned no vector')
  return embedding.vector
}

function readEditions(tx: Tx, { modelId, dimensions }: EmbedderInfo) {
  return tx<ModelRow[]>`
    select model.id, model.model_id, model.dimensions, model.kind, model.url, model.model, model.sends_dimensions
    from search.model
    where model.model_id = ${modelId}
      and model.dimensions = ${dimensions}
    order by model.edition`
}

function sameAddress(row: ModelRow, origin: EmbedderOrigin): boolean {
  if (row.kind !== origin.kind) return false
  return origin.kind === 'local' || (row.url === origin.url && row.sends_dimensions === origin.sendsDimensions)
}

/** A model without a stored vector counts as the same, because it was treated as such so far. */
async function findLike(tx: Tx, { modelId, dimensions }: EmbedderInfo, vector: Float32Array) {
  const [row] = await tx<{ id: number }[]>`
    select model.id
    from search.model
    where model.model_id = ${modelId}
      and model.dimensions = ${dimensions}
      and (model.probe is null or -(model.probe <#> ${vectorLiteral(vector)}::vector) >= ${SAME_FROM})
    order by model.probe is null, model.probe <#> ${vectorLiteral(vector)}::vector
    limit 1`
  return row?.id
}

async function place(tx: Tx, id: ModelId, origin: EmbedderOrigin): Promise<ModelRecord> {
  const { kind, url, model, sendsDimensions } = columnsOf(origin)
  const [row] = await tx<ModelRow[]>`
    update search.model
    set kind = ${kind}, url = ${url}, model = ${model}, sends_dimensions = ${sendsDimensions}
    where model.id = ${id}
    returning model.id, model.model_id, model.dimensions, model.kind, model.url, model.model, model.sends_dimensions`
  if (!row) throw new Error('the record of a model disappeared')
  return toModel(row)
}

async function add(tx: Tx, { modelId, dimensions }: EmbedderInfo, origin: EmbedderOrigin): Promise<ModelRecord> {
  const { kind, url, model, sendsDimensions } = columnsOf(origin)
  // The lock makes two processes that start together add the model once.
  await tx`lock table search.model in share row exclusive mode`
  const added = (await readEditions(tx, { modelId, dimensions })).find(row => sameAddress(row, origin))
  if (added) return toModel(added)
  const [row] = await tx<ModelRow[]>`
    insert into search.model (model_id, dimensions, edition, kind, url, model, sends_dimensions)
    select
      ${modelId}, ${dimensions}, coalesce(max(model.edition), 0) + 1, ${kind}, ${url}, ${model}, ${sendsDimensions}::boolean
    from search.model
    where model.model_id = ${modelId}
      and model.dimensions = ${dimensions}
    returning model.id, model.model_id, model.dimensions, model.kind, model.url, model.model, model.sends_dimensions`
  if (!row) throw new Error(`the model ${modelId} could not be stored`)
  return toModel(row)
}

function columnsOf(origin: EmbedderOrigin) {
  if (origin.kind === 'local') return { kind: origin.kind, url: null, model: null, sendsDimensions: false }
  return { ...origin }
}

/**
 * Embeds texts. A model that replies later than the caller waits is unavailable, as one that says so itself.
 * @throws EmbedderUnavailableError for both
 */
export async function askEmbedder(
  embedder: Embedder,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Embedding[]> {
  try {
    return await embedder.embed(texts, options)
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
    throw new EmbedderUnavailableError('the embedding model does not reply in time', { cause: error })
  }
}
