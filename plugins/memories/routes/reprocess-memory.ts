import { accepted } from 'mneme/plugin'
import { memoryRow } from '../contract/memory-row.ts'
import { memoryFailure } from '../errors.ts'
import { processingJob } from '../processing/queueing.ts'
import { requeueMemory } from '../queries/update.ts'
import { message } from '../reading/responses.ts'
import { route, WRITE } from '../route.ts'
import { memoryParams } from '../schemas.ts'
import { lockForContentChange } from '../storing/lock.ts'

export const reprocessMemoryRoute = route({
  method: 'POST',
  path: '/v1/memories/:id/reprocess',
  operationId: 'reprocessMemory',
  access: WRITE,
  subject: { rows: [memoryRow()] },
  summary: 'Process a memory again',
  description: 'Queues it without changing it, for example after its processing failed.',
  params: memoryParams,
  responses: { 202: message },
  examples: { response: { message: 'The memory is queued for processing.' } },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_EXPIRED', 'MEMORY_CONSOLIDATED'],
  async handle({ params, scope, tenant }) {
    const { workspaceId } = tenant
    await tenant.transaction(async tx => {
      await lockForContentChange(tx, workspaceId, params.id)
      const memory = await requeueMemory(tx, workspaceId, params.id, new Date())
      if (!memory) throw memoryFailure('MEMORY_NOT_FOUND')
      await scope.jobs.enqueue(tx, [processingJob(memory)])
    })
    return accepted({ message: 'The memory is queued for processing.' })
  },
})
