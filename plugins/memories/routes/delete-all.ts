import { noContent, passwordConfirmation } from 'mneme/plugin'
import { memoryClearing } from '../contract.ts'
import { removeMemories } from '../removal.ts'
import { DELETE, route } from '../route.ts'
import { deleteAllQuery } from '../schemas.ts'

export const deleteAllRoute = route({
  method: 'DELETE',
  path: '/v1/memories',
  access: DELETE,
  summary: 'Delete all memories',
  description:
    'Of the workspace, or of a user, an agent or both; for good and in one transaction; with them go conversations that are still being read. Needs the account password in `X-Confirm-Password`.',
  query: deleteAllQuery,
  responses: { 204: null },
  errors: ['PASSWORD_CONFIRMATION_REQUIRED'],
  async handle({ query, caller, request, scope, tenant }) {
    await scope.wiring.use(passwordConfirmation).confirm(caller, request)
    const cleared = { userId: query.user_id, agentId: query.agent_id }
    await tenant.transaction(
      async tx => {
        // One after the other: each may wait for rows that the next one holds elsewhere.
        for (const hook of scope.wiring.extensions(memoryClearing)) await hook.cleared(tx, tenant.workspaceId, cleared)
        await removeMemories(tx, scope, tenant.workspaceId, cleared)
      },
      { repeatable: true },
    )
    return noContent
  },
})
