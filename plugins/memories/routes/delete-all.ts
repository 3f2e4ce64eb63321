import { passwordConfirmation } from '../../../core/auth/confirm-password.ts'
import { noContent } from '../../../core/http/route.ts'
import { removeMemories } from '../removal.ts'
import { DELETE, route } from '../route.ts'
import { deleteAllQuery } from '../schemas.ts'

export const deleteAllRoute = route({
  method: 'DELETE',
  path: '/v1/memories',
  access: DELETE,
  summary: 'Delete all memories',
  description:
    'Of the workspace, or of a user, an agent or both; for good and in one transaction. Needs the account password in `X-Confirm-Password`.',
  query: deleteAllQuery,
  responses: { 204: null },
  errors: ['PASSWORD_CONFIRMATION_REQUIRED'],
  async handle({ query, caller, request, scope, tenant }) {
    await scope.wiring.use(passwordConfirmation).confirm(caller, request)
    await tenant.transaction(tx =>
      removeMemories(tx, scope, tenant.workspaceId, { userId: query.user_id, agentId: query.agent_id }),
    )
    return noContent
  },
})
