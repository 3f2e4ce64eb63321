import { queueAgain, type Tx } from 'mneme/plugin'
import { ROUND_HOURS } from './upkeep.ts'

export const STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const
export type DeliveryStatus = (typeof STATUSES)[number]

/** A delivery as the log shows it. */
export interface Delivery {
  readonly id: string
  readonly webhookId: string
  readonly event: string
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly responseCode: number | null
  readonly responseBody: string | null
  readonly error: string | null
  readonly durationMs: number | null
  readonly nextAttemptAt: Date | null
  readonly createdAt: Date
}

function columns(tx: Tx) {
  return tx`
    delivery.id, delivery.webhook_id as "webhookId", delivery.event, delivery.status, delivery.attempts_made as attempts,
    delivery.response_code as "responseCode", delivery.response_body as "responseBody", delivery.failure as error,
    delivery.duration_ms as "durationMs", delivery.next_attempt_at as "nextAttemptAt", delivery.created_at as "createdAt"`
}

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined
  readonly event?: string | undefined
}

/**
 * A webhook may have millions of deliveries, so `total` is counted up to here only. Counting all of them takes too long for a list, and
 * all deliveries of a webhook would wait for the one row that holds a counter.
 */
export const TOTAL_MAX = 10_000

/** A filter without an index of its own is applied to this many of the newest deliveries, so that a list ends soon however few match. */
export const LOOKED_AT_MAX = 100_000

/** Pending and failed deliveries have partial indexes; the planner uses them only for the very conditions that they were created with. */
function inState(tx: Tx, status: DeliveryStatus | undefined) {
  if (status === 'FAILED') return tx`and delivery.status = 'FAILED'`
  return status === 'PENDING' ? tx`and delivery.status = 'PENDING' and delivery.due_at is not null` : tx``
}

/** Newest first. `total` is counted up to {@link TOTAL_MAX}, among the newest {@link LOOKED_AT_MAX} with some filters. */
export async function listDeliveries(
  tx: Tx,
  workspaceId: string,
  webhookId: string,
  { filter, limit, offset }: { readonly filter: DeliveryFilter; readonly limit: number; readonly offset: number },
): Promise<{ deliveries: Delivery[]; total: number }> {
  const { status, event } = filter
  const hasNoIndex = status === 'SUCCEEDED' || event !== undefined
  const passing = tx`
    (
      select delivery.*
      from webhooks.delivery
      where delivery.workspace_id = ${workspaceId} and delivery.webhook_id = ${webhookId} ${inState(tx, status)}
      order by delivery.payload_id desc
      ${hasNoIndex ? tx`limit ${LOOKED_AT_MAX}` : tx``}
    ) as delivery
    where true
      ${status === 'SUCCEEDED' ? tx`and delivery.status = ${status}` : tx``}
      ${event === undefined ? tx`` : tx`and delivery.event = ${event}`}`
  const [deliveries, [counted]] = await Promise.all([
    tx<Delivery[]>`
      select ${columns(tx)}
      from ${passing}
      order by delivery.payload_id desc
      limit ${limit} offset ${offset}`,
    tx<{ total: number }[]>`
      select count(*)::integer as total
      from (select delivery.id from ${passing} limit ${TOTAL_MAX}) as counted`,
  ])
  return { deliveries, total: counted?.total ?? 0 }
}

/** The event of a test delivery, which is attempted once and again only when a client redelivers this very delivery. */
export const TEST_EVENT = 'webhook.test'

/** An attempt is stored with this outcome. */
export interface StoredAttempt {
  readonly status: DeliveryStatus
  readonly responseCode: number | null
  readonly responseBody: string | null
  readonly error: string | null
  readonly durationMs: number
}

