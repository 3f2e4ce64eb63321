import type { Tx } from 'mneme/plugin'
import { type QuerySearches, searchStatistics } from '../../search/contract.ts'
import type { DashboardScope } from '../scope.ts'

/** A query with its text as it was last typed. */
export interface NamedQuery extends QuerySearches {
  readonly query: string
}

/** So many queries are looked through for texts where some of the first have none any more. */
const LOOKED_AT_MAX = 1000

/**
 * Reads ranked queries with their texts, `limit` of them. The text of a query is kept for a shorter time than its figures, so those without one
 * make room for the next.
 *
 * @param read reads so many of the first
 */
export async function namedQueries(
  { wiring }: DashboardScope,
  tx: Tx,
  workspaceId: string,
  limit: number,
  read: (limit: number) => Promise<readonly QuerySearches[]>,
): Promise<NamedQuery[]> {
  const named = async (queries: readonly QuerySearches[]) => {
    const hashes = queries.map(({ queryHash }) => queryHash)
    const texts = (await wiring.find(searchStatistics)?.texts(tx, workspaceId, hashes)) ?? new Map<string, string>()
    return queries.flatMap(known => {
      const query = texts.get(known.queryHash)
      return query === undefined ? [] : [{ ...known, query }]
    })
  }
  const first = await read(limit)
  const known = await named(first)
  if (first.length < limit || known.length === limit) return known
  return (await named(await read(LOOKED_AT_MAX))).slice(0, limit)
}
