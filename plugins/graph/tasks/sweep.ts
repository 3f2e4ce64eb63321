import { Type } from '@sinclair/typebox'
import { hasFeature, tasksOf } from 'mneme/plugin'
import type { GraphScope } from '../scope.ts'
import { foldMarkedNames } from './fold-marked-names.ts'
import { extractJob, FEATURE } from './queue-step.ts'

const task = tasksOf<GraphScope>()

/** Workspaces with something due that one run serves; the next goes on behind them. */
const WORKSPACES_MAX = 500

/**
 * Adds the jobs of workspaces where something is due that no job was added for: what waits for a model, what failed, and what was
 * stored before the plan had the feature. Folds the names that a migration marked.
 */
export const sweepTask = task({
  name: 'graph:sweep',
  payload: Type.Object({}),
  async run({ scope, signal }) {
    const due = await scope.database.system(tx => scope.readings.dueWorkspaces(tx, WORKSPACES_MAX))
    await scope.quarantine.sweep({
      name: 'graph:sweep',
      items: due,
      workspaceOf: workspaceId => workspaceId,
      signal,
      async work(workspaceId) {
        const workspace = await scope.tenants.find(workspaceId)
        if (!workspace || !hasFeature(workspace, FEATURE)) return
        await scope.database.workspace(workspaceId, tx => scope.jobs.enqueue(tx, [extractJob(workspaceId)]))
      },
    })
    await foldMarkedNames(scope, signal)
  },
})
