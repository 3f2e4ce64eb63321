import { noContent } from 'mneme/plugin'
import { keyEvent } from '../key-events.ts'
import { keyHolderOf, lockKeyOf } from '../key-rules.ts'
import { asCaller, route } from '../route.ts'
import { keyParams } from '../schemas.ts'

export const revokeKeyRoute = route({
  method: 'DELETE',
  path: '/v1/api-keys/:id',
  operationId: 'revokeApiKey',
  access: 'account',
  beyondQuota: true,
  summary: 'Revoke an API key',
  description: 'It and its tokens stop working within 5 seconds on every server.',
  params: keyParams,
  responses: { 204: null },
  errors: ['API_KEY_NOT_FOUND'],
  async handle({ params, caller, tenant, scope }) {
    const holder = keyHolderOf(caller, tenant)
    await asCaller(scope, caller, async tx => {
      const key = await lockKeyOf(scope.administration, tx, holder, params.id)
      await scope.administration.keys.revoke(tx, key.id)
      await scope.events.publish(tx, [keyEvent('key.revoked', key)])
    })
    scope.administration.remembered.forgetKey(params.id.toLowerCase())
    return noContent
  },
})
