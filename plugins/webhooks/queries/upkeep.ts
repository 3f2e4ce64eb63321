import type { Fragment, Tx } from 'mneme/plugin'

/** A round ends this long after it began. */
export const ROUND_HOURS = 24

/** One transaction ends or removes at most this many deliveries. */
export const LIMIT = 1000

/**
 * The condition that a delivery's round had an attempt, or was claimed and found no outgoing request free. One that was never claimed may
 * only wait behind many others of a webhook that works, so its round does not end by time.
 */
function wasTried(tx: Tx, name: string): Fragment {
  const own = tx(name)
  return tx`(${own}.attempts_made > 0 or coalesce(${own}.busy_at >= ${own}.round_started_at, false))`
}

/** The condition that a round has had its 24 hours by an instant. */
export function isOver(tx: Tx, name: string, instant: Fragment): Fragment {
  return tx`${tx(name)}.round_started_at < ${instant} - make_interval(hours => ${ROUND_HOURS})`
}

/**
 * The condition that a delivery may be attempted at an instant. A round that was tried gets no further attempt after its 24 hours, and one
 * whose 24 hours had passed before its webhook was resumed gets none at all.
 */
export function isRoundOpen(tx: Tx, name: string, instant: Fragment, resumedAt: Date | null): Fragment {
  const isFromPause = resumedAt === null ? tx`false` : isOver(tx, name, tx`${resumedAt}::timestamptz`)
  return tx`(not (${wasTried(tx, name)} and ${isOver(tx, name, instant)}) and not (${isFromPause}))`
}

/**
 * Ends rounds that have had their 24 hours as FAILED. Rounds that were tried always end so. Those that were not tried end only if they could
 * not be: the workspace's plan has no webhooks any more, or the webhook is paused, fails, or was resumed after the 24 hours.
 * @param isServed false when the workspace's deliveries are not attempted at all
 * @returns how many rounds ended
 */
