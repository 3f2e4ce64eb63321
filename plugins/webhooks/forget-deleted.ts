import { plainArray, type Subscription } from 'mneme/plugin'
import { forgetMemories } from './queries/upkeep.ts'
import type { WebhooksScope } from './scope.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Texts of deleted memories leave the bodies that are kept for attempts, whatever the plan includes by then. */
export const forgetDeleted: Subscription<WebhooksScope> = {
  event: 'memory.deleted',
  name: 'forgetDeleted',
  gated: false,
  async handle({ workspaceId, data }, { tenants }) {
    const ids = Array.isArray(data.ids) ? data.ids.filter(id => typeof id === 'string' && UUID.test(id)) : []
    if (ids.length === 0 || !(await tenants.find(workspaceId))) return
    const tenant = await tenants.tenant(workspaceId)
    await tenant.transaction(tx => forgetMemories(tx, workspaceId, plainArray(ids)))
  },
}
