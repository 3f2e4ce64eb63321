import { Type } from '@sinclair/typebox'
import { hasFeature, type Tx, tasksOf } from 'mneme/plugin'
import { graphFacts } from '../../graph/contract.ts'
import { compileUser } from '../compilation/compile-user.ts'
import { COMPILE_TASK } from '../compilation/schedule.ts'
import { forgetChanges, markFailed } from '../queries/changes.ts'
import { FEATURE, type KnowledgeScope } from '../scope.ts'

/** Compiles what changed of one user. */
export const compileTask = tasksOf<KnowledgeScope>()({
  name: COMPILE_TASK,
  // Where the plan lost the feature, what waits is handed back.
  gated: false,
  payload: Type.Object({ workspace_id: Type.String(), user_id: Type.String() }),
  async run({ payload, scope, signal }) {
    const { workspace_id: workspaceId, user_id: userId } = payload
    const workspace = await scope.tenants.find(workspaceId)
    if (!workspace) return
    if (hasFeature(workspace, FEATURE)) await compileUser(scope, workspaceId, userId, signal)
    else await scope.database.workspace(workspaceId, tx => leaveToGraph(tx, scope, workspaceId, userId))
  },
  exhausted: ({ payload: { workspace_id: workspaceId, user_id: userId }, scope }) =>
    scope.database.workspace(workspaceId, tx => markFailed(tx, workspaceId, userId)),
})

/** Not in the plan any more: what waits must not be queued for ever, and not be lost should the plan have it again. */
async function leaveToGraph(tx: Tx, { wiring }: KnowledgeScope, workspaceId: string, userId: string): Promise<void> {
  await forgetChanges(tx, workspaceId, userId)
  await wiring.use(graphFacts).noteChanged(tx, workspaceId, userId)
}
