import { type EventPublisher, type JobQueue, plainArray, type Tx, unqueue } from 'mneme/plugin'
import { type MemoryRecord, type MemoryWriteHook, statedAt } from '../../memories/contract.ts'
import { forgetReadings } from '../tasks/reading-queue.ts'
import { forgetRestatements, forgetTellings, noteMerges, noteRestatements } from '../tasks/restatements.ts'
import { textHash } from '../tasks/text-hash.ts'
import { lockUsers, usersOf, withdraw } from './withdraw.ts'
import { settle } from './write-extractions.ts'

/** Takes back what memories said when they change or go, in the same transaction. */
export function createWriteHook(events: EventPublisher, jobs: JobQueue): MemoryWriteHook {
  return {
    id: 'graph',
    created: async () => undefined,
    async updated(tx, memories) {
      const [first] = memories
      if (!first) return
      const changed = await changedReadings(tx, first.workspaceId, memories)
      await takeBack(tx, events, first.workspaceId, changed)
    },
    async removed(tx, workspaceId, ids) {
      await takeBack(tx, events, workspaceId, ids)
      await forgetReadings(tx, workspaceId, ids)
      await forgetRestatements(tx, jobs, workspaceId, ids)
    },
    absorbed: (tx, workspaceId, merges) => noteMerges(tx, jobs, workspaceId, merges),
    restated: (tx, workspaceId, restatements) => noteRestatements(tx, jobs, workspaceId, restatements),
  }
}

async function takeBack(tx: Tx, events: EventPublisher, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const users = await usersOf(tx, workspaceId, ids)
  if (users.length === 0) return
  await lockUsers(tx, workspaceId, users)
  for (const [userId, touched] of await withdraw(tx, workspaceId, ids)) {
    await settle(tx, events, { workspaceId, userId }, touched)
  }
}

/**
 * Finds memories with a changed text, other categories or another time. They are read again once they are processed; a change of anything else
 * leaves the facts as they are.
 */
async function changedReadings(tx: Tx, workspaceId: string, memories: readonly MemoryRecord[]): Promise<string[]> {
  const known = await tx<{ memory_id: string; text_hash: string; categories: string; stated_at: Date }[]>`
    select reading.memory_id, reading.text_hash, reading.stated_at, to_json(reading.categories)::text as categories
    from graph.reading
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = any(${plainArray(memories.map(({ id }) => id))}::uuid[])`
  const former = new Map(known.map(row => [row.memory_id, row]))
  const changed = memories.filter(memory => {
    const row = former.get(memory.id)
    if (!row) return false
    if (row.text_hash !== textHash(memory.text) || row.categories !== JSON.stringify(memory.categories)) return true
    return row.stated_at.getTime() !== statedAt(memory).getTime()
  })
  if (changed.length === 0) return []
  const reworded = changed.filter(({ id, text }) => former.get(id)?.text_hash !== textHash(text))
  const rewordedIds = reworded.map(({ id }) => id)
  await forgetTellings(tx, workspaceId, rewordedIds)
  const rows = changed.map(memory => ({
    memory_id: memory.id,
    text_hash: textHash(memory.text),
    categories: memory.categories,
    stated_at: statedAt(memory),
  }))
  await tx`
    update graph.reading
    set
      ${unqueue(tx)}, text_hash = new.text_hash, categories = new.categories, extracted_by = null, read_at = null,
      stated_at = new.stated_at,
      extraction = case
        when (reading.text_hash, reading.stated_at) = (new.text_hash, new.stated_at) then reading.extraction
      end
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (
      memory_id uuid, text_hash text, categories text[], stated_at timestamptz
    )
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = new.memory_id`
  return changed.map(({ id }) => id)
}
