import type { Tenant, Tx } from 'mneme/plugin'
import type { CreateResult, PreparedMemories, PreparedWrites } from '../contract.ts'
import { promoteMemory } from '../queries/update.ts'
import type { MemoryServices } from '../scope.ts'
import { announceUpdated } from './announce.ts'
import { hashOf } from './content-hash.ts'
import { createMemories } from './create.ts'
import { prepareWrites } from './preparation.ts'

type Services = Pick<MemoryServices, 'wiring' | 'events' | 'jobs'>

/** The analysis of a text from before the transaction, and that text. */
interface Ahead {
  readonly text: string | undefined
  readonly writes: PreparedWrites
}

/** Creates memories of other plugins, whose texts stay though a memory that was to expire has them; see {@link MemoryWriter.create}. */
export async function createOrPromote(
  tx: Tx,
  services: MemoryServices,
  tenant: Tenant,
  prepared: PreparedMemories,
): Promise<CreateResult[]> {
  const results = await createMemories(tx, services, tenant, prepared)
  const held = prepared.records.flatMap(({ userId, layer, text }, n) => {
    const result = results[n]
    return layer === 'RAW' && result && 'duplicateOf' in result ? [{ id: result.duplicateOf, userId, text }] : []
  })
  const tasks = held.length > 0 ? await lockTasks(tx, tenant.workspaceId, held) : []
  for (const id of tasks) {
    const text = held.find(one => one.id === id)?.text ?? ''
    await promoteLocked(tx, services, tenant, id, aheadOf(prepared, id, text))
  }
  return results
}

/** The analysis of a text stands with the first record that has it. */
function aheadOf({ records, refused, writes }: PreparedMemories, memoryId: string, text: string): Ahead | undefined {
  const hash = hashOf(text)
  const first = records.find(one => !refused.has(one.id) && hashOf(one.text) === hash)
  return first && { text: first.text, writes: rekeyed(writes, first.id, memoryId) }
}

/** Has the analysis of one memory's text stand for another memory, which has the same text. */
function rekeyed(writes: PreparedWrites, from: string, to: string): PreparedWrites {
  return new Map([...writes].map(([hook, results]) => [hook, new Map([[to, results.get(from)]])]))
}

/**
 * Makes a TASK memory permanent and tells of it. The caller holds the row's lock.
 * @param ahead made of its text
 * @returns false where the workspace has no such memory
 */
export async function promoteLocked(
  tx: Tx,
  services: Services,
  tenant: Tenant,
  id: string,
  ahead?: Ahead,
): Promise<boolean> {
  const { workspaceId } = tenant
  const memory = await promoteMemory(tx, workspaceId, id, new Date())
  if (!memory) return false
  const { userId } = memory
  // Only where the text was changed meanwhile is the analysis of another one, so it may be made inside the transaction.
  const writes = ahead?.text === memory.text ? ahead.writes : await prepareWrites(services, tenant, [memory])
  const data = { id: memory.id, user_id: userId }
  await Promise.all([
    announceUpdated(tx, services, memory, [], writes),
    services.events.publish(tx, [{ kind: 'memory.promoted', workspaceId, subjectId: memory.id, userId, data }]),
  ])
  return true
}

/** Locks the TASK memories among others that belong to the given users, in ascending order of id. */
async function lockTasks(
  tx: Tx,
  workspaceId: string,
  held: readonly { readonly id: string; readonly userId: string }[],
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select memory.id
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      and memory.layer = 'TASK'
      and memory.live
      and (memory.id, memory.user_id) in (
        select given.id, given.user_id
        from jsonb_to_recordset(${JSON.stringify(held.map(({ id, userId }) => ({ id, user_id: userId })))}::text::jsonb)
          as given (id uuid, user_id text)
      )
    order by memory.id
    for update`
  return rows.map(({ id }) => id)
}
