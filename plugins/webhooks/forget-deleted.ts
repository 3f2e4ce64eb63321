import { plainArray, subscriptionsOf } from 'mneme/plugin'
import { memoryEvents } from '../memories/contract.ts'
import { forgetMemories } from './queries/upkeep.ts'
import type { WebhooksScope } from './scope.ts'

/** Texts of deleted memories leave the bodies that are kept for attempts, whatever the plan includes by then. */
export const forgetDeleted = subscriptionsOf<WebhooksScope>()({
  event: memoryEvents.deleted,
  name: 'forgetDeleted',
  erases: true,
  async handle({ workspaceId, data: { ids } }, { tenants }) {
    if (ids.length === 0 || !(await tenants.find(workspaceId))) return
    const tenant = await tenants.tenant(workspaceId)
    await tenant.transaction(tx => forgetMemories(tx, workspaceId, plainArray(ids)))
  },
})
