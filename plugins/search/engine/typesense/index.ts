import type { Database, Logger } from 'mneme/plugin'
import type { SearchEngine } from '../engine.ts'
import { storedVectorType } from '../postgres/embeddings.ts'
import { IndexedCandidates } from './candidates.ts'
import { databaseId } from './index-state.ts'
import { enqueue } from './outbox.ts'
import { RecallCheck } from './recall.ts'
import { INDEX_NAME } from './schema.ts'
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
    async replaceWords(tx, workspaceId, digests) {
      await postgres.replaceWords(tx, workspaceId, digests)
      await enqueue(tx, workspaceId, [...digests.keys()])
    },
    async amend(tx, workspaceId, amendments) {
      await postgres.amend(tx, workspaceId, amendments)
      await enqueue(
        tx,
        workspaceId,
        amendments.map(({ memoryId }) => memoryId),
      )
    },
    async remove(tx, workspaceId, ids) {
      await postgres.remove(tx, workspaceId, ids)
      await enqueue(tx, workspaceId, ids)
    },
    async setEmbeddings(tx, workspaceId, model, vectors) {
      await postgres.setEmbeddings(tx, workspaceId, model, vectors)
      await enqueue(tx, workspaceId, [...vectors.keys()])
    },
    async keepEmbeddings(tx, workspaceId, model, ids) {
      await postgres.keepEmbeddings(tx, workspaceId, model, ids)
      await enqueue(tx, workspaceId, ids)
    },
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
