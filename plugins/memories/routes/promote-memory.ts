import { accepted } from 'mneme/plugin'
import { memoryRow } from '../contract/memory-row.ts'
import { memoryFailure } from '../errors.ts'
import { findRecords } from '../queries/read.ts'
import { message } from '../reading/responses.ts'
import { route, WRITE } from '../route.ts'
import { memoryParams } from '../schemas.ts'
import { lockForChange } from '../storing/lock.ts'
import { prepareWrites } from '../storing/preparation.ts'
import { promoteLocked } from '../storing/promote.ts'

export const promoteMemoryRoute = route({
  method: 'POST',
  path: '/v1/memories/:id/promote',
  operationId: 'promoteMemory',
  access: WRITE,
  subject: { rows: [memoryRow()] },
  summary: 'Make a TASK memory permanent',
  description: 'Removes its expiry and processes it again.',
  params: memoryParams,
  responses: { 202: message },
  examples: { response: { message: 'The memory is permanent now and is being processed.' } },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_NOT_PROMOTABLE', 'MEMORY_EXPIRED'],
  async handle({ params, scope, tenant }) {
    const { workspaceId } = tenant
    const found = await tenant.transaction(tx => findRecords(tx, [params.id]))
    const writes = await prepareWrites(scope, tenant, found)
    await tenant.transaction(async tx => {
      const state = await lockForChange(tx, workspaceId, params.id)
      if (state.layer !== 'TASK' || state.consolidatedInto) throw memoryFailure('MEMORY_NOT_PROMOTABLE')
      const ahead = { text: found[0]?.text, writes }
      if (!(await promoteLocked(tx, scope, tenant, params.id, ahead))) throw memoryFailure('MEMORY_NOT_FOUND')
    })
    return accepted({ message: 'The memory is permanent now and is being processed.' })
  },
})
