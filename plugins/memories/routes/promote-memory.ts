import { accepted } from 'mneme/plugin'
import { memoryFailure } from '../errors.ts'
import { findRecords } from '../queries/read.ts'
import { promoteMemory } from '../queries/update.ts'
import { message } from '../reading/responses.ts'
import { route, WRITE } from '../route.ts'
import { memoryParams } from '../schemas.ts'
import { announceUpdated } from '../storing/announce.ts'
import { lockForChange } from '../storing/lock.ts'
import { prepareWrites } from '../storing/preparation.ts'

export const promoteMemoryRoute = route({
  method: 'POST',
  path: '/v1/memories/:id/promote',
  access: WRITE,
  summary: 'Make a TASK memory permanent',
  description: 'Removes its expiry and processes it again.',
  params: memoryParams,
  responses: { 202: message },
  examples: { response: { message: 'The memory is permanent now and is being processed.' } },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_NOT_PROMOTABLE', 'MEMORY_EXPIRED'],
  async handle({ params, scope, tenant }) {
    const { workspaceId } = tenant
    const found = await tenant.transaction(tx => findRecords(tx, [params.id]))
    const ahead = await prepareWrites(scope, tenant, found)
    await tenant.transaction(async tx => {
      const state = await lockForChange(tx, workspaceId, params.id)
      if (state.layer !== 'TASK' || state.consolidatedInto) throw memoryFailure('MEMORY_NOT_PROMOTABLE')
      const memory = await promoteMemory(tx, workspaceId, params.id, new Date())
      if (!memory) throw memoryFailure('MEMORY_NOT_FOUND')
      const { id, userId } = memory
      // An update that came in between is rare, so its text may be analysed inside the transaction.
      const writes = found[0]?.text === memory.text ? ahead : await prepareWrites(scope, tenant, [memory])
      await Promise.all([
        announceUpdated(tx, scope, memory, [], writes),
        scope.events.publish(tx, [
          { kind: 'memory.promoted', workspaceId, subjectId: id, userId, data: { id, user_id: userId } },
        ]),
      ])
    })
    return accepted({ message: 'The memory is permanent now and is being processed.' })
  },
})
