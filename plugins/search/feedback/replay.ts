import type { Tenant } from 'mneme/plugin'
import { propose } from '../proposal.ts'
import { DEFAULT_BALANCE, type RankingContext, rank, recompute } from '../ranking/rank.ts'
import { ask, type SearchServices } from '../search.ts'
import type { JudgedQuery } from './fit.ts'
import type { SignalledQuery } from './judged.ts'

/** Results that nobody judged are compared with up to the end of a page: further down hardly anybody looked. */
const RESULTS_MAX = 10

/**
 * Asks a query again as it was when its signals came: memories that were written later are left out, ages count from then, and
 * what was signalled moves nothing, since it is what the balance is judged by. Filters other than the user are not logged.
 *
 * @throws when the embedding model is away: without it the order would be another
 */
export async function replay(
  services: SearchServices,
  tenant: Tenant,
  { queryHash, query, mode, userId, lastSignalAt, judgements }: SignalledQuery,
): Promise<JudgedQuery> {
  const filter = { createdBefore: lastSignalAt, ...(userId === null ? {} : { userId }) }
  const { asked, warning } = await ask(services, tenant, { query, mode, filter })
  if (warning) throw new Error(warning)
  const { set, context } = await tenant.transaction(tx => propose(tx, services, asked, false))
  const { feedback: _, ...unmoved } = context
  const then: RankingContext = { ...unmoved, balance: DEFAULT_BALANCE, now: lastSignalAt }
  const results = rank(set.candidates, then).filter(
    ({ candidate }, place) => place < RESULTS_MAX || judgements.has(candidate.memoryId),
  )
  return {
    queryHash,
    results: results.map(({ candidate, parts }) => ({
      memoryId: candidate.memoryId,
      judgement: judgements.get(candidate.memoryId) ?? 0,
      score: balance => recompute({ ...parts, lifted: false }, balance),
    })),
  }
}
