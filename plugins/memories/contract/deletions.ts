import { type Subscription, subscriptionsOf, type Tenant, type TenantDirectory } from 'mneme/plugin'
import { memoryEvents } from '../events.ts'

/**
 * Builds the subscription of a plugin that stores something about memories: `forget` gets the ids of deleted memories, in parts and at
 * least once. It also runs for workspaces whose plan lacks the plugin's feature, but not for deleted workspaces, whose rows the kernel
 * removes.
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
