import { fail, type Tenant, unitVector } from 'mneme/plugin'
import { addressed, possibleNames } from './analysis/addressed.ts'
import type { QueryEmbedder } from './embedding/query-embedder.ts'
import type { QueryVector, SearchEngine } from './engine/engine.ts'
import type { QueryPlan } from './query-plan.ts'
import type { Signal } from './ranking/rank.ts'

type Vector = Omit<QueryVector, 'floor'>

export interface MeaningServices {
  readonly embedder: QueryEmbedder
  readonly engine: Pick<SearchEngine, 'speakers'>
  /** Without the signal "speaker" nobody is asked for. */
  readonly without: ReadonlySet<Signal>
}

/** What a query means, and what of that could not be had. */
export interface QueryMeaning {
  /** What memories are compared with. */
  readonly vector?: Vector
  /** Of the query as it was typed, which other queries are compared with. */
  readonly typed?: Vector
  /** The model knows nothing of what the query is written in. */
  readonly unread?: true
  readonly warning?: string
}

const UNREAD =
  'The embedding model does not know what this query is written in. Hybrid and keyword mode find its words.'
const NO_MEANING = 'The embedding model is not available at the moment: these results match by words only.'

/**
 * Embeds a query. One that names people who speak in the workspace's texts is compared both as typed and as put to them.
 *
 * @param language that of the query
 * @throws SERVICE_UNAVAILABLE when a semantic search has no model
 */
export async function readMeaning(
  { embedder, engine, without }: MeaningServices,
  tenant: Tenant,
  { meaning, mode }: QueryPlan,
  language: string | undefined,
): Promise<QueryMeaning> {
  if (meaning === undefined) return {}
  const names = without.has('speaker') ? [] : possibleNames(meaning, language)
  const [embedded, speakers] = await Promise.all([
    embedder.embed(tenant.workspaceId, meaning, mode),
    names.length === 0 ? [] : tenant.transaction(tx => engine.speakers(tx, tenant.workspaceId, names)),
  ])
  if ('vector' in embedded) {
    const put = speakers.length > 0 ? addressed(meaning, speakers, language) : undefined
    const other = put === undefined ? undefined : await embedder.embed(tenant.workspaceId, put, mode)
    const vector = other && 'vector' in other ? between(embedded.vector, other.vector) : embedded.vector
    return { ...embedded, vector, typed: embedded.vector }
  }
  if ('unknown' in embedded) return mode === 'semantic' ? { unread: true, warning: UNREAD } : {}
  if (mode === 'semantic') {
    throw fail('SERVICE_UNAVAILABLE', {
      message: 'The embedding model is not available at the moment; retry shortly, or search by keyword.',
      retryAfterSeconds: embedded.retryAfterSeconds,
      cause: embedded.cause,
    })
  }
  return { warning: NO_MEANING }
}

/** In the middle between two vectors of length 1; the first where there is no middle, or another model made the other. */
function between(one: Vector, other: Vector): Vector {
  if (one.model !== other.model) return one
  const values = unitVector(one.values.map((value, at) => value + (other.values[at] ?? 0)))
  return values ? { model: one.model, values } : one
}
