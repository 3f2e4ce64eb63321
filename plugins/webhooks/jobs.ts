import type { NewJob } from 'mneme/plugin'

export const DISPATCH = 'webhooks:dispatch'

/** Has due deliveries of a workspace attempted, by whichever process runs it. Without a key: writers of a workspace wait for no one. */
export function dispatchJob(workspaceId: string): NewJob {
  return { task: DISPATCH, payload: { workspace_id: workspaceId } }
}

/** The same at an instant, once for all deliveries of the workspace that fall due within the same second. */
export function dispatchJobAt(workspaceId: string, dueAt: Date): NewJob {
  const second = Math.ceil(dueAt.getTime() / 1000)
  return { ...dispatchJob(workspaceId), key: `${DISPATCH}:${workspaceId}:${second}`, runAt: new Date(second * 1000) }
}

export const CLEAR = 'webhooks:clear'

export function clearJob(workspaceId: string, webhookId: string): NewJob {
  return { task: CLEAR, payload: { workspace_id: workspaceId, webhook_id: webhookId }, key: `${CLEAR}:${webhookId}` }
}

export const REDELIVER = 'webhooks:redeliver'

export interface Redelivery {
  readonly workspaceId: string
  readonly webhookId: string
  readonly since: Date
  readonly until: Date
  /** Those of later events than this one are left. */
  readonly after?: string
}

export function redeliverJob({ workspaceId, webhookId, since, until, after }: Redelivery): NewJob {
  return {
    task: REDELIVER,
    payload: {
      workspace_id: workspaceId,
      webhook_id: webhookId,
      since: since.toISOString(),
      until: until.toISOString(),
      ...(after === undefined ? {} : { after }),
    },
  }
}
