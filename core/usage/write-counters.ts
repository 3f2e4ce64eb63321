import type { Database, Tx } from '../db/database.ts'
import { plainArray } from '../db/literals.ts'
import type { Counters } from './counters.ts'

/** Counters that are written together, and once: the id is stored with them. */
export interface Batch {
  readonly id: string
  readonly counters: Counters
}

/**
 * Writes a batch, unless it was written before: a write whose commit is not answered is done again.
 * Counters of a workspace that was deleted meanwhile are left out, or its rows would come back.
 * @param settled ids of batches that nobody will write again, which are forgotten with that
 */
export async function writeCounters(
  database: Database,
  { id, counters }: Batch,
  settled: readonly string[],
): Promise<void> {
  const rows = [...counters.all()].map(({ workspaceId, ...counter }) => ({ workspace_id: workspaceId, ...counter }))
  await database.system(async tx => {
    await tx`
      -- across workspaces: counters of all workspaces are flushed together
      with forgotten as (
        delete from core.usage_batch
        where usage_batch.id = any(${plainArray(settled)}::uuid[])
      ),
      own as (
        -- Should the first write not have ended yet, this waits for it.
        insert into core.usage_batch (id) values (${id})
        on conflict on constraint usage_batch_pk do nothing
        returning usage_batch.id
      )
      insert into core.usage as usage (workspace_id, hour, metric, operation, input, output)
      select new.workspace_id, date_trunc('hour', now(), 'UTC'), new.metric, new.operation, new.input, new.output
      from own
      cross join jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (
        workspace_id uuid, metric text, operation text, input bigint, output bigint
      )
      where exists (select from core.workspace where workspace.id = new.workspace_id)
      -- Every server keeps to one order, so that two flushes cannot wait for each other.
      order by new.workspace_id, new.metric, new.operation
      on conflict (workspace_id, hour, metric, operation) do update
      set input = usage.input + excluded.input, output = usage.output + excluded.output`
  })
}

/** Batches of processes that ended before they could forget them. */
const KEPT_DAYS = 30

/** Deletes what is left of batches that nobody will write again. */
export async function purgeBatches(tx: Tx): Promise<number> {
  const { count } = await tx`
    delete from core.usage_batch
    where usage_batch.written_at < now() - ${KEPT_DAYS}::int * interval '1 day'`
  return count
}
