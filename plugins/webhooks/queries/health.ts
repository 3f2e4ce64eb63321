import type { Tx } from 'mneme/plugin'

/** A webhook that works again after its failure was told. */
export interface Recovered {
  readonly id: string
  readonly url: string
}

/** A webhook that has been failing for long, of which that was not told yet. */
export interface Alerted {
  readonly id: string
  readonly url: string
  readonly failingSince: Date
}

/** A webhook with the URL that was attempted, which stands for nothing once the webhook has another one. */
export interface ReceiverOutcome {
  readonly id: string
  readonly url: string
  readonly works: boolean
}

export interface Outcomes {
  /** One of each webhook and URL. */
  readonly outcomes: readonly ReceiverOutcome[]
  readonly now: Date
  /** A success is noted where the last one was before that. */
  readonly notedBefore: Date
  /** A failure is told where it began before that. */
  readonly alertBefore: Date
}

/**
 * Notes successes and failures, in one statement and in the order of ids, so that two processes with the same webhooks do not wait for
 * each other in a circle. It judges by the rows as they are, since another attempt may have changed them while this one ran.
 * @returns those that work after their failure had been told, and those whose failure counts as told from now on
 */
export async function noteOutcomes(
  tx: Tx,
  workspaceId: string,
  { outcomes, now, notedBefore, alertBefore }: Outcomes,
): Promise<{ recovered: Recovered[]; overdue: Alerted[] }> {
  if (outcomes.length === 0) return { recovered: [], overdue: [] }
  const isOverdue = tx`before.failing_since <= ${alertBefore} and before.alerted_at is null`
  const rows = await tx<
    { id: string; url: string; failing_since: Date | null; recovered: boolean; overdue: boolean }[]
  >`
    update webhooks.webhook
    set
      failing_since = case when before.works then null else coalesce(webhook.failing_since, ${now}) end,
      alerted_at = case when before.works then null when before.overdue then ${now}::timestamptz else webhook.alerted_at end,
      last_success_at = case when before.works then ${now}::timestamptz else webhook.last_success_at end
    from (
      select
        before.id, attempted.works,
        attempted.works and before.alerted_at is not null as recovered,
        coalesce(not attempted.works and ${isOverdue}, false) as overdue
      from webhooks.webhook as before
      join jsonb_to_recordset(${JSON.stringify(outcomes)}::text::jsonb) as attempted (id uuid, url text, works boolean)
        on attempted.id = before.id and attempted.url = before.url
      where before.workspace_id = ${workspaceId}
        and case
          when attempted.works
            then before.failing_since is not null
              or before.alerted_at is not null
              or before.last_success_at is null
              or before.last_success_at <= ${notedBefore}
          else before.failing_since is null or (${isOverdue})
        end
      order by before.id
      for update of before
    ) as before
    where webhook.workspace_id = ${workspaceId} and webhook.id = before.id
    returning webhook.id, webhook.url, webhook.failing_since, before.recovered, before.overdue`
  return {
    recovered: rows.filter(({ recovered }) => recovered).map(({ id, url }) => ({ id, url })),
    overdue: rows.flatMap(({ id, url, failing_since: failingSince, overdue }) =>
      overdue && failingSince ? [{ id, url, failingSince }] : [],
    ),
  }
}

/** Finds workspaces with a webhook that fails since before an instant and was not told of. */
export async function workspacesUntold(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const rows = await tx<{ workspace_id: string }[]>`
    -- across workspaces: a cron tells of those of all of them
    select distinct webhook.workspace_id
    from webhooks.webhook
    where webhook.failing_since <= ${before} and webhook.alerted_at is null and webhook.active
    limit ${limit}`
  return rows.map(row => row.workspace_id)
}

/** Takes webhooks that fail since before an instant and were not told of, which counts as told from now on. */
export async function takeUntold(tx: Tx, workspaceId: string, alertBefore: Date, now: Date): Promise<Alerted[]> {
  return tx<Alerted[]>`
    update webhooks.webhook
    set alerted_at = ${now}
    from (
      select untold.id
      from webhooks.webhook as untold
      where untold.workspace_id = ${workspaceId}
        and untold.failing_since <= ${alertBefore}
        and untold.alerted_at is null
        and untold.active
      order by untold.id
      for update
    ) as untold
    where webhook.workspace_id = ${workspaceId} and webhook.id = untold.id
    returning webhook.id, webhook.url, webhook.failing_since as "failingSince"`
}
