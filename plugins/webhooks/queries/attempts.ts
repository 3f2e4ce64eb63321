import { plainArray, type Tx } from 'mneme/plugin'
import { type Webhook, webhookColumns } from './webhooks.ts'

/** Finds active webhooks that have a delivery due at `now`, or at the database's own time without it. */
export async function webhooksDue(tx: Tx, workspaceId: string, now: Date | undefined): Promise<Webhook[]> {
  return tx<Webhook[]>`
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
}

/** Maps the ids of payloads to their bodies, and leaves out those that are not kept any more. */
export async function findBodies(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx<{ id: string; body: string }[]>`
    select payload.id, payload.body
    from webhooks.payload
    where payload.workspace_id = ${workspaceId} and payload.id = any(${plainArray([...new Set(ids)])}::uuid[])`
  return new Map(rows.map(({ id, body }) => [id, body]))
}

/**
 * Locks payloads until the transaction ends. A deletion of their memories waits for that, and then also removes what the transaction
 * stored, as responses that repeat a text.
 * @returns the ids of payloads whose texts have not been deleted
 */
export async function holdTexts(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx<{ id: string }[]>`
    select payload.id
    from webhooks.payload
    where payload.workspace_id = ${workspaceId}
      and payload.id = any(${plainArray([...new Set(ids)])}::uuid[])
      and payload.memory_ids is not null
    order by payload.id
    for share`
  return new Set(rows.map(({ id }) => id))
}

/**
 * Notes for how long this process polls for deliveries of the workspace, during which new ones need no job. A webhook that another
 * transaction has locked is skipped, so that two processes never wait for each other.
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

/** Reads the database's time, because the times at which deliveries are due come from its clock. */
export async function nowOf(tx: Tx): Promise<Date> {
  const [row] = await tx<{ now: Date }[]>`select now() as now`
  return row?.now ?? new Date()
}

/** A delivery after an attempt. */
export interface AttemptRow {
  readonly id: string
  /** The attempts to add: 0 for a delivery that ended without one. */
  readonly attempts: number
  readonly status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  readonly response_code: number | null
  readonly response_body: string | null
  readonly failure: string | null
  readonly duration_ms: number | null
}

/** Stores the outcomes of attempts. The caller passes only deliveries whose claims it still holds. */
export async function storeAttempts(tx: Tx, workspaceId: string, attempts: readonly AttemptRow[]): Promise<void> {
  if (attempts.length === 0) return
  await tx`
    update webhooks.delivery
    set
      -- A delivery that was queued again during the attempt is due again, so it stays PENDING whatever the outcome.
      status = case when delivery.due_at is null then attempt.status else 'PENDING' end,
      attempts_made = delivery.attempts_made + attempt.attempts,
      response_code = attempt.response_code,
      response_body = attempt.response_body,
      failure = attempt.failure,
      duration_ms = attempt.duration_ms,
      next_attempt_at = delivery.due_at
    from jsonb_to_recordset(${JSON.stringify(attempts)}::text::jsonb) as attempt (
      id uuid, status text, attempts integer, response_code integer, response_body text, failure text, duration_ms integer
    )
    where delivery.workspace_id = ${workspaceId} and delivery.id = attempt.id`
}

/**
 * Notes deliveries that were claimed but not sent, because no outgoing request was free. Their round counts as tried, so that it ends after
 * its 24 hours even without an attempt.
 */
export async function noteBusy(tx: Tx, workspaceId: string, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx`
    update webhooks.delivery
    set busy_at = ${now}
    where delivery.workspace_id = ${workspaceId}
      and delivery.id = any(${plainArray(ids)}::uuid[])
      and delivery.attempts_made = 0`
}
