import { ok } from 'mneme/plugin'
import { secretKeyExample } from '../examples.ts'
import { keyEvent } from '../key-events.ts'
import { keyHolderOf, knownPermissions, lockKeyOf, requireWithinRole } from '../key-rules.ts'
import { secretKeyResponse, toKey } from '../responses.ts'
import { asCaller, route } from '../route.ts'
import { keyParams } from '../schemas.ts'

export const rotateKeyRoute = route({
  method: 'POST',
  path: '/v1/api-keys/:id/rotate',
  operationId: 'rotateApiKey',
  access: 'account',
  beyondQuota: true,
  summary: 'Rotate an API key',
  description:
    'Gives it a new secret, shown in this response only. The old one, and the tokens that were made with it, stop working within 5 seconds; to change over without a gap, create a second key instead and revoke this one later.',
  params: keyParams,
  responses: { 200: secretKeyResponse },
  examples: { response: secretKeyExample },
  secretResponse: true,
  errors: ['API_KEY_NOT_FOUND'],
  async handle({ params, caller, tenant, scope }) {
    const holder = keyHolderOf(caller, tenant)
    const answer = await asCaller(scope, caller, async tx => {
      const current = await lockKeyOf(scope.administration, tx, holder, params.id)
      requireWithinRole(caller, holder, current)
      const key = await scope.administration.keys.rotate(tx, current)
      const rotated = await scope.administration.keys.get(tx, holder.accountId, params.id)
      if (!rotated) throw new Error('a rotated API key cannot be read')
      const rotation = { rotation: true } as const
      await scope.events.publish(tx, [
        keyEvent('key.revoked', current, rotation),
        keyEvent('key.created', rotated, rotation),
      ])
      return { ...toKey(rotated, knownPermissions(scope.wiring)), key }
    })
    scope.administration.remembered.forgetKey(answer.id)
    return ok(answer)
  },
})
