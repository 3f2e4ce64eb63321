import { plainArray, type Tenant, type Tx } from 'mneme/plugin'
import { type MemoryAmendment, type MemoryRecord, sameCategories, screen, secretsMode } from '../contract.ts'
import { recordColumns } from '../queries/rows.ts'
import { updateMemory } from '../queries/update.ts'
import type { MemoryServices } from '../scope.ts'
import { announceAmended, announceUpdated } from './announce.ts'
import { prepareWrites } from './preparation.ts'

/**
 * Changes what memories carry beside their texts. Where a memory changed since the caller looked, it stays as it is: its new text was not
 * analysed, and somebody else decides about it.
 *
 * @returns how many are processed again
 */
export async function amendMemories(
  scope: Pick<MemoryServices, 'wiring' | 'events' | 'jobs'>,
  tenant: Tenant,
  given: readonly MemoryAmendment[],
): Promise<number> {
  if (given.length === 0) return 0
  // It is too late to refuse any: what is told of a memory that is there is masked in its stead.
  const mode = secretsMode.of(tenant.workspace) === 'keep' ? 'keep' : 'mask'
  const amendments = await Promise.all(
    given.map(async ({ memory, sessionId, ...told }) => ({ memory, sessionId, ...(await screen(mode, told)) })),
  )
  const { workspaceId } = tenant
  const categoriesOf = new Map(amendments.map(({ memory: { id }, categories }) => [id, categories]))
  const isFiledAnew = ({ id, categories }: MemoryRecord) =>
    !sameCategories(categories, categoriesOf.get(id) ?? categories)
  // Those that stay where they are filed need no analysis: their index entries stay too.
  const filedAnew = amendments.map(({ memory }) => memory).filter(isFiledAnew)
  const writes = await prepareWrites(scope, tenant, filedAnew)
  return tenant.transaction(async tx => {
    let again = 0
    const amended = await writeAmendments(tx, workspaceId, amendments)
    await announceAmended(tx, scope, amended)
    // Knowledge is compiled by category, so these are processed again, as after an update by a caller.
    for (const { id, text } of amended.filter(isFiledAnew)) {
      const change = { text, priority: undefined, categories: categoriesOf.get(id), metadata: undefined }
      const updated = await updateMemory(tx, tenant, id, change, new Date())
      if (!updated) continue
      await announceUpdated(tx, scope, updated.record, updated.changed, writes)
      again++
    }
    return again
  })
}

/** Sets session and metadata of those that are as the caller saw them. @returns these, locked */
async function writeAmendments(
  tx: Tx,
  workspaceId: string,
  amendments: readonly MemoryAmendment[],
): Promise<MemoryRecord[]> {
  const given = amendments.map(({ memory: { id, revision }, sessionId, metadata }) => ({
    id,
    revision,
    session_id: sessionId,
    metadata,
  }))
  // Rows are locked in ascending order of id, as in every statement that locks many.
  return tx<MemoryRecord[]>`
    with held as (
      select memory.id
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = any(${plainArray(given.map(({ id }) => id))}::uuid[])
        and memory.live
      order by memory.id
      for update
    ),
    changed as (
      update memories.memory
      set session_id = given.session_id, metadata = given.metadata
      from held
      join jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb)
        as given (id uuid, revision integer, session_id text, metadata jsonb) on given.id = held.id
      where memory.workspace_id = ${workspaceId}
        and memory.id = held.id
        and memory.revision = given.revision
      returning memory.*
    )
    select ${recordColumns(tx)} from changed as memory`
}
