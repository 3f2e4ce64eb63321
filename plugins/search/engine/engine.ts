import type { Steps, Tx } from 'mneme/plugin'
import type { MemoryFilter, Priority } from '../../memories/contract.ts'
import type { Analysis } from '../analysis/analyze.ts'
import type { Query } from '../analysis/parse-query.ts'
import type { TextTraits } from '../analysis/traits.ts'

/**
 * Proposes candidates; the ranker decides. An engine keeps words, vectors and filter columns of memories and answers with
 * features, never with an order that anyone sees. Every method runs in the caller's transaction, under its workspace.
 * `engine/conformance/` holds what every implementation must do.
 */
export interface SearchEngine {
  /** What the engine keeps of a text's words. Without a database, in steps, so that it can be made before a transaction opens. */
  digest(workspaceId: string, analysis: Analysis): Steps<WordDigest>
  /** Adds documents or replaces them. A replaced document loses its vectors: they were of another text. */
  index(tx: Tx, documents: readonly SearchDocument[]): Promise<void>
  /** Gives documents that are indexed other words for the same text, as in another language; others are ignored. */
  replaceWords(tx: Tx, workspaceId: string, digests: ReadonlyMap<string, WordDigest>): Promise<void>
  /** In how many documents each language occurs, those that are not in any left out. */
  languages(tx: Tx, workspaceId: string): Promise<ReadonlyMap<string, number>>
  /**
   * People who speak in three of the workspace's texts or more, as their traits name them: for each of `names`, in lower case,
   * one who is called so by the whole name or its first word.
   */
  speakers(tx: Tx, workspaceId: string, names: readonly string[]): Promise<readonly string[]>
  /** Forgets documents with their vectors; unknown ids are ignored. */
  remove(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void>
  /** Stores vectors of length 1 of documents that are indexed; others are ignored. */
  setEmbeddings(tx: Tx, workspaceId: string, model: ModelId, vectors: ReadonlyMap<string, Float32Array>): Promise<void>
  /** Removes the vectors that documents have of other models than this one. */
  keepEmbeddings(tx: Tx, workspaceId: string, model: ModelId, ids: readonly string[]): Promise<void>
  /**
   * The best candidates with everything the ranker needs, and the exact number of matches up to {@link TOTAL_MAX}.
   *
   * @param before the answer to the same query with fewer words, in the same transaction: what it says of meaning holds still
   */
  candidates(tx: Tx, query: EngineQuery, before?: CandidateSet): Promise<CandidateSet>
  /**
   * The matches that are not among `head`, for pages beyond it: with the head at most {@link TOTAL_MAX}, the same ones as long
   * as nothing is written.
   */
  tail(tx: Tx, query: EngineQuery, head: readonly string[]): Promise<Candidate[]>
  /**
   * The features of given memories whatever their rank, and whether each matches, in the order of `ids`; those that are not
   * indexed in the workspace are left out. The total counts the matching ones among them.
   */
  features(tx: Tx, query: EngineQuery, ids: readonly string[]): Promise<ExaminedSet>
  /**
   * The features of the memories right before and after given ones in their sessions, the given ones left out, and whether each
   * matches.
   */
  beside(tx: Tx, query: EngineQuery, ids: readonly string[]): Promise<readonly ExaminedCandidate[]>
  /** Throws when the engine cannot serve. */
  check(): Promise<void>
}

/** Names a model within the engine. Vectors of different models are never compared. */
export type ModelId = number

/** Matches are counted up to this number, and no page goes beyond it. */
export const TOTAL_MAX = 1000

/** A memory as the engine keeps it. */
export interface SearchDocument {
  readonly workspaceId: string
  readonly memoryId: string
  readonly userId: string
  readonly agentId: string | null
  readonly sessionId: string | null
  readonly priority: Priority
  readonly categories: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
  /** When what it tells happened or was said; null when that is not known. */
  readonly happenedAt: Date | null
  readonly traits: TextTraits
  readonly digest: WordDigest
}

/** The words of a text in an engine's own form. */
export interface WordDigest {
  /** Positions of the text: the document length of BM25. */
  readonly length: number
  /** In which language it was read; "und" when nobody knows. */
  readonly language: string
  /** What only the engine that made it can read. */
  readonly words: string
}

/** What to look for. */
export interface EngineQuery {
  readonly workspaceId: string
  /**
   * `all`: every clause of `query` must hold (keyword mode). `any`: a memory matches by one of `terms` or by its vector, and
   * the quotations and exclusions of `query` must hold.
   */
  readonly match: 'all' | 'any'
  readonly query: Query
  /** Stems to match and rank by, without those that say nothing. */
  readonly terms: readonly string[]
  /** Further stems that a term stands for: a text that has one of them has the term. */
  readonly variants?: ReadonlyMap<string, readonly string[]>
  /** What is meant by a term that no text holds, should it be an error in typing: counts as the term and weighs less. */
  readonly corrections?: ReadonlyMap<string, readonly string[]>
  /** Stems that expansion added: they match as well and weigh less. */
  readonly related?: readonly string[]
  /** The query's vector; without one nothing matches by meaning. */
  readonly vector?: QueryVector
  readonly filter: MemoryFilter
}

export interface QueryVector {
  readonly model: ModelId
  readonly values: Float32Array
  /** Cosine from which on a memory counts as a match. */
  readonly floor: number
}

export interface CandidateSet {
  readonly candidates: readonly Candidate[]
  /** All matches behind the filters, at most {@link TOTAL_MAX}. */
  readonly total: number
  readonly corpus: CorpusStatistics
  /** What the user should know of how this came about, one sentence. */
  readonly warning?: string
}

/** Features of one memory for one query. */
export interface Candidate {
  readonly memoryId: string
  /** Cosine of query and memory; null when the memory has no vector (yet) or the query has none. */
  readonly cosine: number | null
  /** Where the query's terms stand, from 1 ascending; a term that does not occur is absent. */
  readonly positions: ReadonlyMap<string, readonly number[]>
  /** Number of positions of the text. */
  readonly length: number
  readonly createdAt: Date
  readonly happenedAt: Date | null
  readonly traits: TextTraits
  readonly priority: Priority
  readonly userId: string
  readonly sessionId: string | null
  /** Place in the session, ascending with time; null without a session. */
  readonly sessionPosition: number | null
}

/** A memory that was asked about by its id. */
export interface ExaminedCandidate extends Candidate {
  /** Whether it passes the filter and the query's rule of matching, so that a search has it among its matches. */
  readonly matches: boolean
  readonly passesFilter: boolean
  /** Whether quotations and exclusions of the query hold. */
  readonly holdsConditions: boolean
}

export interface ExaminedSet extends CandidateSet {
  readonly candidates: readonly ExaminedCandidate[]
}

/** What BM25 needs to know of a workspace, writes of the running second included. */
export interface CorpusStatistics {
  readonly documents: number
  /** Positions of a document on average; 0 without documents. */
  readonly averageLength: number
  /** Documents in which a term of the query occurs. */
  readonly documentFrequency: ReadonlyMap<string, number>
}
