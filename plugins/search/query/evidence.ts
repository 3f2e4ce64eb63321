import type { Tx } from 'mneme/plugin'
import type { EvidenceRequest, EvidenceSource, MemoryEvidence } from '../contract.ts'

/** Reads the evidence of other plugins for a query, the strongest for each memory. */
export async function readEvidence(
  tx: Tx,
  sources: readonly EvidenceSource[],
  request: EvidenceRequest,
): Promise<ReadonlyMap<string, MemoryEvidence>> {
  const all = await Promise.all(sources.map(source => source.evidence(tx, request)))
  const strongest = new Map<string, MemoryEvidence>()
  for (const [memoryId, given] of all.flatMap(found => [...found])) {
    const known = strongest.get(memoryId)
    if (!known || known.strength < given.strength) strongest.set(memoryId, given)
  }
  return strongest
}
