import type { Tx } from '../db/database.ts'

/** An amount that a workspace used. */
export interface Use {
  readonly metric: string
  /** Empty for what is not counted by operation. */
  readonly operation?: string
  readonly input: number
  readonly output?: number
}

/** Adds to the workspace's usage of this hour in the caller's transaction, so that it counts once if that commits, and else not. */
export async function recordUse(
  tx: Tx,
  workspaceId: string,
  { metric, operation = '', input, output = 0 }: Use,
): Promise<void> {
  await tx`
    insert into core.usage as usage (workspace_id, hour, metric, operation, input, output)
    values (${workspaceId}, date_trunc('hour', now(), 'UTC'), ${metric}, ${operation}, ${input}, ${output})
    on conflict (workspace_id, hour, metric, operation) do update
    set input = usage.input + excluded.input, output = usage.output + excluded.output`
}
