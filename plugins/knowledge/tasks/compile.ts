import { Type } from '@sinclair/typebox'
import { tasksOf } from '../../../core/jobs/task.ts'
import { compileUser } from '../compilation/compile-user.ts'
import { COMPILE_TASK } from '../compilation/schedule.ts'
import { FEATURE, type KnowledgeScope } from '../scope.ts'

/** Compiles what changed of one user. */
export const compileTask = tasksOf<KnowledgeScope>()({
  name: COMPILE_TASK,
  payload: Type.Object({ workspace_id: Type.String(), user_id: Type.String() }),
  async run({ payload, scope, signal }) {
    // Gone with its workspace, or switched off for it.
    const workspace = await scope.tenants.find(payload.workspace_id)
    if (!workspace?.features.has(FEATURE)) return
    await compileUser(scope, payload.workspace_id, payload.user_id, signal)
  },
})
