import type { TenantDirectory } from '../auth/directory.ts'
import { hasFeature } from '../auth/features.ts'
import type { Logger } from '../log.ts'
import type { Task } from './task.ts'

type Parts = { readonly directory: Pick<TenantDirectory, 'find'>; readonly log: Logger }

/** Wraps a task so that it skips jobs of workspaces whose plan lacks the feature: the plan has changed since they were queued. */
export function featureGate(task: Task, feature: string | undefined, { directory, log }: Parts): Task {
  if (feature === undefined || task.gated === false) return task
  return {
    ...task,
    async run(input) {
      const workspaceId = workspaceIn(input.payload)
      const workspace = workspaceId === undefined ? undefined : await directory.find(workspaceId)
      if (!workspace || hasFeature(workspace, feature)) return task.run(input)
      log.info({ task: task.name, workspace: workspaceId, feature }, 'job left out: the plan lacks the feature')
    },
  }
}

function workspaceIn(payload: unknown): string | undefined {
  const id: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'workspace_id') : undefined
  return typeof id === 'string' ? id : undefined
}
