import { type Claim, type Fragment, type LeasedWork, type LeasedWorkOptions, leasedWork, type Tx } from 'mneme/plugin'
import { nextOfSubjects, type OfWebhook } from '../queries/next-deliveries.ts'
import { isRoundOpen } from '../queries/upkeep.ts'
import { ATTEMPT_MS } from './send.ts'

/** These columns come with a delivery that is claimed to be attempted. */
export interface DeliveryColumns {
  readonly webhook_id: string
  readonly payload_id: string
  readonly event: string
  readonly attempts_made: number
}

/** A delivery that is this process's for one attempt. */
export type ClaimedDelivery = Claim<DeliveryColumns>

export type DeliveryQueue = LeasedWork<DeliveryColumns>

/** Beyond the longest attempt, and the time in which its result is stored once the database is back. */
const LEASE_MS = 6 * ATTEMPT_MS

export function openQueue(options: Pick<LeasedWorkOptions, 'measure' | 'clock'> = {}): DeliveryQueue {
  return leasedWork<DeliveryColumns>({
    table: 'webhooks.delivery',
    key: 'id',
    columns: ['webhook_id', 'payload_id', 'event', 'attempts_made'],
    leaseMs: LEASE_MS,
    ...options,
  })
}

/** Stands for the subject of a delivery that is about many: it waits for all earlier ones of its webhook. */
export const MANY_SUBJECTS = '*'

interface Wanted extends OfWebhook {
  /** Replaces the database's own clock in tests. */
  readonly now: Date | undefined
}

/**
 * Claims due deliveries of one webhook, the oldest first. One whose subject has an earlier one that is due or under way waits for that, so
 * that a receiver hears of a creation before it hears of a change; one that waits for its next attempt, or has none left, holds up nobody.
 * Earlier is what the database stamped before, since the ids come from the clocks of servers.
 */
export function claimFor(queue: DeliveryQueue, tx: Tx, wanted: Wanted): Promise<ClaimedDelivery[]> {
  const instant = wanted.now ? tx`${wanted.now}::timestamptz` : tx`now()`
  return queue.claimIn(
    tx,
    wanted.workspaceId,
    wanted.limit,
    tx`
      queued.webhook_id = ${wanted.webhookId}
      and queued.id = any (${nextOfSubjects(tx, wanted, instant)})
      and not (queued.subject_id is not distinct from ${MANY_SUBJECTS} and ${heldByAny(tx, wanted, instant)})`,
  )
}

/**
 * Any earlier delivery of the webhook is due no later, or is under way. Deliveries are due since their transactions began, and that of a
 * deletion may have begun before that of a change that it waited for.
 */
function heldByAny(tx: Tx, { workspaceId, webhookId, resumedAt }: Wanted, instant: Fragment) {
  const earlier = tx`
    from webhooks.delivery as earlier
    where earlier.workspace_id = ${workspaceId}
      and earlier.webhook_id = ${webhookId}
      and (earlier.created_at, earlier.id) < (queued.created_at, queued.id)`
  const isDue = tx`
    earlier.rank = 0 and earlier.due_at <= greatest(queued.due_at, queued.created_at) and ${isRoundOpen(tx, 'earlier', instant, resumedAt)}`
  return tx`(
    exists (select ${earlier} and ${isDue})
    or exists (select ${earlier} and earlier.due_at > ${instant} and earlier.lease is not null)
  )`
}
