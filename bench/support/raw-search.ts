import postgres from 'postgres'
import { vectorLiteral } from '../../core/db/literals.ts'
import { lexemePrefix, toAnyTsquery } from '../../plugins/search/analysis/tsvector.ts'
import { planQuery } from '../../plugins/search/query/plan.ts'

/** The plainest SQL for the candidates of a hybrid search, on the product's tables, past row-level security. */
export interface RawSearch {
  words(workspaceId: string, query: string): Promise<string[]>
  meaning(workspaceId: string, vector: Float32Array): Promise<string[]>
  close(): Promise<void>
}

/** As many as the product takes from each list. */
const LIST = 100

export async function rawSearch(url: string): Promise<RawSearch> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined })
  const ids = async (rows: Promise<{ memory_id: string }[]>) => {
    const found = (await rows).map(row => row.memory_id)
    // A baseline that finds nothing would be fast and worth nothing.
    if (found.length === 0) throw new Error('the raw SQL found nothing')
    return found
  }
  return {
    words(workspaceId, query) {
      const tsquery = toAnyTsquery(planQuery({ query, mode: 'hybrid' }).terms, lexemePrefix(workspaceId)) ?? ''
      return ids(sql`
        select memory_id
        from search.document
        where workspace_id = ${workspaceId}
          and words @@ ${tsquery}::tsquery
        order by ts_rank(words, ${tsquery}::tsquery) desc
        limit ${LIST}`)
    },
    meaning: (workspaceId, vector) =>
      ids(sql`
        select memory_id
        from search.embedding
        where workspace_id = ${workspaceId}
        order by embedding <#> ${vectorLiteral(vector)}
        limit ${LIST}`),
    close: () => sql.end(),
  }
}
