import type { Tx } from 'mneme/plugin'
import type { EvidenceRequest, EvidenceSource } from '../contract.ts'

/** Other plugins connect a memory with a query so strongly; each strength is the highest that one of them gives, from 0 to 1. */
export interface Connection {
  /** The strength of its connection to what the query names. */
  readonly entities: number
  /** The certainty that the memory tells what the query asks. */
  readonly facts: number
  /** The names of the stronger of the two. */
  readonly names: readonly string[]
}

const NOTHING: Connection = { entities: 0, facts: 0, names: [] }

/** Reads the evidence of other plugins for a query, by memory. */
export async function readEvidence(
  tx: Tx,
  sources: readonly EvidenceSource[],
  request: EvidenceRequest,
): Promise<ReadonlyMap<string, Connection>> {
  const all = await Promise.all(sources.map(source => source.evidence(tx, request)))
  const strongest = new Map<string, Connection>()
  for (const [memoryId, { strength, names, answers }] of all.flatMap(found => [...found])) {
    const known = strongest.get(memoryId) ?? NOTHING
    const kind = answers ? 'facts' : 'entities'
    strongest.set(memoryId, {
      ...known,
      [kind]: Math.max(known[kind], strength),
      names: strength > Math.max(known.entities, known.facts) ? names : known.names,
    })
  }
  return strongest
}
