import { randomBytes } from 'node:crypto'
import { created } from 'mneme/plugin'
import { failWorkspaces } from '../errors.ts'
import { invitationExample } from '../examples.ts'
import { INVITATION_MS, liveIdOf, MEMBERS_MAX, requireRoleOver, toMember } from '../members.ts'
import { invitationResponse } from '../responses.ts'
import { asCaller, route } from '../route.ts'
import { inviteBody } from '../schemas.ts'

export const inviteMemberRoute = route({
  method: 'POST',
  path: '/v1/members',
  operationId: 'inviteMember',
  access: 'account',
  beyondQuota: true,
  summary: 'Invite a member',
  description:
    'Makes a link that is shown in this response only, is good for seven days and one person, and is sent by nobody but you. With an `email` only the account with that address may accept it.',
  body: inviteBody,
  responses: { 201: invitationResponse },
  secretResponse: true,
  errors: ['TOO_MANY_MEMBERS'],
  examples: { body: { role: 'editor', email: 'bob@example.com' }, response: invitationExample },
  async handle({ body, caller, tenant, scope, request }) {
    const { role } = body
    requireRoleOver(caller, role)
    const { members, accounts } = scope.administration
    const workspaceId = liveIdOf(tenant)
    const token = randomBytes(32).toString('base64url')
    const expiresAt = new Date(Date.now() + INVITATION_MS)
    const invitation = await asCaller(scope, caller, async tx => {
      if ((await members.list(tx, workspaceId)).length >= MEMBERS_MAX) throw failWorkspaces('TOO_MANY_MEMBERS')
      const email = body.email?.toLowerCase() ?? null
      const id = await members.invite(tx, { workspaceId, role, email, token, expiresAt })
      return {
        id,
        state: 'INVITED',
        email,
        name: null,
        role,
        isHolder: false,
        expiresAt,
        createdAt: new Date(),
      } as const
    })
    return created({ ...toMember(invitation), link: `${accounts.addressOf(request)}/console/#invitation=${token}` })
  },
})
