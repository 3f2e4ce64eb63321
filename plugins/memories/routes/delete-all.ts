import { noContent, passwordConfirmation } from 'mneme/plugin'
import { memoryClearing } from '../contract.ts'
import { clearMemories } from '../removing/remove.ts'
import { DELETE, route } from '../route.ts'
import { deleteAllQuery } from '../schemas.ts'

export const deleteAllRoute = route({
  method: 'DELETE',
  path: '/v1/memories',
  operationId: 'deleteMemories',
  access: DELETE,
  subject: { user: 'user_id', agent: 'agent_id' },
  beyondQuota: true,
  share: 'bulk',
  summary: 'Delete all memories',
  description:
    'Permanently deletes the memories of the workspace, a user, an agent or a session (of all that are given together) in one transaction, with conversations, documents and imports that are still being processed. Needs the account password in `X-Confirm-Password`.',
  query: deleteAllQuery,
  responses: { 204: null },
  errors: ['PASSWORD_CONFIRMATION_REQUIRED'],
  async handle({ query, caller, request, scope, tenant }) {
    await scope.wiring.use(passwordConfirmation).confirm(caller, request)
    const cleared = { userId: query.user_id, agentId: query.agent_id, sessionId: query.session_id }
    await tenant.transaction(async tx => {
      // Hooks run one after the other, because each may wait for rows that the next one would lock in another transaction.
      for (const hook of scope.wiring.extensions(memoryClearing)) await hook.cleared(tx, tenant.workspaceId, cleared)
      await clearMemories(tx, scope, tenant.workspaceId, cleared)
    })
    return noContent
  },
})
