import { vectorLiteral } from '../../core/db/literals.ts'
import type { Embedder } from '../../core/models/embedder.ts'
import type { MemoryFilter } from '../../plugins/memories/contract.ts'
import type { EngineQuery } from '../../plugins/search/engine/engine.ts'
import { planQuery } from '../../plugins/search/query/plan.ts'
import { type Bulk, DAYS, FIRST_DAY } from './bulk.ts'
import type { Place } from './places.ts'
import { variedQuestion } from './varied-texts.ts'

const NEAREST = 20
const FLOOR = 0.2
const DAY_MS = 86_400_000

/** A filter, and the same in plain SQL. */
export interface RecallFilter {
  readonly name: string
  readonly filter: MemoryFilter
  readonly condition: string
}

const since = (days: number) => new Date(FIRST_DAY.getTime() + days * DAY_MS)

export const RECALL_FILTERS: readonly RecallFilter[] = [
  { name: 'none', filter: {}, condition: 'true' },
  { name: 'user 1 %', filter: { userId: 'one' }, condition: `user_id = 'one'` },
  { name: 'user 10 %', filter: { userId: 'ten' }, condition: `user_id = 'ten'` },
  { name: 'user 50 %', filter: { userId: 'fifty' }, condition: `user_id = 'fifty'` },
  { name: 'category 5 %', filter: { categories: ['work'] }, condition: `'work' = any(categories)` },
  {
    name: 'time 10 %',
    filter: { createdAfter: since(0.9 * DAYS) },
    condition: `created_at >= '${since(0.9 * DAYS).toISOString()}'`,
  },
]

/** The share of the 20 nearest by an exact scan in plain SQL that the engine proposes by meaning alone, and its fewest. */
export async function recallOf(
  bulk: Bulk,
  embedder: Embedder,
  place: Place,
  { filter, condition }: RecallFilter,
  questions: number,
): Promise<{ recall: number; least: number }> {
  let [found, wanted, least] = [0, 0, 1]
  for (let n = 0; n < questions; n++) {
    const text = variedQuestion(500_000 + n)
    const [embedding] = await embedder.embed([text], { priority: 'query' })
    const values = embedding?.vector ?? new Float32Array()
    const nearest = await exactNearest(bulk, place, values, condition)
    // Without terms, words propose nothing that meaning has missed.
    const { query } = planQuery({ query: text, mode: 'semantic' })
    const vector = { model: bulk.model, values, floor: FLOOR }
    const asked: EngineQuery = { workspaceId: place.id, match: 'any', query, terms: [], filter, vector }
    const { candidates } = await bulk.database.workspace(place.id, tx => bulk.engine.candidates(tx, asked))
    const proposed = new Set(candidates.map(({ memoryId }) => memoryId))
    const hits = nearest.filter(id => proposed.has(id)).length
    found += hits
    wanted += nearest.length
    if (nearest.length > 0) least = Math.min(least, hits / nearest.length)
  }
  return { recall: wanted === 0 ? 1 : found / wanted, least }
}

async function exactNearest(bulk: Bulk, place: Place, values: Float32Array, condition: string): Promise<string[]> {
  const rows = await bulk.database.system(
    tx => tx<{ memory_id: string }[]>`
      select memory_id
      from search.embedding
      where workspace_id = ${place.id}
        and model = ${bulk.model}
        and ${tx.unsafe(condition)}
        and embedding <#> ${vectorLiteral(values)} <= ${-FLOOR}
      order by embedding <#> ${vectorLiteral(values)}
      limit ${NEAREST}`,
  )
  return rows.map(row => row.memory_id)
}
