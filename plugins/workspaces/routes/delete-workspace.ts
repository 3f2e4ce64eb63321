import { fail, noContent, passwordConfirmation } from 'mneme/plugin'
import { failWorkspaces } from '../errors.ts'
import { asCaller, DELETE, route } from '../route.ts'
import { workspaceParams } from '../schemas.ts'
import { erasureOf } from '../tasks/erase.ts'

export const deleteWorkspaceRoute = route({
  method: 'DELETE',
  path: '/v1/workspaces/:id',
  operationId: 'deleteWorkspace',
  access: DELETE,
  workspace: { param: 'id' },
  beyondQuota: true,
  summary: 'Delete a workspace',
  description:
    'Permanently deletes the workspace with its test twin, its keys and all data. It cannot be reached from this moment on; a job removes the data. Requires the account password in `X-Confirm-Password`. The last workspace of an account cannot be deleted.',
  params: workspaceParams,
  responses: { 204: null },
  errors: ['PASSWORD_CONFIRMATION_REQUIRED', 'LAST_WORKSPACE'],
  async handle({ caller, request, tenant, scope }) {
    if (caller.mode === 'test' || tenant.workspace.twinOf) {
      throw fail('FORBIDDEN', { message: 'A test twin is deleted with its workspace, not on its own.' })
    }
    await scope.wiring.use(passwordConfirmation).confirm(caller, request)
    const { id, accountId } = tenant.workspace
    const closing = await asCaller(scope, caller, async tx => {
      const outcome = await scope.administration.workspaces.close(tx, accountId, id)
      if (outcome.state === 'closed') await scope.jobs.enqueue(tx, [erasureOf(id)])
      return outcome
    })
    if (closing.state === 'last') throw failWorkspaces('LAST_WORKSPACE')
    if (closing.state === 'gone') throw fail('WORKSPACE_NOT_FOUND')
    const { remembered } = scope.administration
    remembered.forgetWorkspaces(accountId)
    remembered.forgetAccount(caller.accountId)
    for (const keyId of closing.keyIds) remembered.forgetKey(keyId)
    return noContent
  },
})
