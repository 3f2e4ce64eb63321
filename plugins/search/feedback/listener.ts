import type { Database, Tx } from '../../../core/db/database.ts'
import type { Logger } from '../../../core/log.ts'
import type { Embedder } from '../../../core/models/embedder.ts'
import type { FeedbackListener, FeedbackSignal, MemoryWriteHook } from '../../memories/contract.ts'
import type { EmbeddingModel } from '../embedding/models.ts'
import type { VectorType } from '../engine/postgres/embeddings.ts'
import { planQuery } from '../query-plan.ts'
import type { SearchServices } from '../search.ts'
import { marksOf } from './marks.ts'
import { forgetSignals, type KnownQuery, recordSignal } from './store.ts'

export interface FeedbackServices {
  readonly database: Database
  readonly vectorType: VectorType
  readonly embedder: Embedder
  readonly model: EmbeddingModel
  /** Searches as they are answered, but on nobody's account. */
  readonly search: SearchServices
  readonly log: Logger
}

/** A signal waits no longer for the vector of its query; the vector is filled in later (see `fill-queries.ts`). */
const PATIENCE_MS = 1_000

/** Takes signals in: they count from the next search on. */
export function createFeedbackListener(services: FeedbackServices): FeedbackListener<KnownQuery | undefined> {
  return {
    id: 'search',
    async prepare(tenant, { queryHash }) {
      if (!queryHash) return undefined
      try {
        const text =
          services.search.log.waitingText(tenant.workspaceId, queryHash) ??
          (await tenant.transaction(tx => loggedText(tx, tenant.workspaceId, queryHash)))
        return text === undefined ? undefined : await knownQuery(services, text, PATIENCE_MS)
      } catch (error) {
        services.log.warn({ err: error }, 'feedback without the vector of its query')
        return undefined
      }
    },
    async received(tx: Tx, signal: FeedbackSignal, query) {
      services.search.learned.changed(signal.workspaceId)
      await recordSignal(tx, services.vectorType, signal, query, new Date())
    },
  }
}

/** Forgets what was learned about memories that go, in the same transaction. */
export function createFeedbackHook(): MemoryWriteHook {
  return {
    id: 'search.feedback',
    created: async () => undefined,
    updated: async () => undefined,
    removed: forgetSignals,
  }
}

/** The vector under which a query is recognised, or undefined when it has no meaning to look for. */
export async function knownQuery(
  { embedder, model }: Pick<FeedbackServices, 'embedder' | 'model'>,
  text: string,
  patienceMs: number,
): Promise<KnownQuery | undefined> {
  const { meaning } = planQuery({ query: text, mode: 'hybrid' })
  if (meaning === undefined) return undefined
  const options = { priority: 'query', signal: AbortSignal.timeout(patienceMs) } as const
  const [id, [embedding]] = await Promise.all([model.id(), embedder.embed([meaning], options)])
  return embedding && { model: id, vector: embedding.vector, marks: marksOf(text) }
}

/** What was asked under a hash, as last logged. */
export async function loggedText(tx: Tx, workspaceId: string, queryHash: string): Promise<string | undefined> {
  const [row] = await tx<{ query: string }[]>`
    select query_log.query
    from search.query_log
    where query_log.workspace_id = ${workspaceId}
      and query_log.query_hash = ${queryHash}
    order by query_log.created_at desc
    limit 1`
  return row?.query
}
