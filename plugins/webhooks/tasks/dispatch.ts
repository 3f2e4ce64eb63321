import { Type, tasksOf } from 'mneme/plugin'
import { DISPATCH } from '../jobs.ts'
import type { WebhooksScope } from '../scope.ts'

/** Wakes the dispatcher and ends: an attempt that waits for a receiver holds no place of a job. */
export const dispatchTask = tasksOf<WebhooksScope>()({
  name: DISPATCH,
  payload: Type.Object({ workspace_id: Type.String() }),
  async run({ payload: { workspace_id: workspaceId }, scope }) {
    scope.dispatcher.wake(workspaceId)
  },
})
