import { accepted, type Tenant } from 'mneme/plugin'
import { beginErasure } from '../queries/erasures.ts'
import { erasureResponse } from '../reading/responses.ts'
import { ERASE, route } from '../route.ts'
import { userParams } from '../schemas.ts'
import type { MemoriesScope } from '../scope.ts'
import { eraseUserJob, toErasure } from '../tasks/erase-user.ts'

const example = {
  id: '0198c5a0-5c1d-7f35-9c55-0f3b1f9d6a21',
  user_id: 'ada',
  status: 'PENDING',
  receipt: null,
  error: null,
  created_at: '2026-06-02T08:15:00.000Z',
  completed_at: null,
} as const

export const eraseUserRoute = route({
  method: 'DELETE',
  path: '/v1/users/:user_id',
  operationId: 'deleteUser',
  access: ERASE,
  subject: { user: 'user_id' },
  beyondQuota: true,
  summary: 'Erase a user',
  description:
    "Removes or blanks in the background everything that is kept of a user: memories, searches, graph, knowledge, also what was written by hand, conversations, documents, exports, deliveries and kept responses. What comes for the user before it has ended goes too; what is written after it is a new user's. While an erasure of the user is under way, the response is that one; one that failed begins again. `user.erased` is published as it ends.",
  params: userParams,
  responses: { 202: erasureResponse },
  examples: { response: example },
  handle: ({ params, scope, tenant }) => erase(scope, tenant, params.user_id),
})

/** No URL has `.` or `..` as a part of its path, however these are written: they stand for the folder itself and the one above. */
export const eraseNamedUserRoute = route({
  method: 'DELETE',
  path: '/v1/users',
  operationId: 'deleteNamedUser',
  access: ERASE,
  subject: { user: 'user_id' },
  beyondQuota: true,
  summary: 'Erase a user by query',
  description: 'The same as `DELETE /v1/users/:user_id`, for ids that cannot stand in a path: `.` and `..`.',
  query: userParams,
  responses: { 202: erasureResponse },
  examples: { response: { ...example, user_id: '..' } },
  handle: ({ query, scope, tenant }) => erase(scope, tenant, query.user_id),
})

async function erase({ jobs }: MemoriesScope, tenant: Tenant, userId: string) {
  const { workspaceId } = tenant
  const erasure = await tenant.transaction(async tx => {
    const begun = await beginErasure(tx, workspaceId, userId)
    await jobs.enqueue(tx, [eraseUserJob(workspaceId, begun.id)])
    return begun
  })
  return accepted(toErasure(erasure))
}
