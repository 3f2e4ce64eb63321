import { ok } from 'mneme/plugin'
import { memberExample } from '../examples.ts'
import { findMember, liveIdOf, requireRoleOver, toMember } from '../members.ts'
import { memberResponse } from '../responses.ts'
import { asCaller, route } from '../route.ts'
import { memberBody, memberParams } from '../schemas.ts'

export const updateMemberRoute = route({
  method: 'PATCH',
  path: '/v1/members/:id',
  operationId: 'updateMember',
  access: 'account',
  beyondQuota: true,
  summary: 'Give a member another role',
  description: 'It holds within 5 seconds on every server. An invitation gets another role in the same way.',
  params: memberParams,
  body: memberBody,
  responses: { 200: memberResponse },
  errors: ['MEMBER_NOT_FOUND', 'HOLDER_STAYS'],
  examples: { body: { role: 'viewer' }, response: { ...memberExample, role: 'viewer' } },
  async handle({ params, body: { role }, caller, tenant, scope }) {
    const { administration } = scope
    const workspaceId = liveIdOf(tenant)
    const member = await asCaller(scope, caller, async tx => {
      const found = await findMember(administration, tx, workspaceId, params.id)
      requireRoleOver(caller, found.role)
      requireRoleOver(caller, role)
      await administration.members.changeRole(tx, workspaceId, found.id, role)
      return { ...found, role }
    })
    administration.remembered.forgetAccount(member.id)
    return ok(toMember(member))
  },
})
