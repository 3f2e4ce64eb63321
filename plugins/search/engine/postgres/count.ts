import type { Tx } from 'mneme/plugin'
import { type EngineQuery, TOTAL_MAX } from '../engine.ts'
import type { VectorType } from './embeddings.ts'
import { anyTermRows, nearAnyhow } from './matches.ts'
import { GENERIC_PLAN, underSettings } from './planner.ts'

/** Counts the matches of a query by words or by meaning, up to {@link TOTAL_MAX}. */
export async function countMatches(tx: Tx, type: VectorType, query: EngineQuery): Promise<number> {
  const statement = tx<{ total: number }[]>`
    select least(count(*), ${TOTAL_MAX}) as total
    from (
      (${nearAnyhow(tx, type, query, TOTAL_MAX)})
      union
      (${anyTermRows(tx, query, TOTAL_MAX)})
    ) as matching`
  const [counted] = await underSettings(tx, GENERIC_PLAN, statement)
  return counted?.total ?? 0
}
