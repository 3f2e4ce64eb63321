import type { Database, Logger, Tx } from 'mneme/plugin'
import type { SearchEngine } from '../engine.ts'
import { storedVectorType } from '../postgres/embeddings.ts'
import { IndexedCandidates } from './candidates.ts'
import { databaseId } from './index-state.ts'
import { enqueue } from './outbox.ts'
import { INDEX_NAME } from './schema.ts'
import { RecallCheck } from './searches.ts'
import { SearchServer } from './server.ts'
import { Upkeep } from './upkeep.ts'

export { FORSAKEN } from './upkeep.ts'

export interface TypesenseOptions {
  readonly database: Database
  /** The engine that stores everything and serves whatever Typesense cannot. */
  readonly postgres: SearchEngine
  /** The addresses of the nodes. */
  readonly urls: readonly string[]
  readonly apiKey: string
  readonly log: Logger
  /** Tests use another alias than the product. */
  readonly alias?: string
  readonly graceMs?: number
  /** Tests wait for no processes without TYPESENSE_URL. */
  readonly quietMs?: number
  /** Decides from how many vectors the HNSW index serves; tests override it. */
  readonly recall?: RecallCheck
}

/** The engine with its controls for operators. */
export interface TypesenseEngine extends SearchEngine {
  readonly upkeep: Upkeep
  readonly server: SearchServer
  readonly proposals: IndexedCandidates
  readonly recall: RecallCheck
  /** The alias that searches use. */
  readonly alias: string
}

/** In all observations a follower of a cluster had a write within this time after its leader. */
const FOLLOWER_LAG_MS = 2000

/** Processes without TYPESENSE_URL say every ten seconds that they write, later while they or the database are busy. */
const QUIET_MS = 30_000

/**
 * Postgres keeps every document, vector and statistic, as without Typesense, which only proposes candidates. Each write records in its own
 * transaction what to send, so nothing is lost during an outage. A search checks pending memories in Postgres, so a memory is found once it
 * is accepted.
 */
export async function openTypesenseEngine(options: TypesenseOptions): Promise<TypesenseEngine> {
  const { database, postgres, log, alias = INDEX_NAME, quietMs = QUIET_MS } = options
  const server = new SearchServer({ urls: options.urls, apiKey: options.apiKey })
  const graceMs = options.graceMs ?? (server.nodes > 1 ? FOLLOWER_LAG_MS : 0)
  const owner = await database.system(databaseId)
  const recall = options.recall ?? new RecallCheck(log)
  const upkeep = new Upkeep({ database, server, log, index: alias, owner, graceMs, quietMs, recall })
  // Searches may come before the first run of upkeep.
  await upkeep.readState()
  const type = await storedVectorType(database)
  const proposals = new IndexedCandidates({ server, upkeep, postgres, type, index: alias, recall, log })
  return {
    ...postgres,
    async index(tx, documents, sameText) {
      const [first] = documents
      if (!first) return
      await postgres.index(tx, documents, sameText)
      await enqueue(
        tx,
        first.workspaceId,
        documents.map(({ memoryId }) => memoryId),
      )
    },
    replaceWords: queued(postgres.replaceWords, digests => [...digests.keys()]),
    amend: queued(postgres.amend, amendments => amendments.map(({ memoryId }) => memoryId)),
    remove: queued(postgres.remove, ids => ids),
    setEmbeddings: queued(postgres.setEmbeddings, (_, vectors) => [...vectors.keys()]),
    keepEmbeddings: queued(postgres.keepEmbeddings, (_, ids) => ids),
    propose: (query, run) => proposals.propose(query, run),
    statistics: (tx, query) => proposals.statistics(tx, query),
    // Typesense retrieves by words and by meaning at once.
    wordCandidates: async () => undefined,
    candidates: (tx, query, before) => proposals.find(tx, query, before),
    upkeep,
    server,
    proposals,
    recall,
    alias,
  }
}

type Write<A extends readonly unknown[]> = (tx: Tx, workspaceId: string, ...rest: A) => Promise<void>

/** Queues what a write changes in the same transaction. */
function queued<A extends readonly unknown[]>(write: Write<A>, idsOf: (...rest: A) => readonly string[]): Write<A> {
  return async (tx, workspaceId, ...rest) => {
    await write(tx, workspaceId, ...rest)
    await enqueue(tx, workspaceId, idsOf(...rest))
  }
}
