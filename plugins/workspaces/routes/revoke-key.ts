import { noContent } from 'mneme/plugin'
import { failWorkspaces } from '../errors.ts'
import { keyEvent } from '../key-events.ts'
import { asCaller, route } from '../route.ts'
import { keyParams } from '../schemas.ts'

export const revokeKeyRoute = route({
  method: 'DELETE',
  path: '/v1/api-keys/:id',
  operationId: 'revokeApiKey',
  access: 'account',
  workspace: 'none',
  beyondQuota: true,
  summary: 'Revoke an API key',
  description: 'It and its tokens stop working within 5 seconds on every server.',
  params: keyParams,
  responses: { 204: null },
  errors: ['API_KEY_NOT_FOUND'],
  async handle({ params, caller, scope }) {
    await asCaller(scope, caller, async tx => {
      const key = await scope.administration.keys.lock(tx, caller.accountId, params.id)
      if (!key) throw failWorkspaces('API_KEY_NOT_FOUND')
      await scope.administration.keys.revoke(tx, key.id)
      await scope.events.publish(tx, [keyEvent('key.revoked', key)])
    })
    scope.administration.remembered.forgetKey(params.id.toLowerCase())
    return noContent
  },
})
