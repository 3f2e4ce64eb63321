import { created, fail } from 'mneme/plugin'
import { secretKeyExample } from '../examples.ts'
import { keyEvent } from '../key-events.ts'
import { checkWorkspaces, keyChecks, keyHolderOf, readKeyFields, requireWithinRole } from '../key-rules.ts'
import { secretKeyResponse, toKey } from '../responses.ts'
import { asCaller, route } from '../route.ts'
import { createKeyBody } from '../schemas.ts'

export const createKeyRoute = route({
  method: 'POST',
  path: '/v1/api-keys',
  operationId: 'createApiKey',
  access: 'account',
  beyondQuota: true,
  summary: 'Create an API key',
  description:
    'The key is shown in this response only. With `user_id` it is bound to that user: it reads and writes only what is of the user, and can be held by a browser or by the agent of that user.',
  body: createKeyBody,
  checks: keyChecks,
  responses: { 201: secretKeyResponse },
  secretResponse: true,
  errors: ['WORKSPACE_ACCESS_DENIED', 'WORKSPACE_NOT_FOUND'],
  examples: {
    body: { name: 'Production agent', permissions: ['memory.read', 'memory.write'] },
    response: secretKeyExample,
  },
  async handle({ body, caller, tenant, scope }) {
    const holder = keyHolderOf(caller, tenant)
    const { accountId } = holder
    requireWithinRole(caller, holder, body)
    const { permissions = [], expiresAt } = readKeyFields(body)
    const answer = await asCaller(scope, caller, async tx => {
      await checkWorkspaces(scope.administration, tx, accountId, body)
      const { id, key } = await scope.administration.keys.insert(tx, {
        accountId,
        // That of the request, or else the account's first.
        workspaceId: tenant.workspace.twinOf ?? tenant.workspaceId,
        name: body.name.trim(),
        mode: body.mode ?? 'live',
        permissions,
        workspaceIds: (body.workspace_ids ?? []).map(workspaceId => workspaceId.toLowerCase()),
        subject: body.user_id === undefined ? null : { userId: body.user_id, agentId: body.agent_id },
        expiresAt: expiresAt ?? null,
      })
      const record = await scope.administration.keys.get(tx, accountId, id)
      // Its workspace was deleted meanwhile, perhaps by another server.
      if (!record) throw fail('WORKSPACE_NOT_FOUND')
      await scope.events.publish(tx, [keyEvent('key.created', record)])
      return { ...toKey(record, []), key }
    })
    return created(answer)
  },
})