/** Stores a test delivery, which was attempted before and is not queued for another attempt. */
export async function insertAttempted(
  tx: Tx,
  workspaceId: string,
  delivery: {
    readonly id: string
    readonly webhookId: string
    readonly payloadId: string
    readonly event: string
    readonly body: string
    readonly attemptedAt: Date
  },
  attempt: StoredAttempt,
): Promise<Delivery> {
  await tx`
    insert into webhooks.payload (workspace_id, id, body)
    values (${workspaceId}, ${delivery.payloadId}, ${delivery.body})`
  const [row] = await tx<Delivery[]>`
    insert into webhooks.delivery (
      workspace_id, id, webhook_id, payload_id, event, status, attempts_made, round_started_at, response_code, response_body,
      failure, duration_ms, created_at, due_at
    )
    values (
      ${workspaceId}, ${delivery.id}, ${delivery.webhookId}, ${delivery.payloadId}, ${delivery.event}, ${attempt.status}, 1, ${delivery.attemptedAt},
      ${attempt.responseCode}, ${attempt.responseBody}, ${attempt.error}, ${attempt.durationMs}, ${delivery.attemptedAt}, null
    )
    returning ${columns(tx)}`
  if (!row) throw new Error('the insert of a delivery returned no row')
  return row
}

/**
 * Queues a delivery to be attempted now. One that waits goes on with its round; one that has ended, or whose round is over, begins a new
 * round; one that is being attempted at this moment is left alone.
 * @returns undefined when there is no such delivery
 */
export async function redeliver(
  tx: Tx,
  workspaceId: string,
  webhookId: string,
  id: string,
): Promise<Delivery | undefined> {
  const isRunning = tx`(delivery.lease is not null and delivery.due_at > clock.now)`
  const ended = tx`(delivery.status <> 'PENDING' or (not ${isRunning} and delivery.round_started_at < clock.round_start))`
  const [row] = await tx<Delivery[]>`
    update webhooks.delivery as delivery
    set
      ${queueAgain(tx, 'delivery', tx`not ${isRunning}`, tx`clock.now`)},
      status = 'PENDING',
      attempts_made = case when ${ended} then 0 else delivery.attempts_made end,
      round_started_at = case when ${ended} then clock.now else delivery.round_started_at end,
      next_attempt_at = case when ${isRunning} then delivery.next_attempt_at else clock.now end
    from (select now() as now, now() - make_interval(hours => ${ROUND_HOURS}) as round_start offset 0) as clock
    where delivery.workspace_id = ${workspaceId} and delivery.webhook_id = ${webhookId} and delivery.id = ${id}
    returning ${columns(tx)}`
  return row
}

/** Selects the failed deliveries to queue again. */
export interface RedeliveryWindow {
  readonly since: Date
  readonly until: Date
  /** Only deliveries of events after this one; all when undefined. */
  readonly after: string | undefined
  readonly limit: number
}

/** Queues up to `limit` failed deliveries again, the oldest first. @returns the ids of their events */
export async function redeliverFailed(
  tx: Tx,
  workspaceId: string,
  webhookId: string,
  { since, until, after, limit }: RedeliveryWindow,
): Promise<string[]> {
  const rows = await tx<{ payload_id: string }[]>`
    update webhooks.delivery as delivery
    set
      ${queueAgain(tx, 'delivery')},
      status = 'PENDING',
      attempts_made = 0,
      round_started_at = now(),
      next_attempt_at = now()
    where delivery.workspace_id = ${workspaceId}
      and delivery.id in (
        select failed.id
        from webhooks.delivery as failed
        where failed.workspace_id = ${workspaceId}
          and failed.webhook_id = ${webhookId}
          and failed.status = 'FAILED'
          and failed.event <> ${TEST_EVENT}
          ${after === undefined ? tx`` : tx`and failed.payload_id > ${after}`}
          and failed.created_at >= ${since}
          and failed.created_at <= ${until}
          -- A round that began later was begun by an earlier page of this same redelivery, and failed again.
          and failed.round_started_at <= ${until}
        order by failed.payload_id
        limit ${limit}
        for update
      )
    returning delivery.payload_id`
  return rows.map(row => row.payload_id).toSorted()
}
