import { type Claim, type LeasedWork, type LeasedWorkOptions, leasedWork, type Tx } from 'mneme/plugin'
import { ATTEMPT_MS } from './send.ts'

/** These columns come with a delivery that is claimed to be attempted. */
export interface DeliveryColumns {
  readonly webhook_id: string
  readonly payload_id: string
  readonly attempts_made: number
}

/** A delivery that is this process's for one attempt. */
export type ClaimedDelivery = Claim<DeliveryColumns>

export type DeliveryQueue = LeasedWork<DeliveryColumns>

/** Beyond the longest attempt, and the time in which its result is stored once the database is back. */
const LEASE_MS = 4 * ATTEMPT_MS

export function openQueue(options: Pick<LeasedWorkOptions, 'measure' | 'clock'> = {}): DeliveryQueue {
  return leasedWork<DeliveryColumns>({
    table: 'webhooks.delivery',
    key: 'id',
    columns: ['webhook_id', 'payload_id', 'attempts_made'],
    leaseMs: LEASE_MS,
    ...options,
  })
}

/**
 * Claims due deliveries of one webhook, the oldest first. One whose subject has an earlier one that is due or under way waits for that, so
 * that a receiver hears of a creation before it hears of a change; one that waits for its next attempt holds up nobody.
 */
export function claimFor(
  queue: DeliveryQueue,
  tx: Tx,
  {
    workspaceId,
    webhookId,
    limit,
    now,
  }: {
    readonly workspaceId: string
    readonly webhookId: string
    readonly limit: number
    readonly now: Date | undefined
  },
): Promise<ClaimedDelivery[]> {
  const instant = now ? tx`${now}::timestamptz` : tx`now()`
  return queue.claimIn(
    tx,
    workspaceId,
    limit,
    tx`
      queued.webhook_id = ${webhookId}
      and not exists (
        select
        from webhooks.delivery as earlier
        where earlier.workspace_id = ${workspaceId}
          and earlier.webhook_id = ${webhookId}
          and earlier.subject_id = queued.subject_id
          and earlier.id < queued.id
          and (earlier.due_at <= ${instant} or (earlier.due_at > ${instant} and earlier.lease is not null))
      )`,
  )
}
