import type { Subscription } from 'mneme/plugin'
import { forgetMemories } from './queries/progress.ts'
import type { ConversationsScope } from './scope.ts'

/** Memories that are deleted leave their conversations too. */
export const forgetDeleted: Subscription<ConversationsScope> = {
  event: 'memory.deleted',
  name: 'forgetDeleted',
  async handle({ workspaceId, data }, { tenants }) {
    const ids = Array.isArray(data.ids) ? data.ids.filter(id => typeof id === 'string') : []
    if (ids.length === 0 || !(await tenants.find(workspaceId))) return
    const tenant = await tenants.tenant(workspaceId)
    await tenant.transaction(tx => forgetMemories(tx, workspaceId, ids))
  },
}
