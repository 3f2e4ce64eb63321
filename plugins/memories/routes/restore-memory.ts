import { ok } from 'mneme/plugin'
import { restoreMemory } from '../consolidation/restore.ts'
import { storedExample } from '../examples.ts'
import { storedMemory } from '../responses.ts'
import { route, WRITE } from '../route.ts'
import { memoryParams } from '../schemas.ts'
import { toStoredMemory } from '../serializers.ts'

export const restoreMemoryRoute = route({
  method: 'POST',
  path: '/v1/memories/:id/restore',
  access: WRITE,
  summary: 'Restore a consolidated memory',
  description:
    'Brings a memory that was merged into another back exactly as it was, has it processed again and keeps it apart from then on. What the survivor gained from it alone goes back.',
  params: memoryParams,
  responses: { 200: storedMemory },
  examples: { response: storedExample },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_NOT_CONSOLIDATED', 'MEMORY_EXPIRED', 'DUPLICATE_MEMORY'],
  handle: async ({ params, scope, tenant }) => ok(toStoredMemory(await restoreMemory(scope, tenant, params.id))),
})
