import { defineExtensionPoint, definePort, type Tx } from 'mneme/plugin'

/** The search that evidence is asked for. */
export interface EvidenceRequest {
  readonly workspaceId: string
  readonly query: string
  /** The user whose memories are searched; undefined for those of all. */
  readonly userId?: string | undefined
}

/** Why a memory has to do with a query beyond its words and meaning. */
export interface MemoryEvidence {
  /** From 0 to 1. */
  readonly strength: number
  /** The names that tie them together, for `explain`. */
  readonly names: readonly string[]
}

/**
 * Evidence of other plugins for hybrid and semantic searches: a graph knows which memories speak of a person that the query
 * names. What no list of candidates holds is added to them, if the filters let it pass.
 */
export interface EvidenceSource {
  readonly id: string
  /** One statement at the most, bounded: at most 200 memories, the strongest ones. In the search's transaction. */
  evidence(tx: Tx, request: EvidenceRequest): Promise<ReadonlyMap<string, MemoryEvidence>>
}
export const searchEvidence = defineExtensionPoint<EvidenceSource>('search.evidence')

/**
 * Other names of what a query names, for searches with `expand`: a graph knows that Bob is Robert, and which team is "the red
 * ones".
 */
export interface AliasSource {
  readonly id: string
  /** One statement at the most, in the search's transaction. The first 20 names of at most 60 characters count. */
  aliases(tx: Tx, request: EvidenceRequest): Promise<readonly string[]>
}
export const queryAliases = defineExtensionPoint<AliasSource>('search.queryAliases')

/** What a memory means, as a vector of length 1. */
export interface MemoryVector {
  /** Of the embedder that made it: only vectors of one model can be compared. */
  readonly modelId: string
  readonly vector: Float32Array
}

/** Vectors of memories that are there already, so that nobody embeds a text again. */
export interface MemoryVectors {
  /** By memory id; without those that have none (yet). In a transaction of its own, so never call it inside one. */
  vectorsOf(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, MemoryVector>>
}
export const memoryVectors = definePort<MemoryVectors>('search.memoryVectors')
