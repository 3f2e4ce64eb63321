import { ok } from 'mneme/plugin'
import { memoryFailure } from '../errors.ts'
import { findErasure } from '../queries/erasures.ts'
import { erasureResponse } from '../reading/responses.ts'
import { ERASE, route } from '../route.ts'
import { erasureParams } from '../schemas.ts'
import { toErasure } from '../tasks/erase-user.ts'

export const getErasureRoute = route({
  method: 'GET',
  path: '/v1/users/erasures/:id',
  operationId: 'getErasure',
  access: ERASE,
  subject: { handler: 'user' },
  summary: 'Get the erasure of a user',
  description:
    'Its status and, once it has ended, the receipt: how many rows of which tables were removed. It no longer tells whose they were.',
  params: erasureParams,
  responses: { 200: erasureResponse },
  errors: ['ERASURE_NOT_FOUND'],
  examples: {
    response: {
      id: '0198c5a0-5c1d-7f35-9c55-0f3b1f9d6a21',
      user_id: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      status: 'COMPLETED',
      receipt: { 'memories.memory': 12, 'memories.history': 14, 'search.query_log': 30 },
      error: null,
      created_at: '2026-06-02T08:15:00.000Z',
      completed_at: '2026-06-02T08:15:02.120Z',
    },
  },
  async handle({ params, tenant }) {
    const erasure = await tenant.transaction(tx =>
      findErasure(tx, tenant.workspaceId, params.id, tenant.subject?.userId),
    )
    if (!erasure) throw memoryFailure('ERASURE_NOT_FOUND')
    return ok(toErasure(erasure))
  },
})
