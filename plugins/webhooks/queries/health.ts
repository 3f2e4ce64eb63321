import type { Tx } from 'mneme/plugin'

/** A webhook that works again after an alert said that it fails. */
export interface Recovered {
  readonly id: string
  readonly url: string
}

/** A webhook that has been failing for long, and for which an alert is to be sent. */
export interface Alerted {
  readonly id: string
  readonly url: string
  readonly failingSince: Date
}

/** The outcome of attempts at a URL; it is ignored if the webhook has another URL by now. */
export interface ReceiverOutcome {
  readonly id: string
  readonly url: string
  readonly works: boolean
  /** The attempts that failed, where none succeeded. */
  readonly failed: number
  /** One of them was the last of its delivery. */
  readonly gaveUp: boolean
}

export interface Outcomes {
  /** Each pair of webhook and URL occurs once. */
  readonly outcomes: readonly ReceiverOutcome[]
  readonly now: Date
  /** A success is stored only if the last stored one is older than this, which saves writes. */
  readonly notedBefore: Date
  /** An alert is due for a webhook that has been failing since before this. */
  readonly alertBefore: Date
  /** One is due as well for a webhook with so many failed attempts in a row; no more are counted. */
  readonly failuresMax: number
}

/**
 * Stores successes and failures. One statement locks the webhooks in the order of their ids, so that two processes with the same webhooks
 * cannot deadlock, and decides by the rows as they are now, because another attempt may have changed them meanwhile.
 * @returns webhooks that work again after an alert, and failing ones that are marked as alerted now, whose alerts the caller sends
 */
export async function noteOutcomes(
  tx: Tx,
  workspaceId: string,
  { outcomes, now, notedBefore, alertBefore, failuresMax }: Outcomes,
): Promise<{ recovered: Recovered[]; overdue: Alerted[] }> {
  if (outcomes.length === 0) return { recovered: [], overdue: [] }
  const isOverdue = tx`
    before.alerted_at is null
    and (before.failing_since <= ${alertBefore} or before.failures + attempted.failed >= ${failuresMax}::integer)`
  const rows = await tx<
    { id: string; url: string; failing_since: Date | null; recovered: boolean; overdue: boolean }[]
  >`
    update webhooks.webhook
    set
      failing_since = case when before.works then null else coalesce(webhook.failing_since, ${now}) end,
      alerted_at = case when before.works then null when before.overdue then ${now}::timestamptz else webhook.alerted_at end,
      failures = case when before.works then 0 else least(webhook.failures + before.failed, ${failuresMax}::integer) end,
      gave_up_at = case when before.works then null when before.gave_up then ${now}::timestamptz else webhook.gave_up_at end,
      last_success_at = case when before.works then ${now}::timestamptz else webhook.last_success_at end
    from (
      select
        before.id, attempted.works, attempted.failed, attempted."gaveUp" as gave_up,
        attempted.works and before.alerted_at is not null as recovered,
        coalesce(not attempted.works and ${isOverdue}, false) as overdue
      from webhooks.webhook as before
      join jsonb_to_recordset(${JSON.stringify(outcomes)}::text::jsonb) as attempted (
        id uuid, url text, works boolean, failed integer, "gaveUp" boolean
      )
        on attempted.id = before.id and attempted.url = before.url
      where before.workspace_id = ${workspaceId}
        and case
          when attempted.works
            then before.failing_since is not null
              or before.alerted_at is not null
              or before.last_success_at is null
              or before.last_success_at <= ${notedBefore}
          else before.failing_since is null or attempted."gaveUp" or before.failures < ${failuresMax}::integer or (${isOverdue})
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

/** Finds workspaces with an active webhook that has been failing since before an instant, and for which no alert was sent. */
export async function workspacesUntold(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const rows = await tx<{ workspace_id: string }[]>`
    -- across workspaces: one cron sends the alerts of all
    select distinct webhook.workspace_id
    from webhooks.webhook
    where webhook.failing_since <= ${before} and webhook.alerted_at is null and webhook.active
    limit ${limit}`
  return rows.map(row => row.workspace_id)
}

/** Marks webhooks that have been failing since before an instant as alerted, and returns those that were not yet. */
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
