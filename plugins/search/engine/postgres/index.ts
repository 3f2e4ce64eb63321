import type { Database } from 'mneme/plugin'
import type { SearchEngine } from '../engine.ts'
import { candidatesBeside, examine } from './by-ids.ts'
import { findCandidates, findTail } from './candidates.ts'
import { digestWords, indexDocuments, removeDocuments, replaceWords } from './documents.ts'
import { keepEmbeddings, storedVectorType, storeEmbeddings } from './embeddings.ts'
import { readLanguages } from './languages.ts'
import { graphPaysFrom, NearIndexes } from './near-index.ts'
import { speakersCalled } from './speakers.ts'

export interface PostgresEngine extends SearchEngine {
  /** What a growing store needs, every minute or so. A graph over vectors that it begins to make is not waited for. */
  upkeep(): Promise<void>
  /** Resolves when no graph is being made by this process. */
  graphsMade(): Promise<void>
}

/**
 * The engine within Postgres: a GIN index for words; for meaning an exact scan, or a graph over many vectors. Always in step
 * with what is stored. Opening it reads the schema, so the migrations must have run.
 *
 * @param paysFrom from how many candidates on a graph is used, given its number of vectors; other than the default for tests
 */
export async function openPostgresEngine(database: Database, paysFrom = graphPaysFrom): Promise<PostgresEngine> {
  const type = await storedVectorType(database)
  const indexes = await NearIndexes.open(database, paysFrom)
  return {
    digest: digestWords,
    index: indexDocuments,
    replaceWords,
    languages: readLanguages,
    speakers: speakersCalled,
    remove: removeDocuments,
    setEmbeddings: (tx, workspaceId, model, vectors) => storeEmbeddings(tx, type, workspaceId, model, vectors),
    keepEmbeddings,
    candidates: (tx, query, before) => findCandidates(tx, { type, indexes }, query, before),
    tail: (tx, query, head) => findTail(tx, type, query, head),
    features: (tx, query, ids) => examine(tx, type, query, ids),
    beside: (tx, query, ids) => candidatesBeside(tx, type, query, ids),
    upkeep: () => indexes.keep(),
    graphsMade: () => indexes.made(),
    async check() {
      await database.system(tx => tx`select from search.model limit 1`)
    },
  }
}
