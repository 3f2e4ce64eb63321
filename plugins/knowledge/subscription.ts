import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Subscription } from 'mneme/plugin'
import { FACTS_CHANGED, graphFacts } from '../graph/contract.ts'
import { compileSoon } from './compilation/schedule.ts'
import type { KnowledgeScope } from './scope.ts'

const changed = Type.Object({ user_id: Type.String(), categories: Type.Array(Type.String()) })

/**
 * Has the categories compiled whose statements came, changed or went. Where the plan lacks the feature no event comes here: the change
 * is found again should the plan have it one day (`knowledge:resume`).
 */
export const factsChanged: Subscription<KnowledgeScope> = {
  event: FACTS_CHANGED,
  name: 'compile',
  async handle({ workspaceId, data, createdAt }, scope) {
    if (!Value.Check(changed, data)) throw new Error(`${FACTS_CHANGED} without user_id or categories`)
    const categories = data.categories.filter(category => category !== '')
    if (categories.length === 0) return
    await scope.database.workspace(workspaceId, async tx => {
      await compileSoon(tx, scope, workspaceId, data.user_id, categories)
      await scope.wiring.use(graphFacts).acknowledge(tx, workspaceId, data.user_id, createdAt)
    })
  },
}
