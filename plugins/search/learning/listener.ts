import { type Database, inTime, type Logger, type Tx } from 'mneme/plugin'
import type { FeedbackListener, FeedbackSignal, MemoryWriteHook } from '../../memories/contract.ts'
import type { VectorType } from '../engine/postgres/embeddings.ts'
import { marksOf } from '../feedback/marks.ts'
import { deleteSignals, type KnownQuery, recordSignal } from '../feedback/store.ts'
import type { SearchServices } from '../pipeline/search.ts'

export interface FeedbackServices {
  readonly database: Database
  readonly vectorType: VectorType
  /** Searches like the routes, but without counting usage. */
  readonly search: SearchServices
  readonly log: Logger
}

/** A signal waits this long for the vector of its query; otherwise `fill-queries.ts` adds it later. */
const PATIENCE_MS = 1_000

/** Records feedback signals, which count from the next search on. */
export function createFeedbackListener(services: FeedbackServices): FeedbackListener<KnownQuery | undefined> {
  return {
    id: 'search',
    async prepare(tenant, { queryHash }) {
      if (!queryHash) return undefined
      try {
        const text =
          services.search.log.waitingText(tenant.workspaceId, queryHash) ??
          (await tenant.transaction(tx => loggedText(tx, tenant.workspaceId, queryHash)))
        return text === undefined
          ? undefined
          : await inTime(knownQuery(services.search, tenant.workspaceId, text), PATIENCE_MS, () => undefined)
      } catch (error) {
        services.log.warn({ err: error }, 'feedback was stored without the vector of its query')
        return undefined
      }
    },
    async received(tx: Tx, signal: FeedbackSignal, query) {
      services.search.learned.changed(signal.workspaceId)
      await recordSignal(tx, services.vectorType, signal, query, new Date())
    },
  }
}

/** Deletes the signals of removed memories in the same transaction. Those of absorbed ones wait for a restoration. */
export function createFeedbackHook(): MemoryWriteHook {
  return {
    id: 'search.feedback',
    created: async () => undefined,
    updated: async () => undefined,
    async removed(tx, workspaceId, ids, why) {
      if (why !== 'absorbed') await deleteSignals(tx, workspaceId, ids)
    },
  }
}

/** Embeds a query as typed, as searches compare it with theirs; undefined when it has no vector or none at the moment. */
export async function knownQuery(
  { embedder }: Pick<SearchServices, 'embedder'>,
  workspaceId: string,
  text: string,
): Promise<KnownQuery | undefined> {
  const embedded = await embedder.embed(workspaceId, text)
  if (!('vector' in embedded)) return undefined
  const { model, values } = embedded.vector
  return { model, vector: values, marks: marksOf(text) }
}

/** Reads the last logged query text of a hash. */
export async function loggedText(tx: Tx, workspaceId: string, queryHash: string): Promise<string | undefined> {
  const [row] = await tx<{ query: string }[]>`
    select query_log.query
    from search.query_log
    where query_log.workspace_id = ${workspaceId}
      and query_log.query_hash = ${queryHash}
      and query_log.has_text
    order by query_log.created_at desc
    limit 1`
  return row?.query
}
