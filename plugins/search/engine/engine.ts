import type { EmbeddedPassage, Embedding, Standing, Steps, Tx } from 'mneme/plugin'
import type { MemoryFilter, Priority } from '../../memories/contract.ts'
import type { Analysis } from '../analysis/analyze.ts'
import type { Query } from '../analysis/parse-query.ts'
import type { TextTraits } from '../analysis/traits.ts'

/**
 * Retrieves candidates, which the ranker orders. An engine stores words, vectors and filter columns of memories and returns features; its
 * own order is never shown. Every method runs in the caller's transaction and workspace. `engine/conformance/` tests every implementation.
 */
export interface SearchEngine {
  /** Digests the words of a text for this engine. It needs no database and works in steps, so it can run before a transaction opens. */
  digest(workspaceId: string, analysis: Analysis): Steps<WordDigest>
  /**
   * Adds or replaces documents. A replaced document loses its vectors and passages, which belong to the former text.
   * @param sameText ids of replaced documents whose text is the former one: they keep vectors and passages
   */
  index(tx: Tx, documents: readonly SearchDocument[], sameText?: ReadonlySet<string>): Promise<void>
  /** Replaces the words of indexed documents with the same text analysed differently, as in another language; other ids are ignored. */
  replaceWords(tx: Tx, workspaceId: string, digests: ReadonlyMap<string, WordDigest>): Promise<void>
  /**
   * Changes sessions and metadata of indexed documents, whose words and vectors stay; other ids are ignored. A document that comes into a
   * session is its last.
   */
  amend(tx: Tx, workspaceId: string, amendments: readonly DocumentAmendment[]): Promise<void>
  /** Counts the documents of each language; languages without any are omitted. */
  languages(tx: Tx, workspaceId: string): Promise<ReadonlyMap<string, number>>
  /**
   * Finds people who speak in at least three of the workspace's texts: for each of `names`, in lower case, a speaker with this full name or
   * this first word of it.
   */
  speakers(tx: Tx, workspaceId: string, names: readonly string[]): Promise<readonly string[]>
  /** Removes documents with their vectors and passages; unknown ids are ignored. */
  remove(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void>
  /** Stores vectors of length 1 for indexed documents; other ids are ignored. */
  setEmbeddings(tx: Tx, workspaceId: string, model: ModelId, vectors: ReadonlyMap<string, Float32Array>): Promise<void>
  /** Stores the passages of long texts, which replace those of the same model; documents that are not indexed are ignored. */
  setPassages(
    tx: Tx,
    workspaceId: string,
    model: ModelId,
    passages: ReadonlyMap<string, readonly EmbeddedPassage[]>,
  ): Promise<void>
  /** Removes the documents' vectors of other models, and those of their passages. */
  keepEmbeddings(tx: Tx, workspaceId: string, model: ModelId, ids: readonly string[]): Promise<void>
  /**
   * Asks a remote index for the candidates of a query before the transaction of the search opens, so that no connection waits for it. The
   * proposal becomes part of the query; an engine without a remote index has no such method. It never throws because the index is away.
   *
   * @param run runs a short transaction in the query's workspace
   */
  propose?(query: EngineQuery, run: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>): Promise<Proposal | undefined>
  /** Reads the statistics for the words of a query; given along with it they are not read again by every call. */
  statistics(tx: Tx, query: EngineQuery): Promise<CorpusStatistics>
  /**
   * Retrieves the candidates of a query by its words alone, so that a search can do it while the model still embeds the query and the
   * nearest memories are found; given along with it they are not retrieved again. Undefined where words and meaning are better
   * retrieved together, as by a remote index.
   */
  wordCandidates(tx: Tx, query: EngineQuery): Promise<WordCandidates | undefined>
  /**
   * Retrieves the best candidates with every input of the ranker, and the exact number of matches up to {@link TOTAL_MAX}.
   *
   * @param before the candidates of the same query with fewer words in the same transaction; their matches by meaning are reused
   */
  candidates(tx: Tx, query: EngineQuery, before?: CandidateSet): Promise<CandidateSet>
  /**
   * Retrieves the matches that are not in `head`, for pages beyond it. With the head they are at most {@link TOTAL_MAX}, and the same ones
   * until something is written.
   */
  tail(tx: Tx, query: EngineQuery, head: readonly string[]): Promise<Candidate[]>
  /**
   * Reads the features of given memories at any rank, and whether each matches, in the order of `ids`; memories not indexed in the
   * workspace are omitted. The total counts the matches among them.
   */
  features(tx: Tx, query: EngineQuery, ids: readonly string[]): Promise<ExaminedSet>
  /**
   * Finds the passages nearest to the query's vector, from its floor on: the nearest one of each memory that passes the filter, at most
   * {@link PASSAGES_FOUND_MAX} memories.
   */
  nearestPassages(tx: Tx, query: EngineQuery): Promise<Passages>
  /**
   * Reads the features of the memories right before and after given ones in their sessions, without the given ones, and whether each
   * matches.
   */
  sessionNeighbours(tx: Tx, query: EngineQuery, ids: readonly string[]): Promise<readonly ExaminedCandidate[]>
  /** @throws when the engine is unavailable */
  check(): Promise<void>
}

/** Identifies a model within the engine. Vectors of different models are never compared. */
export type ModelId = number

/** Matches are counted up to this number, and no page goes beyond it. */
export const TOTAL_MAX = 1000

/** Passages lead a search to this many memories. */
export const PASSAGES_FOUND_MAX = 100

/** Fields of a document that say where its text is from. */
export type DocumentAmendment = Pick<SearchDocument, 'memoryId' | 'sessionId' | 'metadata' | 'saidAt' | 'happenedAt'>

/** A memory as the engine stores it. */
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
  /** When it was said; null where that is the time of its storing. */
  readonly saidAt: Date | null
  /** The time of the reported event, as its metadata tell it; null when they do not. */
  readonly happenedAt: Date | null
  readonly traits: TextTraits
  /** It holds for every conversation with its user. */
  readonly standing: Standing | null
  readonly digest: WordDigest
}

