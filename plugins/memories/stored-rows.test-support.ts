import type { Database } from 'mneme/plugin'

/** Stores many memories in one statement, to fill a quota. */
export async function storeRows(database: Database, workspaceId: string, count: number): Promise<void> {
  await database.system(
    tx => tx`
      with stored as (
        insert into memories.memory (
          workspace_id, id, text, user_id, priority, status, categories, layer, source, content_hash, progress_at,
          created_at, updated_at
        )
        select
          ${workspaceId}::uuid, gen_random_uuid(), n::text, 'u', 'LOW', 'COMPLETED', '{}', 'RAW', 'API',
          sha256(n::text::bytea), now(), now(), now()
        from generate_series(1, ${count}::int) as n
        returning memory.id
      )
      insert into memories.live_count (workspace_id, stripe, count)
      select ${workspaceId}::uuid, -1, count(*)
      from stored`,
  )
}
