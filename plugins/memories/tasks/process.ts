import { Type } from '@sinclair/typebox'
import { snoozeFor, tasksOf } from 'mneme/plugin'
import { outageWaitMs } from '../processing/outage.ts'
import { markFailed } from '../queries/processing.ts'
import type { MemoriesScope } from '../scope.ts'

const task = tasksOf<MemoriesScope>()

const ERROR_MAX = 500
/** During an outage a memory waits for so long without using up attempts. */
const OUTAGE_MS_MAX = 24 * 3_600_000

/** Takes one memory from PENDING to COMPLETED; jobs that start together are done in one pass. */
export const processTask = task({
  name: 'memories:process',
  payload: Type.Object({
    workspace_id: uuidText(),
    memory_id: uuidText(),
    revision: Type.Integer(),
    characters: Type.Optional(Type.Integer()),
  }),
  maxAttempts: 5,
  async run({ payload, scope, waitingSince, signal }) {
    try {
      await scope.process(payload)
    } catch (error) {
      const waitMs = outageWaitMs(error)
      const isLong = waitingSince !== undefined && Date.now() - waitingSince.getTime() > OUTAGE_MS_MAX
      if (waitMs === undefined || signal.aborted || isLong) throw error
      scope.log.warn({ err: error, memory: payload.memory_id, waitMs }, 'a memory waits for what it needs to be back')
      return snoozeFor(waitMs)
    }
  },
  async exhausted({ payload, scope, maxAttempts }, error) {
    const { workspace_id: workspaceId, memory_id: id, revision } = payload
    if (!(await scope.tenants.find(workspaceId))) return
    const tenant = await scope.tenants.tenant(workspaceId)
    await tenant.transaction(async tx => {
      const userId = await markFailed(tx, workspaceId, payload, reasonOf(error, maxAttempts))
      if (userId === undefined) return
      const data = { id, user_id: userId, revision }
      await scope.events.publish(tx, [{ kind: 'memory.failed', workspaceId, subjectId: id, userId, data }])
    })
  },
})

/** Words the reason for get-one. Database errors are replaced by a fixed sentence, because they can quote statements and rows. */
function reasonOf(error: Error, attempts: number): string {
  const fromDatabase = error.name === 'PostgresError'
  const reason = fromDatabase ? 'the result could not be stored' : error.message
  return `Processing failed after ${attempts} attempts: ${reason}`
    .replaceAll('\u0000', '')
    .toWellFormed()
    .slice(0, ERROR_MAX)
}

function uuidText() {
  return Type.String({ minLength: 36, maxLength: 36 })
}
