import {
  type Background,
  type Database,
  type Embedder,
  EmbedderInputError,
  type Quarantine,
  type Tx,
  type UsageMeter,
  vectorLiteral,
} from 'mneme/plugin'
import { vectorModel } from '../vector-model.ts'

const NAME = 'graph:embed'

/** Entities embedded at once. */
const BATCH = 64

interface Described {
  readonly workspace_id: string
  readonly id: string
  readonly name: string
  readonly description: string | null
}

export interface EmbedEntitiesParts {
  readonly database: Database
  readonly embedder: Embedder
  readonly usage: Pick<UsageMeter, 'tokens'>
  readonly background: Background
  readonly quarantine: Quarantine
}

/**
 * Gives some entities their vectors that have none, or one of another model; those of one workspace, or of any. The model is asked
 * outside of any transaction. @returns how many there were; fewer than asked for means that none is left
 */
export async function embedEntities(
  { database, embedder, usage, background, quarantine }: EmbedEntitiesParts,
  workspaceId: string | undefined,
  signal: AbortSignal,
): Promise<{ found: number; limit: number }> {
  const model = vectorModel(embedder)
  const found = await (workspaceId === undefined
    ? database.system(tx => unembedded(tx, quarantine, undefined, model))
    : database.workspace(workspaceId, tx => unembedded(tx, quarantine, workspaceId, model)))
  const made = await embedEach(embedder, found, signal)
  for (const [id, own] of Map.groupBy(made, ({ entity }) => entity.workspace_id)) {
    const tokens = own.reduce((sum, one) => sum + one.tokens, 0)
    if (tokens > 0) usage.tokens(id, 'embedding', tokens)
  }
  await quarantine.sweep({
    name: NAME,
    items: made,
    workspaceOf: ({ entity }) => entity.workspace_id,
    idOf: ({ entity }) => entity.id,
    signal,
    work: (id, own) => background.run(() => database.workspace(id, tx => store(tx, id, model, own))),
  })
  return { found: found.length, limit: BATCH }
}

interface Made {
  readonly entity: Described
  readonly vector: Float32Array | null
  readonly tokens: number
}

/** One text that the model never takes does not keep the others from theirs. */
async function embedEach(embedder: Embedder, entities: readonly Described[], signal: AbortSignal): Promise<Made[]> {
  if (entities.length === 0) return []
  try {
    const made = await embedder.embed(entities.map(textOf), { priority: 'background', signal })
    return entities.map((entity, n) => ({ entity, vector: made[n]?.vector ?? null, tokens: made[n]?.tokens ?? 0 }))
  } catch (error) {
    if (!(error instanceof EmbedderInputError)) throw error
    const [first, ...others] = entities
    if (first && others.length === 0) return [{ entity: first, vector: null, tokens: 0 }]
    const half = Math.ceil(entities.length / 2)
    return [
      ...(await embedEach(embedder, entities.slice(0, half), signal)),
      ...(await embedEach(embedder, entities.slice(half), signal)),
    ]
  }
}

function textOf({ name, description }: Described): string {
  return description === null ? name : `${name}: ${description}`
}

/** An entity whose text the model cannot embed is only marked as tried. */
function unembedded(
  tx: Tx,
  quarantine: Quarantine,
  workspaceId: string | undefined,
  model: string,
): Promise<Described[]> {
  const admitted = quarantine.admits(tx, NAME, 'entity.workspace_id', 'entity.id')
  const own = tx`and ${admitted} ${workspaceId === undefined ? tx`` : tx`and entity.workspace_id = ${workspaceId}`}`
  return tx<Described[]>`
    -- across workspaces: finds entities without a vector, whosever they are
    (
      select entity.workspace_id, entity.id, entity.name, entity.description
      from graph.entity
      where entity.embedding is null
        and entity.embedding_model is null
        ${own}
      limit ${BATCH}
    )
    union all
    (
      select entity.workspace_id, entity.id, entity.name, entity.description
      from graph.entity
      where (entity.embedding_model < ${model} or entity.embedding_model > ${model})
        ${own}
      limit ${BATCH}
    )
    limit ${BATCH}`
}

/**
 * Only where name and description are still those that were embedded. What a change of facts holds just now is left for another
 * time: it locks entities in an order of its own.
 */
async function store(tx: Tx, workspaceId: string, model: string, made: readonly Made[]): Promise<void> {
  const rows = made.map(({ entity: { id, name, description }, vector }) => ({
    id,
    name,
    description,
    embedding: vector && vectorLiteral(vector),
  }))
  await tx`
    with same as (
      select entity.id, new.embedding::vector as embedding
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (
        id uuid, name text, description text, embedding text
      )
      join graph.entity on entity.workspace_id = ${workspaceId} and entity.id = new.id
      where entity.name = new.name
        and entity.description is not distinct from new.description
      for update of entity skip locked
    )
    update graph.entity
    set embedding = same.embedding, embedding_model = ${model}
    from same
    where entity.workspace_id = ${workspaceId}
      and entity.id = same.id`
}
