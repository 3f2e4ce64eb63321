import type { Tx } from 'mneme/plugin'
import type { GraphFacts } from '../contract.ts'

/**
 * Notes that a user's facts changed, beside the event that tells of it: whoever compiles them may be switched off. In the
 * milliseconds that an event's time has.
 */
export async function noteChanged(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx`
    insert into graph.changed_user (workspace_id, user_id, changed_at)
    values (${workspaceId}, ${userId}, date_trunc('milliseconds', now()))
    on conflict on constraint changed_user_pk do update
    set changed_at = greatest(changed_user.changed_at, excluded.changed_at)`
}

/** Access to these notes for other plugins. */
export const changedUsers: Pick<GraphFacts, 'noteChanged' | 'acknowledge' | 'pendingUsers'> = {
  noteChanged,

  async acknowledge(tx, workspaceId, userId, until) {
    await tx`
      delete from graph.changed_user
      where changed_user.workspace_id = ${workspaceId}
        and changed_user.user_id = ${userId}
        and changed_user.changed_at <= ${until}`
  },

  async pendingUsers(tx, { before, from, limit }) {
    const rows = await tx<{ workspace_id: string; user_id: string; changed_at: Date }[]>`
      -- across workspaces: a listener that was switched off catches up for all
      select changed_user.workspace_id, changed_user.user_id, changed_user.changed_at
      from graph.changed_user
      where changed_user.workspace_id >= ${from}
        and changed_user.changed_at < ${before}
      order by changed_user.workspace_id, changed_user.user_id
      limit ${limit}`
    return rows.map(row => ({ workspaceId: row.workspace_id, userId: row.user_id, changedAt: row.changed_at }))
  },
}
