import { Type } from '@sinclair/typebox'
import { type NewJob, tasksOf } from 'mneme/plugin'
import { BATCH_MAX } from '../processing/pass-size.ts'
import { processingJobs } from '../processing/queueing.ts'
import { requeueFailed } from '../queries/failed.ts'
import type { MemoriesScope } from '../scope.ts'

const NAME = 'memories:reprocess'
/** One transaction queues so many memories; the next of the workspace has a job of its own, behind what others wait for. */
const PIECE = 200

interface ReprocessPayload {
  readonly workspace_id: string
  readonly user_id?: string | undefined
  /** The memories up to this id were queued. */
  readonly after?: string | undefined
}

/** Builds the job that has the failed memories of a workspace, or of one user in it, processed again. */
export function reprocessJob(payload: ReprocessPayload): NewJob {
  return { ...jobOf(payload), key: `${NAME}:${payload.workspace_id}:${payload.user_id ?? ''}` }
}

/** Has no key: it must not take the place of a job that somebody asked for meanwhile, which begins with the first memory. */
function jobOf({ workspace_id, user_id, after }: ReprocessPayload): NewJob {
  const rest = { ...(user_id === undefined ? {} : { user_id }), ...(after === undefined ? {} : { after }) }
  return { task: NAME, payload: { workspace_id, ...rest } }
}

/** Queues failed memories piece by piece, in ascending order of id, so that what fails again meanwhile is not queued a second time. */
export const reprocessTask = tasksOf<MemoriesScope>()({
  name: NAME,
  payload: Type.Object({
    workspace_id: Type.String({ minLength: 36, maxLength: 36 }),
    user_id: Type.Optional(Type.String()),
    after: Type.Optional(Type.String({ minLength: 36, maxLength: 36 })),
  }),
  async run({ payload, scope: { tenants, jobs } }) {
    const { workspace_id, user_id: userId, after } = payload
    const { workspaceId, transaction } = await tenants.tenant(workspace_id)
    await transaction(async tx => {
      const memories = await requeueFailed(tx, workspaceId, { userId, after }, PIECE, new Date())
      const last = memories.at(-1)
      if (!last) return
      // Behind what is written meanwhile.
      await jobs.enqueue(tx, processingJobs(memories, BATCH_MAX))
      await jobs.enqueue(tx, [jobOf({ ...payload, after: last.id })])
    })
  },
})
