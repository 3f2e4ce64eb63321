import { plainArray, type Tx } from 'mneme/plugin'
import { toWebhook, type Webhook, type WebhookRow, webhookColumns } from './webhooks.ts'

/** Active webhooks with something due, and what is due by then. */
export async function webhooksDue(tx: Tx, workspaceId: string, now: Date | undefined): Promise<Webhook[]> {
  const rows = await tx<WebhookRow[]>`
    select ${webhookColumns(tx)}
    from webhooks.webhook
    where webhook.workspace_id = ${workspaceId}
      and webhook.active
      and exists (
        select
        from webhooks.delivery
        where delivery.workspace_id = ${workspaceId}
          and delivery.webhook_id = webhook.id
          and delivery.rank = 0
          and delivery.due_at <= ${now ? tx`${now}::timestamptz` : tx`now()`}
      )`
  return rows.map(toWebhook)
}

/** The bodies of payloads, by id; those that are not kept any more are missing. */
export async function findBodies(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx<{ id: string; body: string }[]>`
    select payload.id, payload.body
    from webhooks.payload
    where payload.workspace_id = ${workspaceId} and payload.id = any(${plainArray([...new Set(ids)])}::uuid[])`
  return new Map(rows.map(({ id, body }) => [id, body]))
}

/**
 * Says that this process looks for the workspace's deliveries by itself for a while. A webhook that somebody else is changing is passed
 * over, so that two processes never wait for each other.
 */
export async function notePolling(tx: Tx, workspaceId: string, polledMs: number): Promise<void> {
  await tx`
    update webhooks.webhook
    set polled_until = now() + ${polledMs}::integer * interval '1 millisecond'
    where webhook.workspace_id = ${workspaceId}
      and webhook.id in (
        select free.id
        from webhooks.webhook as free
        where free.workspace_id = ${workspaceId} and free.active
        for update skip locked
      )`
}

/** A delivery after an attempt. */
export interface AttemptRow {
  readonly id: string
  readonly status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  readonly response_code: number | null
  readonly response_body: string | null
  readonly failure: string | null
  readonly duration_ms: number
}

/** Stores what attempts came to, of deliveries whose claims held until now. */
export async function storeAttempts(tx: Tx, workspaceId: string, attempts: readonly AttemptRow[]): Promise<void> {
  if (attempts.length === 0) return
  await tx`
    update webhooks.delivery
    set
      -- A delivery that was queued again meanwhile is attempted again, whatever this attempt came to.
      status = case when delivery.due_at is null then attempt.status else 'PENDING' end,
      attempts_made = delivery.attempts_made + 1,
      response_code = attempt.response_code,
      response_body = attempt.response_body,
      failure = attempt.failure,
      duration_ms = attempt.duration_ms,
      next_attempt_at = delivery.due_at
    from jsonb_to_recordset(${JSON.stringify(attempts)}::text::jsonb) as attempt (
      id uuid, status text, response_code integer, response_body text, failure text, duration_ms integer
    )
    where delivery.workspace_id = ${workspaceId} and delivery.id = attempt.id`
}

/** A webhook that works again after its failure was told. */
export interface Recovered {
  readonly id: string
  readonly url: string
}

/** Notes successes. @returns those whose failure had been told */
export async function noteSuccess(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  now: Date,
): Promise<Recovered[]> {
  if (ids.length === 0) return []
  const rows = await tx<(Recovered & { alerted: boolean })[]>`
    update webhooks.webhook
    set failing_since = null, alerted_at = null, last_success_at = ${now}
    from (
      select before.id, before.alerted_at is not null as alerted
      from webhooks.webhook as before
      where before.workspace_id = ${workspaceId} and before.id = any(${plainArray(ids)}::uuid[])
      order by before.id
      for update
    ) as before
    where webhook.workspace_id = ${workspaceId} and webhook.id = before.id
    returning webhook.id, webhook.url, before.alerted`
  return rows.filter(({ alerted }) => alerted).map(({ id, url }) => ({ id, url }))
}

/** A webhook that has been failing for long, of which that was not told yet. */
export interface Alerted {
  readonly id: string
  readonly url: string
  readonly failingSince: Date
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
    where webhook.workspace_id = ${workspaceId}
      and webhook.failing_since <= ${alertBefore}
      and webhook.alerted_at is null
      and webhook.active
    returning webhook.id, webhook.url, webhook.failing_since as "failingSince"`
}

/** Notes failures. @returns those that fail since before `alertBefore` and were not told of, which counts as told from now on */
export async function noteFailure(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  { now, alertBefore }: { readonly now: Date; readonly alertBefore: Date },
): Promise<Alerted[]> {
  if (ids.length === 0) return []
  const rows = await tx<{ id: string; url: string; failing_since: Date; told: boolean }[]>`
    update webhooks.webhook
    set
      failing_since = coalesce(webhook.failing_since, ${now}),
      alerted_at = case when before.due then ${now}::timestamptz else webhook.alerted_at end
    from (
      select before.id, coalesce(before.failing_since <= ${alertBefore} and before.alerted_at is null, false) as due
      from webhooks.webhook as before
      where before.workspace_id = ${workspaceId}
        and before.id = any(${plainArray(ids)}::uuid[])
        and (before.failing_since is null or (before.failing_since <= ${alertBefore} and before.alerted_at is null))
      order by before.id
      for update
    ) as before
    where webhook.workspace_id = ${workspaceId} and webhook.id = before.id
    returning webhook.id, webhook.url, webhook.failing_since, before.due as told`
  return rows.filter(({ told }) => told).map(({ id, url, failing_since: failingSince }) => ({ id, url, failingSince }))
}