export async function expireRounds(tx: Tx, workspaceId: string, isServed: boolean): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    with ended as (
      update webhooks.delivery as delivery
      set
        status = 'FAILED',
        failure = coalesce(delivery.failure, 'It could not be attempted within 24 hours.'),
        next_attempt_at = null,
        due_at = null,
        lease = null
      where delivery.workspace_id = ${workspaceId}
        and delivery.id in (
          select late.id
          from webhooks.delivery as late
          where late.workspace_id = ${workspaceId}
            and late.due_at <= now()
            and ${isOver(tx, 'late', tx`now()`)}
            and (
              ${wasTried(tx, 'late')}
              or not ${isServed}::boolean
              or exists (
                select
                from webhooks.webhook
                where webhook.workspace_id = ${workspaceId}
                  and webhook.id = late.webhook_id
                  and (
                    webhook.failing_since is not null
                    or not webhook.active
                    or ${isOver(tx, 'late', tx`webhook.resumed_at`)}
                  )
              )
            )
          limit ${LIMIT}
          for update skip locked
        )
      returning delivery.webhook_id
    ),
    noted as (
      update webhooks.webhook
      set gave_up_at = now()
      where webhook.workspace_id = ${workspaceId}
        and webhook.failing_since is not null
        and webhook.id in (select ended.webhook_id from ended)
    )
    select count(*)::integer as count from ended`
  return row?.count ?? 0
}

/** Removes due deliveries of deleted webhooks, which a transaction stored that had begun before the deletion. */
export async function dropOrphans(tx: Tx, workspaceId: string): Promise<number> {
  const { count } = await tx`
    delete from webhooks.delivery as delivery
    where delivery.workspace_id = ${workspaceId}
      and delivery.id in (
        select orphan.id
        from webhooks.delivery as orphan
        where orphan.workspace_id = ${workspaceId}
          and orphan.due_at <= now()
          and not exists (
            select
            from webhooks.webhook
            where webhook.workspace_id = ${workspaceId} and webhook.id = orphan.webhook_id
          )
        limit ${LIMIT}
      )`
  return count
}

/** Removes deliveries of a deleted webhook, and bodies that no other webhook has deliveries of. @returns the number of deliveries */
export async function clearDeliveries(tx: Tx, workspaceId: string, webhookId: string): Promise<number> {
  const rows = await tx<{ payload_id: string }[]>`
    delete from webhooks.delivery as delivery
    where delivery.workspace_id = ${workspaceId}
      and delivery.id in (
        select own.id
        from webhooks.delivery as own
        where own.workspace_id = ${workspaceId} and own.webhook_id = ${webhookId}
        limit ${LIMIT}
      )
    returning delivery.payload_id`
  const payloads = `{${rows.map(row => row.payload_id).join(',')}}`
  await tx`
    delete from webhooks.payload
    where payload.workspace_id = ${workspaceId}
      and payload.id = any(${payloads}::uuid[])
      and not exists (
        select
        from webhooks.webhook
        join webhooks.delivery
          on delivery.workspace_id = ${workspaceId}
          and delivery.webhook_id = webhook.id
          and delivery.payload_id = payload.id
        where webhook.workspace_id = ${workspaceId}
      )`
  return rows.length
}

/**
 * Tells whether no delivery is left of a webhook that is gone: what its receiver responded may repeat what it was sent. It looks once for each
 * webhook, as a workspace may have millions of deliveries.
 */
export async function areDeliveriesCleared(tx: Tx, workspaceId: string): Promise<boolean> {
  const next = (after: Fragment) => tx`
    select delivery.webhook_id
    from webhooks.delivery
    where delivery.workspace_id = ${workspaceId} ${after}
    order by delivery.webhook_id
    limit 1`
  const rows = await tx`
    with recursive receiver as (
      (${next(tx``)})
      union all
      select following.webhook_id
      from receiver
      cross join lateral (${next(tx`and delivery.webhook_id > receiver.webhook_id`)}) as following
    )
    select
    from receiver
    where not exists (
      select
      from webhooks.webhook
      where webhook.workspace_id = ${workspaceId} and webhook.id = receiver.webhook_id
    )
    limit 1`
  return rows.length === 0
}

/** Removes the user from bodies of {@link TOLD_ONCE} that wait for no attempt any more. What receivers respond to them is never kept. */
export async function forgetTold(tx: Tx, workspaceId: string): Promise<void> {
  await tx`
    with told as materialized (
      select delivery.payload_id
      from webhooks.delivery
      where delivery.workspace_id = ${workspaceId}
        and delivery.event = 'user.erased'
      group by delivery.payload_id
      having bool_and(delivery.due_at is null)
    )
    update webhooks.payload
    set body = jsonb_set(payload.body::jsonb, '{data,user_id}', 'null', false)::text
    where payload.workspace_id = ${workspaceId}
      and payload.id in (select told.payload_id from told)
      and payload.body::jsonb #>> '{data,user_id}' is not null`
}

/**
 * Removes the texts of deleted memories from stored bodies, where later attempts send `null` instead, and removes the responses of
 * receivers, which may repeat the texts.
 */
export async function forgetMemories(tx: Tx, workspaceId: string, memoryIds: string): Promise<void> {
  // It is materialized because the planner uses no index where it sees the table's own policy beside the view.
  const rows = await tx<{ id: string }[]>`
    with mentioning as materialized (
      select own.id
      from webhooks.own_payload as own
      where own.workspace_id = ${workspaceId} and own.memory_ids && ${memoryIds}::uuid[]
    )
    update webhooks.payload
    set
      body = jsonb_set(payload.body::jsonb, '{data,memory}', 'null', false)::text,
      memory_ids = null
    where payload.workspace_id = ${workspaceId}
      and payload.id in (select mentioning.id from mentioning)
    returning payload.id`
  if (rows.length === 0) return
  await tx`
    update webhooks.delivery
    set response_body = null
    where delivery.workspace_id = ${workspaceId}
      and delivery.webhook_id in (
        select webhook.id from webhooks.webhook where webhook.workspace_id = ${workspaceId}
      )
      and delivery.payload_id = any(${`{${rows.map(row => row.id).join(',')}}`}::uuid[])
      and delivery.response_body is not null`
}
