import { ok } from 'mneme/plugin'
import { restoreMemory } from '../consolidation/restore.ts'
import { memoryRow } from '../contract/memory-row.ts'
import { storedExample } from '../examples.ts'
import { storedMemory } from '../reading/responses.ts'
import { toStoredMemory } from '../reading/serializers.ts'
import { route, WRITE } from '../route.ts'
import { memoryParams } from '../schemas.ts'

export const restoreMemoryRoute = route({
  method: 'POST',
  path: '/v1/memories/:id/restore',
  operationId: 'restoreMemory',
  access: WRITE,
  subject: { rows: [memoryRow()] },
  summary: 'Restore a consolidated memory',
  description:
    'Restores a memory that was merged into another exactly as it was, processes it again and excludes it from later merges. The survivor loses what it gained from this memory alone.',
  params: memoryParams,
  responses: { 200: storedMemory },
  examples: { response: storedExample },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_NOT_CONSOLIDATED', 'MEMORY_EXPIRED', 'DUPLICATE_MEMORY'],
  handle: async ({ params, scope, tenant }) => ok(toStoredMemory(await restoreMemory(scope, tenant, params.id))),
})
