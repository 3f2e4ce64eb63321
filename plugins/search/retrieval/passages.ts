import type { Tx } from 'mneme/plugin'
import type { EngineQuery, Passages, SearchEngine } from '../engine/engine.ts'
import { passageCosine } from '../ranking/meaning.ts'

export const NO_PASSAGES: Passages = new Map()

/** Finds the passages of long texts that match a query; a workspace without long texts has no cost. */
export async function findPassages(tx: Tx, engine: SearchEngine, query: EngineQuery): Promise<Passages> {
  if (!query.statistics?.hasPassages || !query.vector || query.match === 'all') return NO_PASSAGES
  const { floor } = query.vector
  const nearest = await engine.nearestPassages(tx, query)
  return new Map([...nearest].filter(([, passage]) => passageCosine(passage) >= floor))
}
