import { type Claim, type LeasedWork, type LeasedWorkOptions, leasedWork, type Tx } from 'mneme/plugin'
import { ROUND_HOURS } from '../queries/upkeep.ts'
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
export const LEASE_MS = 4 * ATTEMPT_MS

export function openQueue(options: Pick<LeasedWorkOptions, 'measure' | 'clock'> = {}): DeliveryQueue {
  return leasedWork<DeliveryColumns>({
    table: 'webhooks.delivery',
    key: 'id',
    columns: ['webhook_id', 'payload_id', 'attempts_made'],
    leaseMs: LEASE_MS,
    ...options,
  })
}

/** Stands for the subject of a delivery that is about many: it waits for all earlier ones of its webhook. */
export const MANY_SUBJECTS = '*'

/**
 * Claims due deliveries of one webhook, the oldest first. One whose subject has an earlier one that is due or under way waits for that, so
 * that a receiver hears of a creation before it hears of a change; one that waits for its next attempt holds up nobody. Earlier is what
 * the database stamped before, since the ids come from the clocks of servers. A round that had its 24 hours has no further attempt.
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
  const isEarlier = tx`
    earlier.webhook_id = ${webhookId}
    and (earlier.created_at, earlier.id) < (queued.created_at, queued.id)`
  const isUnderWay = tx`earlier.due_at > ${instant} and earlier.lease is not null`
  return queue.claimIn(
    tx,
    workspaceId,
    limit,
    tx`
      queued.webhook_id = ${webhookId}
      and (queued.attempts_made = 0 or queued.round_started_at >= ${instant} - make_interval(hours => ${ROUND_HOURS}))
      and not exists (
        select
        from webhooks.delivery as earlier
        where earlier.workspace_id = ${workspaceId}
          and ${isEarlier}
          and earlier.subject_id = queued.subject_id
          and (earlier.due_at <= ${instant} or (${isUnderWay}))
      )
      and not (
        queued.subject_id is not distinct from ${MANY_SUBJECTS}
        and (
          exists (
            select
            from webhooks.delivery as earlier
            where earlier.workspace_id = ${workspaceId}
              and ${isEarlier}
              and earlier.rank = 0
              and earlier.due_at <= queued.due_at
          )
          or exists (
            select
            from webhooks.delivery as earlier
            where earlier.workspace_id = ${workspaceId} and ${isEarlier} and ${isUnderWay}
          )
        )
      )`,
  )
}
