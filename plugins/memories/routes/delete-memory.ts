import { noContent } from 'mneme/plugin'
import { lockChain } from '../consolidation/store.ts'
import { withdrawFields } from '../consolidation/withdraw.ts'
import { memoryRow } from '../contract/memory-row.ts'
import { memoryFailure } from '../errors.ts'
import { removeMemories } from '../removing/remove.ts'
import { DELETE, route } from '../route.ts'
import { memoryParams } from '../schemas.ts'

export const deleteMemoryRoute = route({
  method: 'DELETE',
  path: '/v1/memories/:id',
  operationId: 'deleteMemory',
  access: DELETE,
  subject: { rows: [memoryRow()] },
  beyondQuota: true,
  summary: 'Delete a memory',
  description: 'Permanently deletes text, history, index entries, and the memories it absorbed.',
  params: memoryParams,
  responses: { 204: null },
  errors: ['MEMORY_NOT_FOUND'],
  async handle({ params, scope, tenant }) {
    await tenant.transaction(async tx => {
      const chain = await lockChain(tx, tenant.workspaceId, params.id)
      const removed = await removeMemories(tx, scope, tenant.workspaceId, [params.id])
      if (removed.length === 0) throw memoryFailure('MEMORY_NOT_FOUND')
      await withdrawFields(tx, scope, tenant, chain)
    })
    return noContent
  },
})