/** The words of a text in the format of one engine. */
export interface WordDigest {
  /** The number of positions, which is the document length of BM25. */
  readonly length: number
  /** The language in which the text was analysed; "und" when it is unknown. */
  readonly language: string
  /** The content is opaque to all other code. */
  readonly words: string
}

/** A query for an engine. */
export interface EngineQuery {
  readonly workspaceId: string
  /** `all`: every clause of `query` must hold (keyword mode). `any`: a memory matches by one of `terms` or by its vector. */
  readonly match: 'all' | 'any'
  readonly query: Query
  /** The stems to match and rank by, without function words. */
  readonly terms: readonly string[]
  /** Stems that count as a term: a text with one of them has the term. */
  readonly variants?: ReadonlyMap<string, readonly string[]>
  /** Corrections of a term that no text contains; they count as the term with less weight. */
  readonly corrections?: ReadonlyMap<string, readonly string[]>
  /** Stems that expansion added; they match with less weight. */
  readonly related?: readonly string[]
  /** The query's vector; without one nothing matches by meaning. */
  readonly vector?: QueryVector
  readonly filter: MemoryFilter
  /** An index's own proposal for a query with these words; other words make it void. */
  readonly proposal?: Proposal
  /** The engine's statistics, read shortly before; words that they do not cover make them void. */
  readonly statistics?: CorpusStatistics
  /** The engine's candidates by words, which another transaction reads; other words make them void. */
  readonly worded?: Promise<WordCandidates | undefined>
}

/** Candidates that were retrieved by the words of a query, before its vector was known. */
export interface WordCandidates {
  /** The stems they were retrieved by. */
  readonly terms: readonly string[]
  /** They have no cosine yet. */
  readonly candidates: readonly Candidate[]
  /** True if {@link TOTAL_MAX} memories match by words alone. */
  readonly provesTotal: boolean
}

/** The result of a remote index; its other fields are opaque to all other code. */
export interface Proposal {
  /** Each result of the query carries this sentence, also one for other words. */
  readonly warning?: string
}

export interface QueryVector {
  readonly model: ModelId
  readonly values: Float32Array
  /** A memory matches by meaning from this cosine on. */
  readonly floor: number
  /** Left out where the model does not tell them. */
  readonly tokens?: QueryTokens
}

export type QueryTokens = NonNullable<Embedding['queryTokens']>

export interface CandidateSet {
  readonly candidates: readonly Candidate[]
  /** The number of matches that pass the filters, at most {@link TOTAL_MAX}. */
  readonly total: number
  readonly corpus: CorpusStatistics
  /** One sentence for the user about a limitation of this result. */
  readonly warning?: string
}

/** The features of one memory for one query. */
export interface Candidate {
  readonly memoryId: string
  /** The cosine of query and memory; null when either has no vector. */
  readonly cosine: number | null
  /** The positions of the query's terms, from 1 in ascending order; a term that does not occur is absent. */
  readonly positions: ReadonlyMap<string, readonly number[]>
  /** The number of positions of the text. */
  readonly length: number
  /** When it was said, else stored: the one time of a memory, by which its age, its order and what was said when are judged. */
  readonly statedAt: Date
  /** True where it was said earlier than it was stored. */
  readonly isDated: boolean
  /** The time of the reported event, as its metadata tell it. */
  readonly happenedAt: Date | null
  readonly traits: TextTraits
  readonly priority: Priority
  readonly userId: string
  readonly sessionId: string | null
  /** The place in the session, ascending with time; null without a session. */
  readonly sessionPosition: number | null
}

/** The passage of a memory that is nearest to a query. */
export interface NearPassage {
  readonly cosine: number
  /** The number of passages of its text. */
  readonly passages: number
  /** Where it begins and ends in the text, about, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

/** The nearest passage of each memory that has a near one. */
export type Passages = ReadonlyMap<string, NearPassage>

/** A memory that was examined by its id. */
export interface ExaminedCandidate extends Candidate {
  /** True if it passes the filter and matches the query, so that a search counts it. */
  readonly matches: boolean
  readonly passesFilter: boolean
}

export interface ExaminedSet extends CandidateSet {
  readonly candidates: readonly ExaminedCandidate[]
}

/** The statistics of a workspace for BM25, including writes of the current second. */
export interface CorpusStatistics {
  readonly documents: number
  /** The average number of positions per document; 0 without documents. */
  readonly averageLength: number
  /** The number of documents that contain each term of the query. */
  readonly documentFrequency: ReadonlyMap<string, number>
  /** True if a text of the workspace has passages. */
  readonly hasPassages: boolean
}
