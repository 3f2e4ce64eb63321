import type { Database, Tx } from '../db/database.ts'
import { insertRows } from '../db/insert-rows.ts'
import { plainArray } from '../db/literals.ts'
import type { Counter, Counters } from './counters.ts'

/** Counters that are written together, and once: the id is stored with them. */
export interface Batch {
  readonly id: string
  readonly counters: Counters
}

/**
 * Writes a batch, unless it was written before: a write whose commit is not answered is done again.
 * Counters of a workspace that was deleted meanwhile are left out, or its rows would come back.
 * @param old ids of batches that nobody will write again, which are forgotten with that
 */
export async function writeCounters(database: Database, batch: Batch, old: readonly string[]): Promise<void> {
  // Every server keeps to one order, so that two flushes cannot wait for each other.
  const all = [...batch.counters.all()].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  await database.system(async tx => {
    const known = await tx<{ id: string }[]>`
      with forgotten as (
        delete from core.usage_batch
        where usage_batch.id = any(${plainArray(old)}::uuid[])
      ),
      own as (
        -- Should the first write not have ended yet, this waits for it.
        insert into core.usage_batch (id) values (${batch.id})
        on conflict on constraint usage_batch_pk do nothing
        returning usage_batch.id
      )
      select workspace.id from own
      join core.workspace on workspace.id = any(${plainArray(all.map(({ workspaceId }) => workspaceId))}::uuid[])`
    const ids = new Set(known.map(workspace => workspace.id))
    await insertRows(
      tx,
      all.filter(({ workspaceId }) => ids.has(workspaceId)),
      ({ workspaceId, metric, operation, input, output }) =>
        tx`(${workspaceId}, date_trunc('hour', now(), 'UTC'), ${metric}, ${operation}, ${input}, ${output})`,
      values => tx`
        insert into core.usage as usage (workspace_id, hour, metric, operation, input, output)
        values ${values}
        on conflict (workspace_id, hour, metric, operation) do update
        set input = usage.input + excluded.input, output = usage.output + excluded.output`,
    )
  })
}

const orderOf = ({ workspaceId, metric, operation }: Counter) => `${workspaceId} ${metric} ${operation}`

/** Deletes what is left, after a month, of batches of processes that ended before they could forget them. */
export async function purgeBatches(tx: Tx): Promise<number> {
  const { count } = await tx`
    delete from core.usage_batch
    where usage_batch.written_at < now() - interval '30 days'`
  return count
}
