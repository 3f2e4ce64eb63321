import { fail, type Tenant, type Tx, unitVector } from 'mneme/plugin'
import { addressed, possibleNames } from '../analysis/addressed.ts'
import type { QueryEmbedder } from '../embedding/query-embedder.ts'
import type { QueryVector, SearchEngine } from '../engine/engine.ts'
import type { Signal } from '../ranking/rank.ts'
import type { QueryPlan } from './plan.ts'

type Vector = Omit<QueryVector, 'floor'>

export interface MeaningServices {
  readonly embedder: QueryEmbedder
  readonly engine: Pick<SearchEngine, 'speakers'>
  /** Without the signal "speaker" no speakers are looked up. */
  readonly without: ReadonlySet<Signal>
}

/** The embedding of a query, and what was missing for it. */
export interface QueryEmbedding {
  /** The vector that memories are compared with. */
  readonly vector?: Vector
  /** The vector of the query as typed, for comparison with other queries. */
  readonly typed?: Vector
  /** The model does not support the script of the query. */
  readonly unsupported?: true
  readonly warning?: string
}

const UNSUPPORTED =
  'The embedding model does not support the script of this query. Hybrid and keyword mode find its words.'
const NO_MEANING = 'The embedding model is not available at the moment: these results match by words only.'

/**
 * Embeds a query. If it names speakers of the workspace's texts, its vector is the mean of the query as typed and as addressed to them.
 *
 * @param language the language of the query
 * @param readBeside reads more in the transaction that looks for the speakers, while the model works
 * @throws SERVICE_UNAVAILABLE when a semantic search has no model
 */
export async function embedQuery(
  { embedder, engine, without }: MeaningServices,
  tenant: Tenant,
  { meaning, mode }: QueryPlan,
  language: string | undefined,
  readBeside: (tx: Tx) => Promise<void>,
): Promise<QueryEmbedding> {
  if (meaning === undefined) return {}
  const names = without.has('speaker') ? [] : possibleNames(meaning, language)
  const read = async (tx: Tx) => {
    const [, called] = await Promise.all([readBeside(tx), engine.speakers(tx, tenant.workspaceId, names)])
    return called
  }
  const [embedded, speakers] = await Promise.all([
    embedder.embed(tenant.workspaceId, meaning, mode),
    tenant.transaction(read),
  ])
  if ('vector' in embedded) {
    const put = speakers.length > 0 ? addressed(meaning, speakers, language) : undefined
    const other = put === undefined ? undefined : await embedder.embed(tenant.workspaceId, put, mode)
    const vector = other && 'vector' in other ? between(embedded.vector, other.vector) : embedded.vector
    return { ...embedded, vector, typed: embedded.vector }
  }
  if ('unknown' in embedded) return mode === 'semantic' ? { unsupported: true, warning: UNSUPPORTED } : {}
  if (mode === 'semantic') {
    throw fail('SERVICE_UNAVAILABLE', {
      message: 'The embedding model is not available at the moment; retry shortly, or search by keyword.',
      retryAfterSeconds: embedded.retryAfterSeconds,
      cause: embedded.cause,
    })
  }
  return { warning: NO_MEANING }
}

/** Returns the normalized mean of two unit vectors; the first one if they are opposite or from different models. */
function between(one: Vector, other: Vector): Vector {
  if (one.model !== other.model) return one
  const values = unitVector(one.values.map((value, at) => value + (other.values[at] ?? 0)))
  return values ? { model: one.model, values } : one
}
