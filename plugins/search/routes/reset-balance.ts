import { noContent } from 'mneme/plugin'
import { resetBalance } from '../learning/balance-store.ts'
import { route } from '../route.ts'

export const resetBalanceRoute = route({
  method: 'DELETE',
  path: '/v1/search/balance',
  operationId: 'resetSearchBalance',
  access: { permission: 'workspace.write' },
  summary: 'Reset the ranking balance',
  description:
    'Results are weighed by the default again. Feedback given so far still moves results for its queries; the balance is learned again from future feedback.',
  responses: { 204: null },
  async handle({ tenant, scope }) {
    const { workspaceId } = tenant
    await tenant.transaction(async tx => {
      scope.services.learned.changed(workspaceId)
      await resetBalance(tx, workspaceId, new Date())
    })
    return noContent
  },
})
