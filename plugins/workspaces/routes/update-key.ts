import { ok, validationError } from 'mneme/plugin'
import { failWorkspaces } from '../errors.ts'
import { keyExample } from '../examples.ts'
import {
  boundFaults,
  checkWorkspaces,
  keyChecks,
  keyHolderOf,
  knownPermissions,
  lockKeyOf,
  readKeyFields,
  requireWithinRole,
} from '../key-rules.ts'
import { keyResponse, toKey } from '../responses.ts'
import { asCaller, route } from '../route.ts'
import { keyParams, updateKeyBody } from '../schemas.ts'

export const updateKeyRoute = route({
  method: 'PATCH',
  path: '/v1/api-keys/:id',
  operationId: 'updateApiKey',
  access: 'account',
  workspace: 'none',
  beyondQuota: true,
  summary: 'Update an API key',
  description:
    'Changes the given fields; lists are replaced. The workspace, the mode, the user and the key itself do not change.',
  params: keyParams,
  body: updateKeyBody,
  checks: keyChecks,
  responses: { 200: keyResponse },
  errors: ['API_KEY_NOT_FOUND', 'WORKSPACE_ACCESS_DENIED', 'WORKSPACE_NOT_FOUND'],
  examples: {
    body: { permissions: ['memory.read'], expires_at: null },
    response: { ...keyExample, permissions: ['memory.read'] },
  },
  async handle({ params, body, caller, tenant, scope }) {
    const holder = keyHolderOf(caller, tenant)
    requireWithinRole(caller, holder, body)
    const { permissions, expiresAt } = readKeyFields(body)
    const record = await asCaller(scope, caller, async tx => {
      const current = await lockKeyOf(scope.administration, tx, holder, params.id)
      const faults = current.subject && permissions ? boundFaults(scope.wiring, permissions) : []
      if (faults.length > 0) throw validationError(faults)
      await checkWorkspaces(scope.administration, tx, holder.accountId, body)
      await scope.administration.keys.update(tx, current, {
        name: body.name?.trim(),
        permissions,
        expiresAt,
        workspaceIds: body.workspace_ids?.map(workspaceId => workspaceId.toLowerCase()),
      })
      return scope.administration.keys.get(tx, holder.accountId, params.id)
    })
    if (!record) throw failWorkspaces('API_KEY_NOT_FOUND')
    scope.administration.remembered.forgetKey(record.id)
    return ok(toKey(record, knownPermissions(scope.wiring)))
  },
})
