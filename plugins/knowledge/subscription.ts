import { subscriptionsOf } from 'mneme/plugin'
import { factsChangedEvent, graphFacts } from '../graph/contract.ts'
import { compileSoon } from './compilation/schedule.ts'
import type { KnowledgeScope } from './scope.ts'

/**
 * Has the categories compiled whose statements came, changed or went. Where the plan lacks the feature no event comes here: the change
 * is found again should the plan have it one day (`knowledge:resume`).
 */
export const factsChanged = subscriptionsOf<KnowledgeScope>()({
  event: factsChangedEvent,
  name: 'compile',
  async handle({ workspaceId, data, createdAt }, scope) {
    const categories = data.categories.filter(category => category !== '')
    if (categories.length === 0) return
    await scope.database.workspace(workspaceId, async tx => {
      await compileSoon(tx, scope, workspaceId, data.user_id, categories)
      await scope.wiring.use(graphFacts).acknowledge(tx, workspaceId, data.user_id, createdAt)
    })
  },
})
