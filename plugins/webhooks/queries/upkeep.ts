import type { Fragment, Tx } from 'mneme/plugin'

/** A round ends this long after it began. */
export const ROUND_HOURS = 24

/** One transaction ends or removes so many deliveries at the most. */
export const LIMIT = 1000

/** An attempt of a delivery's round was made, or had no turn among others. What was never its turn may be a backlog of a webhook that works. */
function wasTried(tx: Tx, name: string): Fragment {
  const own = tx(name)
  return tx`(${own}.attempts_made > 0 or coalesce(${own}.busy_at >= ${own}.round_started_at, false))`
}

/** A round began so long before an instant that it is over by then. */
export function isOver(tx: Tx, name: string, instant: Fragment): Fragment {
  return tx`${tx(name)}.round_started_at < ${instant} - make_interval(hours => ${ROUND_HOURS})`
}

/**
 * A delivery may be attempted at an instant: a round that was tried and had its 24 hours has no further attempt, and one that had them when
 * its webhook was resumed has none at all.
 */
export function isRoundOpen(tx: Tx, name: string, instant: Fragment, resumedAt: Date | null): Fragment {
  const hadNoTurn = resumedAt === null ? tx`false` : isOver(tx, name, tx`${resumedAt}::timestamptz`)
  return tx`(not (${wasTried(tx, name)} and ${isOver(tx, name, instant)}) and not (${hadNoTurn}))`
}

/**
 * Ends rounds that had their 24 hours: of what was tried, but for webhooks that are paused or fail anyway, of which more come in
 * than can be tried, where the plan lost the feature, and of what had them when its webhook was resumed.
 * @param isServed the workspace's deliveries are attempted
 * @returns how many
 */
export async function expireRounds(tx: Tx, workspaceId: string, isServed: boolean): Promise<number> {
  const { count } = await tx`
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
      )`
  return count
}

/** Removes due deliveries of webhooks that are gone: a change that was not committed yet when they went still had them. */
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

/** Removes deliveries of a webhook that is gone, and bodies that no other webhook was sent. @returns how many */
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
 * Takes the texts of deleted memories out of kept bodies, and drops responses, which may repeat them. What is sent later of these events
 * has `null` in their place.
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
