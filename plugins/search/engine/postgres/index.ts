import type { Database } from '../../../../core/db/database.ts'
import type { SearchEngine } from '../engine.ts'
import { examine } from './by-ids.ts'
import { findCandidates, findTail } from './candidates.ts'
import { digestWords, indexDocuments, removeDocuments } from './documents.ts'
import { storedVectorType, storeEmbeddings } from './embeddings.ts'

/**
 * The engine within Postgres: a GIN index for words, an exact scan for meaning. Always in step with what is stored.
 * Opening it reads the schema, so the migrations must have run.
 */
export async function openPostgresEngine(database: Database): Promise<SearchEngine> {
  const type = await storedVectorType(database)
  return {
    digest: digestWords,
    index: indexDocuments,
    remove: removeDocuments,
    setEmbeddings: (tx, workspaceId, model, vectors) => storeEmbeddings(tx, type, workspaceId, model, vectors),
    candidates: (tx, query) => findCandidates(tx, type, query),
    tail: (tx, query, head) => findTail(tx, type, query, head),
    features: (tx, query, ids) => examine(tx, type, query, ids),
    async check() {
      await database.system(tx => tx`select from search.model limit 1`)
    },
  }
}
