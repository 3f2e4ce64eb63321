import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Subscription } from '../../core/events.ts'
import { FACTS_CHANGED } from '../graph/contract.ts'
import { compileSoon } from './compilation/schedule.ts'
import { FEATURE, type KnowledgeScope } from './scope.ts'

const changed = Type.Object({ user_id: Type.String(), categories: Type.Array(Type.String()) })

/** Has the categories compiled whose statements came, changed or went. */
export const factsChanged: Subscription<KnowledgeScope> = {
  event: FACTS_CHANGED,
  name: 'compile',
  async handle({ workspaceId, data }, scope) {
    if (!Value.Check(changed, data)) throw new Error(`${FACTS_CHANGED} without user_id or categories`)
    const categories = data.categories.filter(category => category !== '')
    const workspace = await scope.tenants.find(workspaceId)
    if (categories.length === 0 || !workspace?.features.has(FEATURE)) return
    await scope.database.workspace(workspaceId, tx => compileSoon(tx, scope, workspaceId, data.user_id, categories))
  },
}
