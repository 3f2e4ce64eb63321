import { EmbedderInputError, type Tenant } from 'mneme/plugin'
import type { SearchServices } from '../pipeline/search.ts'
import { type PreparedQuery, prepareQuery } from '../query/prepare.ts'
import { DEFAULT_BALANCE, type RankingContext, rank, recompute } from '../ranking/rank.ts'
import { retrieve } from '../retrieval/retrieve.ts'
import type { JudgedQuery } from './fit.ts'
import type { SignalledQuery } from './judged.ts'

/** Unjudged results are compared up to the end of a page, because few users look further. */
const RESULTS_MAX = 10

/**
 * Repeats a query as of the time of its signals: later memories are excluded, ages count from then, and signals have no effect, since the
 * balance is judged by them. Of the filters only the user is logged.
 *
 * @returns undefined for a query whose text the model refuses, because nobody knows what it led to then
 * @throws when the embedding model is unavailable, because the order would differ without it
 */
export async function replay(
  services: SearchServices,
  tenant: Tenant,
  asked: SignalledQuery,
): Promise<JudgedQuery | undefined> {
  const { queryHash, lastSignalAt, judgements } = asked
  const prepared = await prepareAgain(services, tenant, asked)
  if (!prepared) return undefined
  const { set, context } = await tenant.transaction(tx => retrieve(tx, services, prepared, false))
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

async function prepareAgain(
  services: SearchServices,
  tenant: Tenant,
  { query, mode, userId, lastSignalAt }: SignalledQuery,
): Promise<PreparedQuery | undefined> {
  const filter = { createdBefore: lastSignalAt, ...(userId === null ? {} : { userId }) }
  try {
    const { prepared, warning, cause } = await prepareQuery(services, tenant, { query, mode, filter })
    // A query in a script that the model does not support gets another mode, as it did when it was made.
    if (warning && prepared.plan.mode === mode) throw new Error(warning, { cause })
    return prepared
  } catch (error) {
    if (error instanceof Error && error.cause instanceof EmbedderInputError) return undefined
    throw error
  }
}
