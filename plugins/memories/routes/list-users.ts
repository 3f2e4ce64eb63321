import { envelope, ok, pageOf, windowOf } from 'mneme/plugin'
import { listUsers } from '../queries/erasures.ts'
import { userCount } from '../reading/responses.ts'
import { READ, route } from '../route.ts'
import { userListQuery } from '../schemas.ts'

export const listUsersRoute = route({
  method: 'GET',
  path: '/v1/users',
  operationId: 'listUsers',
  access: READ,
  subject: { handler: 'user' },
  share: 'heavy',
  summary: 'List users',
  description: 'Users with memories, by their ids: how many, and when the first and the last of these were created.',
  query: userListQuery,
  responses: { 200: pageOf(userCount) },
  examples: {
    response: {
      data: [
        { user_id: 'ada', memories: 12, first_at: '2026-05-04T10:00:00.000Z', last_at: '2026-06-02T08:15:00.000Z' },
      ],
      total: 1,
      page: 1,
      page_size: 20,
    },
  },
  async handle({ query, tenant }) {
    const which = { prefix: query.q, only: tenant.subject?.userId }
    const { users, total } = await tenant.transaction(tx => listUsers(tx, tenant.workspaceId, which, windowOf(query)))
    const data = users.map(({ userId, memories, firstAt, lastAt }) => ({
      user_id: userId,
      memories,
      first_at: firstAt.toISOString(),
      last_at: lastAt.toISOString(),
    }))
    return ok(envelope(query, data, total))
  },
})
