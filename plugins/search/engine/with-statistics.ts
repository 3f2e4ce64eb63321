import type { Tx } from 'mneme/plugin'
import type { CorpusStatistics, EngineQuery, SearchEngine } from './engine.ts'

/** Adds the statistics for its words to a query, unless it has them. */
export async function withStatistics(
  tx: Tx,
  engine: Pick<SearchEngine, 'statistics'>,
  query: EngineQuery,
): Promise<EngineQuery & { readonly statistics: CorpusStatistics }> {
  return { ...query, statistics: await engine.statistics(tx, query) }
}
