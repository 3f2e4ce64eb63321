import { envelope, ok, pageOf, pageQuery, windowOf } from 'mneme/plugin'
import { memberExample, pageExampleOf } from '../examples.ts'
import { liveIdOf, toMember } from '../members.ts'
import { memberResponse } from '../responses.ts'
import { asCaller, route } from '../route.ts'

export const listMembersRoute = route({
  method: 'GET',
  path: '/v1/members',
  operationId: 'listMembers',
  access: 'account',
  beyondQuota: true,
  summary: 'List members',
  description:
    'Accounts that may use the workspace, those who own it first, and invitations that are not accepted yet.',
  query: pageQuery,
  responses: { 200: pageOf(memberResponse) },
  examples: { response: pageExampleOf(memberExample) },
  async handle({ query, caller, tenant, scope }) {
    const members = await asCaller(scope, caller, tx => scope.administration.members.list(tx, liveIdOf(tenant)))
    const { limit, offset } = windowOf(query)
    return ok(envelope(query, members.slice(offset, offset + limit).map(toMember), members.length))
  },
})
