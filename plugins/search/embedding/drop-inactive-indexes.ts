import type { Database } from 'mneme/plugin'
import type { ModelId } from '../engine/engine.ts'

/** Drops the HNSW indexes of inactive models, which would slow down the deletion of their vectors. */
export async function dropInactiveIndexes(database: Database, active: ModelId): Promise<void> {
  const indexes = await database.system(
    tx => tx<{ name: string }[]>`
      select pg_class.relname as name
      from pg_index
      join pg_class on pg_class.oid = pg_index.indexrelid
      where pg_index.indrelid in ('search.embedding'::regclass, 'search.passage'::regclass)
        and pg_class.relname ~ '^(embedding|passage)_near_[0-9]+$'
        and pg_class.relname !~ ${`_near_${active}$`}`,
  )
  for (const { name } of indexes) await database.maintain(`drop index concurrently if exists search.${name}`)
}
