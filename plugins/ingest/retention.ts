import { DAY_MS, type Retention } from 'mneme/plugin'
import { deleteJob } from './queries/jobs.ts'
import type { IngestScope } from './scope.ts'

/**
 * It is over, none of its memories is left, and no other document of its user has memories with its texts, which it would take over. Where a
 * document was sent again and again, its newest job with a text does so.
 */
const EMPTY = `
  item.stage = 'over'
  and not exists (
    select
    from ingest.chunk
    where chunk.workspace_id = item.workspace_id
      and chunk.job_id = item.id
      and chunk.state in ('created', 'kept')
  )
  and not exists (
    select
    from ingest.chunk
    join ingest.chunk as holder on holder.workspace_id = chunk.workspace_id and holder.memory_id = chunk.memory_id
    join ingest.job as holding on holding.workspace_id = holder.workspace_id and holding.id = holder.job_id
    where chunk.workspace_id = item.workspace_id
      and chunk.job_id = item.id
      and chunk.state = 'skipped'
      and holder.state in ('created', 'kept')
      and holding.user_id = item.user_id
      and not exists (
        select
        from ingest.chunk as again
        join ingest.job as newer on newer.workspace_id = again.workspace_id and newer.id = again.job_id
        where again.workspace_id = chunk.workspace_id
          and again.memory_id = chunk.memory_id
          and again.state = 'skipped'
          and newer.user_id = item.user_id
          and newer.document_name = item.document_name
          and (newer.created_at, newer.id) > (item.created_at, item.id)
      )
  )`

/** No job is to read it: its upload was broken off, or its job has ended. */
const ABANDONED = `
  not exists (
    select
    from ingest.job
    where job.workspace_id = item.workspace_id
      and job.id = item.job_id
      and job.stage in ('fetch', 'read')
  )`

/** Jobs stay as long as their memories do, and those of other documents with their texts; those without any tell for 30 days what became of them. */
export const ingestRetention: readonly Retention<IngestScope>[] = [
  {
    table: 'ingest.job',
    column: 'updated_at',
    keepMs: 30 * DAY_MS,
    where: EMPTY,
    removal: {
      key: 'id',
      async run({ tx, workspaceId, keys }) {
        for (const id of keys) await deleteJob(tx, workspaceId, id)
      },
    },
  },
  { table: 'ingest.piece', column: 'created_at', keepMs: DAY_MS, where: ABANDONED },
]
