import { accepted } from '../../../core/http/route.ts'
import { announceUpdated } from '../announce.ts'
import { message } from '../answers.ts'
import { memoryFailure } from '../errors.ts'
import { promoteMemory } from '../queries/update.ts'
import { route, WRITE } from '../route.ts'
import { memoryParams } from '../schemas.ts'
import { lockForChange } from '../state.ts'

export const promoteMemoryRoute = route({
  method: 'POST',
  path: '/v1/memories/:id/promote',
  access: WRITE,
  summary: 'Make a TASK memory permanent',
  description: 'Removes its expiry and processes it again.',
  params: memoryParams,
  responses: { 202: message },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_NOT_PROMOTABLE', 'MEMORY_EXPIRED'],
  async handle({ params, scope, tenant }) {
    const { workspaceId } = tenant
    await tenant.transaction(async tx => {
      const state = await lockForChange(tx, workspaceId, params.id)
      if (state.layer !== 'TASK' || state.consolidatedInto) throw memoryFailure('MEMORY_NOT_PROMOTABLE')
      const memory = await promoteMemory(tx, workspaceId, params.id, new Date())
      if (!memory) throw memoryFailure('MEMORY_NOT_FOUND')
      const { id, userId } = memory
      await Promise.all([
        announceUpdated(tx, scope, memory, []),
        scope.events.publish(tx, [
          { kind: 'memory.promoted', workspaceId, subjectId: id, userId, data: { id, user_id: userId } },
        ]),
      ])
    })
    return accepted({ message: 'The memory is permanent now and is being processed.' })
  },
})
