import type { Database } from 'mneme/plugin'
import type { ModelId } from '../engine/engine.ts'

/** Drops graphs over vectors of other models: they would only slow the vectors' deletion down. */
export async function dropGraphs(database: Database, active: ModelId): Promise<void> {
  const graphs = await database.system(
    tx => tx<{ name: string }[]>`
      select pg_class.relname as name
      from pg_index
      join pg_class on pg_class.oid = pg_index.indexrelid
      where pg_index.indrelid = 'search.embedding'::regclass
        and pg_class.relname ~ '^embedding_near_[0-9]+$'
        and pg_class.relname <> ${`embedding_near_${active}`}`,
  )
  for (const { name } of graphs) await database.maintain(`drop index concurrently if exists search.${name}`)
}
