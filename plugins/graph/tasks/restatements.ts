import { insertRows, type JobQueue, plainArray, queueAgain, type Subscription, type Tx } from 'mneme/plugin'
import { v7 } from 'uuid'
import { type MemoryMerge, type Restatement, statedAt } from '../../memories/contract.ts'
import type { GraphScope } from '../scope.ts'
import { extractJob } from './queue-step.ts'

/** The times of a memory that are kept, the newest: more add next to nothing to what it bears out. */
const KEPT_MAX = 20

/**
 * Notes that survivors say anew what they said: "I live in Berlin" holds again after "I moved to Porto", though its second
 * telling was merged into the first. Their facts are written once more, for each time they were told.
 */
export function noteMerges(tx: Tx, jobs: JobQueue, workspaceId: string, merges: readonly MemoryMerge[]): Promise<void> {
  const rows = merges.flatMap(({ survivor, absorbed }) =>
    absorbed.map(memory => ({ memory_id: survivor.id, absorbed_id: memory.id, stated_at: statedAt(memory) })),
  )
  return note(tx, jobs, workspaceId, rows)
}

/** Notes that memories were told again word for word; of one instant only the first telling counts. */
export async function noteRestatements(
  tx: Tx,
  jobs: JobQueue,
  workspaceId: string,
  restatements: readonly Restatement[],
): Promise<void> {
  const memoryIds = [...new Set(restatements.map(({ memoryId }) => memoryId))]
  const known = await tx<{ memory_id: string; stated_at: Date }[]>`
    select reading.memory_id, reading.stated_at
    from graph.reading
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = any(${plainArray(memoryIds)}::uuid[])
    union all
    select restatement.memory_id, restatement.stated_at
    from graph.restatement
    where restatement.workspace_id = ${workspaceId}
      and restatement.memory_id = any(${plainArray(memoryIds)}::uuid[])`
  const told = new Set(known.map(row => `${row.memory_id} ${row.stated_at.getTime()}`))
  const rows = restatements.flatMap(({ memoryId, statedAt }) => {
    const telling = `${memoryId} ${statedAt.getTime()}`
    if (told.has(telling)) return []
    told.add(telling)
    // No memory was absorbed, so no deletion or restoration takes it back.
    return [{ memory_id: memoryId, absorbed_id: v7(), stated_at: statedAt }]
  })
  if (rows.length > 0) await note(tx, jobs, workspaceId, rows)
}

async function note(
  tx: Tx,
  jobs: JobQueue,
  workspaceId: string,
  rows: readonly { readonly memory_id: string; readonly absorbed_id: string; readonly stated_at: Date }[],
): Promise<void> {
  const memoryIds = [...new Set(rows.map(row => row.memory_id))]
  await insertRows(
    tx,
    rows,
    row => tx`(${workspaceId}, ${row.memory_id}, ${row.absorbed_id}, ${row.stated_at.toISOString()})`,
    values => tx`
      insert into graph.restatement (workspace_id, memory_id, absorbed_id, stated_at)
      values ${values}
      on conflict (workspace_id, memory_id, absorbed_id) do nothing`,
  )
  await tx`
    delete from graph.restatement
    using (
      select
        restatement.memory_id, restatement.absorbed_id,
        row_number() over (
          partition by restatement.memory_id
          order by restatement.stated_at desc, restatement.absorbed_id
        ) as place
      from graph.restatement
      where restatement.workspace_id = ${workspaceId}
        and restatement.memory_id = any(${plainArray(memoryIds)}::uuid[])
    ) as ranked
    where restatement.workspace_id = ${workspaceId}
      and restatement.memory_id = ranked.memory_id
      and restatement.absorbed_id = ranked.absorbed_id
      and ranked.place > ${KEPT_MAX}`
  await readAnew(tx, jobs, workspaceId, memoryIds)
}

/** The instants at which memories were restated, by memory. */
export async function restatementsOf(
  tx: Tx,
  workspaceId: string,
  memoryIds: readonly string[],
): Promise<Map<string, Date[]>> {
  if (memoryIds.length === 0) return new Map()
  const rows = await tx<{ memory_id: string; stated_at: Date }[]>`
    select restatement.memory_id, restatement.stated_at
    from graph.restatement
    where restatement.workspace_id = ${workspaceId}
      and restatement.memory_id = any(${plainArray(memoryIds)}::uuid[])
    order by restatement.stated_at`
  const times = new Map<string, Date[]>()
  for (const row of rows) times.set(row.memory_id, [...(times.get(row.memory_id) ?? []), row.stated_at])
  return times
}

/** Forgets what memories that go told, and what was told in them of others, which are then read without it. */
export async function forgetRestatements(
  tx: Tx,
  jobs: JobQueue,
  workspaceId: string,
  memoryIds: readonly string[],
): Promise<void> {
  if (memoryIds.length === 0) return
  const ids = plainArray(memoryIds)
  const gone = await tx<{ memory_id: string }[]>`
    delete from graph.restatement
    where restatement.workspace_id = ${workspaceId}
      and (
        restatement.memory_id = any(${ids}::uuid[])
        or restatement.absorbed_id = any(${ids}::uuid[])
      )
    returning restatement.memory_id`
  const left = new Set(gone.map(row => row.memory_id))
  for (const id of memoryIds) left.delete(id)
  await readAnew(tx, jobs, workspaceId, [...left])
}

/** A restored memory speaks for itself again. */
export const forgetRestored: Subscription<GraphScope> = {
  event: 'memory.restored',
  name: 'forget-restatement',
  // Notes stay valid whatever the plan, since the feature may come back.
  gated: false,
  async handle({ workspaceId, subjectId }, { database, jobs }) {
    if (subjectId === null) return
    await database.workspace(workspaceId, tx => forgetRestatements(tx, jobs, workspaceId, [subjectId]))
  },
}

/** Forgets when memories told a text that is no longer theirs. */
export async function forgetTellings(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<void> {
  if (memoryIds.length === 0) return
  await tx`
    delete from graph.restatement
    where restatement.workspace_id = ${workspaceId}
      and restatement.memory_id = any(${plainArray(memoryIds)}::uuid[])`
}

async function readAnew(tx: Tx, jobs: JobQueue, workspaceId: string, memoryIds: readonly string[]): Promise<void> {
  if (memoryIds.length === 0) return
  await tx`
    update graph.reading
    set extracted_by = null, ${queueAgain(tx, 'reading')}
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = any(${plainArray(memoryIds)}::uuid[])`
  await jobs.enqueue(tx, [extractJob(workspaceId)])
}
