import { noContent } from 'mneme/plugin'
import { findMember, liveIdOf, requireRoleOver } from '../members.ts'
import { asCaller, route } from '../route.ts'
import { memberParams } from '../schemas.ts'

export const removeMemberRoute = route({
  method: 'DELETE',
  path: '/v1/members/:id',
  operationId: 'removeMember',
  access: 'account',
  beyondQuota: true,
  summary: 'Remove a member',
  description:
    'The account reaches the workspace no longer, within 5 seconds on every server; keys that it made stay. Of an invitation the link ends. Everybody who lists members may leave.',
  params: memberParams,
  responses: { 204: null },
  errors: ['MEMBER_NOT_FOUND', 'HOLDER_STAYS'],
  async handle({ params, caller, tenant, scope }) {
    const { administration, events } = scope
    const workspaceId = liveIdOf(tenant)
    const id = params.id.toLowerCase()
    await asCaller(scope, caller, async tx => {
      const { role, state } = await findMember(administration, tx, workspaceId, id)
      if (id !== caller.accountId) requireRoleOver(caller, role)
      await administration.members.remove(tx, workspaceId, id)
      if (state === 'INVITED') return
      await events.publish(tx, [{ kind: 'member.removed', workspaceId, subjectId: id, userId: null, data: { role } }])
    })
    administration.remembered.forgetAccount(id)
    return noContent
  },
})
