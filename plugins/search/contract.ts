import { Type } from '@sinclair/typebox'
import { defineExtensionPoint, definePort, defineSetting, type Standing, type Tenant, type Tx } from 'mneme/plugin'
import type { SearchMode } from '../memories/contract.ts'

/** The search for which a source is asked. */
export interface EvidenceRequest {
  readonly workspaceId: string
  readonly query: string
  /** The user whose memories are searched; undefined for all users. */
  readonly userId?: string | undefined
  /** The IANA time zone in which times that the query names are read; UTC when left out. */
  readonly timezone?: string | undefined
}

/** A reason beyond words and meaning why a memory is relevant to a query. */
export interface MemoryEvidence {
  /** The strength lies between 0 and 1. */
  readonly strength: number
  /** The names that connect query and memory, shown by `explain`. */
  readonly names: readonly string[]
  /** The memory tells what the query asks, which is more than a connection. */
  readonly answers?: true
  /** The memory is of a time that the query names. */
  readonly isOfTime?: true
}

/**
 * A source of evidence for hybrid and semantic searches. A graph, for example, knows which memories are about a person that the query
 * names. Memories with evidence become candidates if they pass the filters.
 */
export interface EvidenceSource {
  readonly id: string
  /** Returns at most 200 memories, the strongest ones, with a few bounded statements in a transaction that ends before the candidates are read. */
  evidence(tx: Tx, request: EvidenceRequest): Promise<ReadonlyMap<string, MemoryEvidence>>
}
export const searchEvidence = defineExtensionPoint<EvidenceSource>('search.evidence')

/** Memories that a hybrid or semantic search is about to rank. */
export interface EndedRequest {
  readonly workspaceId: string
  readonly query: string
  readonly memoryIds: readonly string[]
}

/**
 * A source that knows which memories tell only what holds no more, as a graph that has read "I moved to Porto" knows of "I live in Berlin". Where the
 * query names no time they rank lower, and what tells what holds instead ranks at least as they would have.
 */
export interface EndedSource {
  readonly id: string
  /**
   * Returns those of the memories, each with up to three that tell what holds instead, the newest first. It runs a bounded statement or two in
   * the search's transaction, and returns none where the query does not ask for what holds now.
   */
  ended(tx: Tx, request: EndedRequest): Promise<EndedMemories>
}

/** By memory: the memories that tell what holds in place of what it tells. */
export type EndedMemories = ReadonlyMap<string, readonly string[]>

export const endedFacts = defineExtensionPoint<EndedSource>('search.ended')

/** A source of other names for entities of a query, used by searches with `expand`. A graph, for example, knows that Bob is Robert. */
export interface AliasSource {
  readonly id: string
  /** Returns names with at most one statement in the search's transaction. The first 20 names of at most 60 characters are used. */
  aliases(tx: Tx, request: EvidenceRequest): Promise<readonly string[]>
}
export const queryAliases = defineExtensionPoint<AliasSource>('search.queryAliases')

/** The embedding of a memory, a vector of length 1. */
export interface MemoryVector {
  /** The id of the embedder; only vectors of the same model are comparable. */
  readonly modelId: string
  readonly vector: Float32Array
}

/** Gives access to stored vectors, so that other plugins need not embed a text again. */
export interface MemoryVectors {
  /** Reads vectors by memory id and omits memories without one. It opens its own transaction, so never call it inside one. */
  vectorsOf(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, MemoryVector>>
}
export const memoryVectors = definePort<MemoryVectors>('search.memoryVectors')

/** Tells which memories of a user hold for every conversation with them. */
export interface StandingMemories {
  /** At most `limit`, the newest first. */
  of(
    tx: Tx,
    workspaceId: string,
    userId: string,
    limit: number,
  ): Promise<readonly { readonly memoryId: string; readonly kind: Standing }[]>
}
export const standingStatements = definePort<StandingMemories>('search.standing')

/** The outcome of an hour's searches. */
export interface SearchHour {
  /** Its first instant. */
  readonly hour: Date
  readonly searches: number
  /** Searches without a result. */
  readonly zero: number
  /** Searches with a result, and the sum of the scores of their first results. */
  readonly scored: number
  readonly scoreSum: number
}

/** The same for one query, whatever its case and spacing; the hash names it. */
export interface QuerySearches extends Omit<SearchHour, 'hour'> {
  readonly queryHash: string
}

/** Limits the number of queries; one may be among several of these. */
export interface QueryLimits {
  /** Limits those searched for most often. */
  readonly frequent: number
  /** Limits those that had no result most often. */
  readonly zero: number
  /** Limits those whose results had the lowest scores on average. */
  readonly weak: number
}

/** A search that had no result, and what is known about the reason. */
export interface EmptySearch {
  readonly mode: SearchMode
  /** Null where the log does not tell. */
  readonly isFiltered: boolean | null
  /** Without filters the same search finds memories now: by its words, or as other searches of it did. */
  readonly matchesNow: boolean
  /** Only the words that it excludes keep it from finding memories by its words. */
  readonly isExcluded: boolean
}

/** Reads the log of searches, in the caller's transaction. */
export interface SearchStatistics {
  /** The searches of `[from, to)` by hour. */
  hourly(tx: Tx, workspaceId: string, from: Date, to: Date): Promise<SearchHour[]>
  /** The queries of `[from, to)`: the most frequent ones, and those that went worst. */
  byQuery(tx: Tx, workspaceId: string, from: Date, to: Date, most: QueryLimits): Promise<QuerySearches[]>
  /** The texts of queries as they were last typed, but for spaces. What an erasure removed from the log has none. */
  texts(tx: Tx, workspaceId: string, queryHashes: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * Reads the newest search without a result of each query that had one. It opens its own transactions, so never call it inside one.
   */
  emptySearches(tenant: Tenant, queryHashes: readonly string[]): Promise<ReadonlyMap<string, EmptySearch>>
  /** When the first search that is kept was made; undefined without one. */
  beginning(tx: Tx, workspaceId: string): Promise<Date | undefined>
}
export const searchStatistics = definePort<SearchStatistics>('search.statistics')

/** The average score of searches that the dashboard judges by. */
export const searchQualityTarget = defineSetting({
  key: 'targets.search_quality',
  schema: Type.Number({ minimum: 0, maximum: 1, description: 'Target for the average score of searches.' }),
})
