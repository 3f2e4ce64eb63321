import { accepted } from 'mneme/plugin'
import { beginErasure } from '../queries/erasures.ts'
import { erasureResponse } from '../reading/responses.ts'
import { ERASE, route } from '../route.ts'
import { userParams } from '../schemas.ts'
import { eraseUserJob, toErasure } from '../tasks/erase-user.ts'

export const eraseUserRoute = route({
  method: 'DELETE',
  path: '/v1/users/:user_id',
  operationId: 'eraseUser',
  access: ERASE,
  beyondQuota: true,
  summary: 'Erase a user',
  description:
    "Removes or blanks in the background everything that is kept of a user: memories, searches, graph, knowledge, also what was written by hand, conversations, documents, exports, deliveries and kept responses. What comes for the user before it has ended goes too; what is written after it is a new user's. While an erasure of the user is under way, the response is that one; one that failed begins again. `user.erased` is published as it ends.",
  params: userParams,
  responses: { 202: erasureResponse },
  examples: {
    response: {
      id: '0198c5a0-5c1d-7f35-9c55-0f3b1f9d6a21',
      user_id: 'ada',
      status: 'PENDING',
      receipt: null,
      error: null,
      created_at: '2026-06-02T08:15:00.000Z',
      completed_at: null,
    },
  },
  async handle({ params, scope, tenant }) {
    const { workspaceId } = tenant
    const erasure = await tenant.transaction(async tx => {
      const begun = await beginErasure(tx, workspaceId, params.user_id)
      await scope.jobs.enqueue(tx, [eraseUserJob(workspaceId, begun.id)])
      return begun
    })
    return accepted(toErasure(erasure))
  },
})
