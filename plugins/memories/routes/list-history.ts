import { ok, pageQuery } from 'mneme/plugin'
import { memoryRow } from '../contract/memory-row.ts'
import { memoryFailure } from '../errors.ts'
import { historyExample } from '../examples.ts'
import { findHistory } from '../queries/history.ts'
import { findState } from '../queries/read.ts'
import { historyPage } from '../reading/responses.ts'
import { READ, route } from '../route.ts'
import { memoryParams } from '../schemas.ts'

export const listHistoryRoute = route({
  method: 'GET',
  path: '/v1/memories/:id/history',
  operationId: 'listMemoryHistory',
  access: READ,
  subject: { rows: [memoryRow()] },
  summary: "List a memory's history",
  description: 'Every version of its text, and what was merged into it, oldest first.',
  params: memoryParams,
  query: pageQuery,
  responses: { 200: historyPage },
  examples: { response: historyExample },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_EXPIRED'],
  async handle({ params, query, tenant }) {
    const { page, page_size } = query
    const [state, { rows, total }] = await tenant.transaction(tx =>
      Promise.all([
        findState(tx, tenant.workspaceId, params.id),
        findHistory(tx, tenant.workspaceId, params.id, page, page_size),
      ]),
    )
    if (!state) throw memoryFailure('MEMORY_NOT_FOUND')
    if (state.expired) throw memoryFailure('MEMORY_EXPIRED')
    const data = rows.map(({ absorbed_id, created_at, ...row }) => ({
      ...row,
      ...(absorbed_id === null ? {} : { absorbed_id }),
      created_at: created_at.toISOString(),
    }))
    return ok({ data, total, page, page_size })
  },
})
