import { type Subscription, subscriptionsOf, type Tenant, type TenantDirectory, textArray } from 'mneme/plugin'
import { memoryEvents } from '../events.ts'
import type { MemoryKey, MemoryPart } from './part.ts'

/**
 * Builds the subscription of a plugin that stores something about memories: `forget` gets the ids of deleted memories, in parts and at
 * least once. It also runs for workspaces whose plan lacks the plugin's feature, but not for deleted workspaces, whose rows the kernel
 * removes. A plugin hears nothing while it is not loaded: {@link removesRowsOfDeletedMemories} removes what that leaves.
 */
export function forgetsDeletedMemories<S extends { readonly tenants: TenantDirectory }>(
  forget: (tenant: Tenant, memoryIds: readonly string[], scope: S) => Promise<unknown>,
): Subscription<S> {
  return subscriptionsOf<S>()({
    event: memoryEvents.deleted,
    name: 'forgetDeleted',
    erases: true,
    async handle({ workspaceId, data: { ids } }, scope) {
      if (ids.length === 0 || !(await scope.tenants.find(workspaceId))) return
      await forget(await scope.tenants.tenant(workspaceId), ids, scope)
    },
  })
}

/** Names rows that a plugin stores about memories. */
export interface RowsOfMemories {
  /** Unique among the parts of all plugins: the plugin's id, or one that begins with it. */
  readonly id: string
  /** With its schema. It has the columns `workspace_id` and `memory_id`, and an index that begins with them. */
  readonly table: string
}

/**
 * Builds the part, for `memoryParts`, of a plugin that stores rows about memories and derives nothing: once the plugin is loaded again,
 * rows of memories that were deleted meanwhile are removed. Those of expired and absorbed memories stay as long as these can be read.
 */
export function removesRowsOfDeletedMemories({ id, table }: RowsOfMemories): MemoryPart {
  return {
    id,
    missing: async () => [],
    backfill: async () => 'done',
    stored: (tx, after, limit) => tx<MemoryKey[]>`
      select distinct item.workspace_id as "workspaceId", item.memory_id as "memoryId"
      from ${tx(table)} as item
      ${after ? tx`where (item.workspace_id, item.memory_id) > (${after.workspaceId}, ${after.memoryId})` : tx``}
      order by item.workspace_id, item.memory_id
      limit ${limit}`,
    async remove(tx, workspaceId, memoryIds) {
      await tx`
        delete from ${tx(table)} as item
        where item.workspace_id = ${workspaceId}
          and item.memory_id = any(${textArray(memoryIds)}::uuid[])
          and not exists (
            select from memories.memory
            where memory.workspace_id = ${workspaceId}
              and memory.id = item.memory_id
          )`
    },
  }
}
