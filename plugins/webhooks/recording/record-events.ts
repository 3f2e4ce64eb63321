import { type EventRecorder, insertRows, PUBLIC_EVENTS, type PublishedEvent, plainArray, type Tx } from 'mneme/plugin'
import { v7 } from 'uuid'
import { Polling } from '../delivering/polling.ts'
import { MANY_SUBJECTS } from '../delivering/queue.ts'
import { dispatchJob } from '../jobs.ts'
import type { WebhooksScope } from '../scope.ts'
import { type Payload, payloadsOf } from './payload.ts'

/** Stands for every public kind among the events of a webhook. */
export const ALL_EVENTS = '*'

/**
 * Stores a delivery for each event and each webhook that wants it, in the transaction that publishes the event: both exist, or neither
 * does, and a workspace without webhooks pays for one look at an index.
 */
export const recordDeliveries: EventRecorder<WebhooksScope> = {
  event: PUBLIC_EVENTS,
  name: 'deliveries',
  async record(tx, events, { wiring, jobs }) {
    const [first] = events
    if (!first) return
    const { workspaceId } = first
    const receivers = await activeReceivers(tx, workspaceId)
    const wanted = receivers.length === 0 ? [] : deliveriesOf(events.filter(isTold), receivers)
    if (wanted.length === 0) return
    const told = new Set(wanted.map(({ event }) => event))
    const payloads = await payloadsOf(
      tx,
      wiring,
      events.filter(event => told.has(event)),
      new Date(),
    )
    await Promise.all([
      insertPayloads(tx, workspaceId, payloads),
      insertDeliveries(tx, workspaceId, wanted),
      // While a dispatcher looks for them anyway, as with many changes a second, jobs would only take time from it.
      jobs.enqueue(tx, wanted.every(({ polled }) => polled) ? [] : [dispatchJob(workspaceId)]),
    ])
  },
}

/** Receivers are promised updates of a memory's content or priority; those of categories and metadata stand in the activity feed alone. */
function isTold({ kind, data: { changed } }: PublishedEvent): boolean {
  if (kind !== 'memory.updated' || !Array.isArray(changed)) return true
  return changed.includes('memory') || changed.includes('priority')
}

interface Receiver {
  readonly id: string
  readonly kinds: ReadonlySet<string>
  /** A dispatcher looks for its deliveries by itself. */
  readonly polled: boolean
}

interface NewDelivery {
  readonly id: string
  readonly webhookId: string
  readonly event: PublishedEvent
  readonly polled: boolean
}

/** In the order of the events, so that ids ascend with them. */
function deliveriesOf(events: readonly PublishedEvent[], receivers: readonly Receiver[]): NewDelivery[] {
  return events.flatMap(event =>
    receivers
      .filter(({ kinds }) => kinds.has(ALL_EVENTS) || kinds.has(event.kind))
      .map(({ id, polled }) => ({ id: v7(), webhookId: id, event, polled })),
  )
}

async function activeReceivers(tx: Tx, workspaceId: string): Promise<Receiver[]> {
  const rows = await tx<{ id: string; events: string; polled: boolean }[]>`
    select
      webhook.id, to_json(webhook.events)::text as events,
      coalesce(
        -- An instant further off was written while the clock was ahead.
        webhook.polled_until between clock_timestamp() and clock_timestamp() + ${Polling.polledMs}::int * interval '1 millisecond',
        false
      ) as polled
    from webhooks.webhook
    where webhook.workspace_id = ${workspaceId} and webhook.active`
  return rows.map(({ id, events, polled }) => {
    const kinds: unknown = JSON.parse(events)
    return { id, kinds: new Set(Array.isArray(kinds) ? kinds.map(String) : []), polled }
  })
}

async function insertPayloads(tx: Tx, workspaceId: string, payloads: readonly Payload[]): Promise<void> {
  await insertRows(
    tx,
    payloads,
    ({ eventId, body, memoryIds, userId }) =>
      tx`(${workspaceId}, ${eventId}, ${body}, ${memoryIds && plainArray(memoryIds)}::text::uuid[], ${userId})`,
    values => tx`insert into webhooks.payload (workspace_id, id, body, memory_ids, user_id) values ${values}`,
  )
}

/** A deletion of several is about each of them. */
function subjectOf({ kind, subjectId }: PublishedEvent): string | null {
  return subjectId ?? (kind === 'memory.deleted' ? MANY_SUBJECTS : null)
}

async function insertDeliveries(tx: Tx, workspaceId: string, deliveries: readonly NewDelivery[]): Promise<void> {
  await insertRows(
    tx,
    deliveries,
    ({ id, webhookId, event }) => tx`(
      ${workspaceId}, ${id}, ${webhookId}, ${event.id}, ${event.kind}, ${subjectOf(event)}, 'PENDING', now(), now(), clock_timestamp()
    )`,
    values => tx`
      insert into webhooks.delivery (
        workspace_id, id, webhook_id, payload_id, event, subject_id, status, round_started_at, next_attempt_at, created_at
      )
      values ${values}`,
  )
}
