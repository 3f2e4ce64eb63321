import type { Fragment, Tx } from 'mneme/plugin'
import { isRoundOpen } from './upkeep.ts'

/** A claim first looks at this many of the oldest due deliveries for each delivery that it asks for. */
const OLDEST_FOR_EACH = 3
/** If these are about too few subjects to fill the claim, it goes through at most this many subjects. */
const SUBJECTS = 200

export interface OfWebhook {
  readonly workspaceId: string
  readonly webhookId: string
  readonly limit: number
  /** When the webhook was last made active again. */
  readonly resumedAt: Date | null
}

/**
 * Builds an array of the deliveries that may be attempted next. Deliveries about one subject are sent one at a time and in order, so each
 * subject gives its first due delivery, or none while an earlier one is being attempted. A subject with a hundred thousand due deliveries
 * takes no longer than one with two.
 */
export function nextOfSubjects(tx: Tx, of: OfWebhook, instant: Fragment): Fragment {
  const first = firstOfSubject(tx, of, instant)
  const oldest = OLDEST_FOR_EACH * of.limit
  return tx`array(
    with recursive
    oldest as materialized (
      select delivery.id, delivery.subject_id
      from webhooks.delivery
      where delivery.workspace_id = ${of.workspaceId}
        and delivery.webhook_id = ${of.webhookId}
        and delivery.rank = 0
        and delivery.due_at <= ${instant}
        and ${isRoundOpen(tx, 'delivery', instant, of.resumedAt)}
      order by delivery.due_at
      limit ${oldest}
    ),
    next_of_oldest as materialized (
      select oldest.id from oldest where oldest.subject_id is null
      union all
      select first.id
      from (select distinct oldest.subject_id as id from oldest) as subject
      cross join lateral ${first}
      where first.due_at <= ${instant}
    ),
    room as materialized (
      select
        (select count(*) from oldest) = ${oldest}::integer
        and (select count(*) from next_of_oldest) < ${of.limit}::integer as is_left
    ),
    subject (id, place) as (${subjects(tx, of)})
    select next_of_oldest.id from next_of_oldest
    union
    (select first.id from subject cross join lateral ${first} where first.due_at <= ${instant} limit ${of.limit})
    union
    select first.id from ${firstWithoutSubject(tx, of, instant)}
  )`
}

/** Selects the first delivery of a subject that is due or being attempted. */
function firstOfSubject(tx: Tx, { workspaceId, webhookId, resumedAt }: OfWebhook, instant: Fragment): Fragment {
  return tx`
    (
      select delivery.id, delivery.due_at
      from webhooks.delivery
      where delivery.workspace_id = ${workspaceId}
        and delivery.webhook_id = ${webhookId}
        and delivery.subject_id = subject.id
        and delivery.due_at is not null
        and case
          when delivery.due_at > ${instant} then delivery.lease is not null
          else ${isRoundOpen(tx, 'delivery', instant, resumedAt)}
        end
      order by delivery.created_at, delivery.id
      limit 1
    ) as first`
}

/** Selects subjects in order while the claim has room; each takes one step in the index, however many deliveries are about it. */
function subjects(tx: Tx, { workspaceId, webhookId }: OfWebhook): Fragment {
  return tx`
    (
      select delivery.subject_id, 1
      from webhooks.delivery
      where delivery.workspace_id = ${workspaceId}
        and delivery.webhook_id = ${webhookId}
        and delivery.subject_id is not null
        and delivery.due_at is not null
        and (select room.is_left from room)
      order by delivery.subject_id
      limit 1
    )
    union all
    select
      (
        select delivery.subject_id
        from webhooks.delivery
        where delivery.workspace_id = ${workspaceId}
          and delivery.webhook_id = ${webhookId}
          and delivery.subject_id > subject.id
          and delivery.due_at is not null
        order by delivery.subject_id
        limit 1
      ),
      subject.place + 1
    from subject
    where subject.place < ${SUBJECTS}::integer and subject.id is not null`
}

/** Selects deliveries without a subject, which wait for no other delivery. */
function firstWithoutSubject(tx: Tx, of: OfWebhook, instant: Fragment): Fragment {
  return tx`
    (
      select delivery.id
      from webhooks.delivery
      where delivery.workspace_id = ${of.workspaceId}
        and delivery.webhook_id = ${of.webhookId}
        and delivery.subject_id is null
        and delivery.due_at <= ${instant}
        and ${isRoundOpen(tx, 'delivery', instant, of.resumedAt)}
        and (select room.is_left from room)
      order by delivery.created_at
      limit ${of.limit}
    ) as first`
}
