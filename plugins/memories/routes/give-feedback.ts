import { noContent } from 'mneme/plugin'
import { memoryRow } from '../contract/memory-row.ts'
import { memoryFeedback } from '../contract.ts'
import { memoryFailure } from '../errors.ts'
import { countFeedback } from '../queries/update.ts'
import { feedbackChecks, parseFeedbackBody } from '../request/bodies.ts'
import { route, WRITE } from '../route.ts'
import { feedbackBody, memoryParams } from '../schemas.ts'
import { lockForChange } from '../storing/lock.ts'

export const giveFeedbackRoute = route({
  method: 'POST',
  path: '/v1/memories/:id/feedback',
  operationId: 'giveFeedback',
  access: WRITE,
  subject: { rows: [memoryRow()] },
  summary: 'Give feedback on a memory',
  description: 'With the `query_hash` of a search response, the ranking of that query learns from the signal.',
  params: memoryParams,
  body: feedbackBody,
  checks: feedbackChecks,
  responses: { 204: null },
  examples: { body: { signal: 'POSITIVE' } },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_EXPIRED'],
  async handle({ params, body, scope, tenant }) {
    const signal = parseFeedbackBody(body)
    const { workspaceId } = tenant
    const memoryId = params.id.toLowerCase()
    const received = { workspaceId, memoryId, signal, queryHash: body.query_hash ?? null }
    const listeners = scope.wiring.extensions(memoryFeedback)
    const prepared = await Promise.all(listeners.map(listener => listener.prepare?.(tenant, received)))
    await tenant.transaction(async tx => {
      await lockForChange(tx, workspaceId, memoryId)
      const userId = await countFeedback(tx, workspaceId, memoryId, signal, new Date())
      if (userId === undefined) throw memoryFailure('MEMORY_NOT_FOUND')
      await Promise.all([
        ...listeners.map((listener, index) => listener.received(tx, received, prepared[index])),
        scope.events.publish(tx, [
          {
            kind: 'memory.feedback',
            workspaceId,
            subjectId: memoryId,
            userId,
            data: { id: memoryId, user_id: userId, signal },
          },
        ]),
      ])
    })
    return noContent
  },
})
