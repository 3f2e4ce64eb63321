import { type Database, type Tx, textArray } from 'mneme/plugin'
import type { SearchEngine } from '../engine.ts'
import { candidatesBesideIds, examine } from './by-ids.ts'
import { findCandidates, findTail } from './candidates.ts'
import { amendDocuments, digestWords, indexDocuments, removeDocuments, replaceWords } from './documents.ts'
import { keepEmbeddings, storedVectorType, storeEmbeddings } from './embeddings.ts'
import { type IndexBuilding, NearIndexes } from './near-index.ts'
import { nearestPassages, storePassages } from './passages.ts'
import { readPlanKind } from './planner.ts'
import { readLanguages, statisticsOf } from './statistics.ts'
import { candidatesByWords } from './worded.ts'

export interface PostgresEngine extends SearchEngine {
  /** Maintains the store; it runs every minute or so. It starts building HNSW indexes but does not wait for them. */
  upkeep(): Promise<void>
  /** Resolves when this process is building no HNSW index. */
  indexesBuilt(): Promise<void>
}

/**
 * The engine within Postgres: a GIN index for words, and for meaning an exact scan or an HNSW index over many vectors. It is always
 * consistent with stored memories. Opening it reads the schema, so the migrations must have run.
 */
export async function openPostgresEngine(database: Database, building: IndexBuilding = {}): Promise<PostgresEngine> {
  const type = await storedVectorType(database)
  await readPlanKind(database)
  const indexes = await NearIndexes.open(database, 'embedding', building)
  const ofPassages = await NearIndexes.open(database, 'passage', building)
  return {
    digest: digestWords,
    index: indexDocuments,
    replaceWords,
    amend: amendDocuments,
    languages: readLanguages,
    speakers: speakersCalled,
    remove: removeDocuments,
    setEmbeddings: (tx, workspaceId, model, vectors) => storeEmbeddings(tx, type, workspaceId, model, vectors),
    setPassages: (tx, workspaceId, model, passages) => storePassages(tx, type, workspaceId, model, passages),
    keepEmbeddings,
    statistics: statisticsOf,
    wordCandidates: (tx, query) => candidatesByWords(tx, { type, indexes }, query),
    candidates: (tx, query, before) => findCandidates(tx, { type, indexes }, query, before),
    tail: (tx, query, head) => findTail(tx, type, query, head),
    features: (tx, query, ids) => examine(tx, type, query, ids),
    nearestPassages: (tx, query) => nearestPassages(tx, { type, indexes: ofPassages }, query),
    sessionNeighbours: (tx, query, ids) => candidatesBesideIds(tx, type, query, ids),
    async upkeep() {
      await indexes.maintain()
      await ofPassages.maintain()
    },
    async indexesBuilt() {
      await indexes.built()
      await ofPassages.built()
    },
    async check() {
      await database.system(tx => tx`select from search.model limit 1`)
    },
  }
}

/** One or two texts with the same beginning may share a heading ("Rent: …") and not a speaker. */
const TEXTS_MIN = 3

/** Finds a speaker for each of `names` whose name equals it or begins with it as a whole word. */
async function speakersCalled(tx: Tx, workspaceId: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const rows = await tx<{ speaker: string }[]>`
    select called.speaker
    from unnest(${textArray(names)}::text[]) as given (name)
    cross join lateral (
      select own_speaker.speaker
      from search.own_speaker
      where own_speaker.workspace_id = ${workspaceId}
        and own_speaker.speaker >= given.name
        and own_speaker.speaker < given.name || '!'
      order by own_speaker.speaker
      offset ${TEXTS_MIN - 1}
      limit 1
    ) as called`
  return rows.map(({ speaker }) => speaker)
}
