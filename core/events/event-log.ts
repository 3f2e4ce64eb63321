import type { Tx } from '../db/database.ts'
import { leastId } from '../db/least-id.ts'
import { plainArray, textArray } from '../db/literals.ts'
import { definePort } from '../ports.ts'
import type { StoredEvent } from './events.ts'

export interface EventFilter {
  readonly kinds: readonly string[]
  readonly userId?: string | undefined
  /** Leaves out what was published before. */
  readonly since?: Date | undefined
  /** Leaves out what happened before `start`, and what did from `end` on. */
  readonly period?: { readonly start: Date; readonly end: Date } | undefined
}

/** The number of events of a kind in an hour. */
export interface HourCount {
  /** Its first instant. */
  readonly hour: Date
  readonly kind: string
  readonly count: number
}

interface Window {
  readonly limit: number
  readonly offset: number
}

/** Reads the events of a workspace, in the caller's transaction. The kernel binds it for every plugin. */
export interface EventLog {
  /** The newest first. */
  list(tx: Tx, workspaceId: string, filter: EventFilter, window: Window): Promise<StoredEvent[]>
  /** Counts up to `max`, so that a long log costs no more than that. */
  count(tx: Tx, workspaceId: string, filter: EventFilter, max: number): Promise<number>
  /** Counts the events of `[from, to)` by hour and kind. */
  hourly(tx: Tx, workspaceId: string, kinds: readonly string[], from: Date, to: Date): Promise<HourCount[]>
  /** When the first event that is kept was published; undefined without one. */
  beginning(tx: Tx, workspaceId: string): Promise<Date | undefined>
}

/** Tells what people know callers by: the e-mail address of an account, the name of a key. Those that are gone are left out. */
export interface ActorNames {
  of(actors: readonly string[]): Promise<Map<string, string>>
}
export const actorNames = definePort<ActorNames>('core.actor-names')

export const eventLog = definePort<EventLog>('core.event-log')

interface EventRow {
  id: string
  kind: string
  subject_id: string | null
  user_id: string | null
  data: Record<string, unknown>
  created_at: Date
  actor: string | null
}

export function createEventLog(): EventLog {
  return { list, count, hourly, beginning }
}

async function list(tx: Tx, workspaceId: string, filter: EventFilter, window: Window): Promise<StoredEvent[]> {
  if (filter.kinds.length === 0) return []
  const rows = await tx<EventRow[]>`
    select event.id, event.kind, event.subject_id, event.user_id, event.data, event.created_at, event.actor
    from core.event
    where event.workspace_id = ${workspaceId}
      and event.id = any (
        array(
          select passing.id
          from (${idsByKind(tx, workspaceId, filter, window.offset + window.limit)}) as passing
          order by passing.id desc
          limit ${window.limit}
          offset ${window.offset}
        )
      )
    order by event.id desc`
  return rows.map(({ id, kind, subject_id, user_id, data, created_at, actor }) => ({
    id,
    workspaceId,
    kind,
    subjectId: subject_id,
    userId: user_id,
    data,
    createdAt: created_at,
    actor,
  }))
}

async function count(tx: Tx, workspaceId: string, filter: EventFilter, max: number): Promise<number> {
  const [row] = await tx<{ total: number }[]>`
    select count(*)::int as total
    from (
      select event.id
      from core.event
      where event.workspace_id = ${workspaceId}
        and event.kind = any (${textArray(filter.kinds)}::text[])
        ${passes(tx, filter)}
      limit ${max}
    ) as counted`
  return row?.total ?? 0
}

async function hourly(
  tx: Tx,
  workspaceId: string,
  kinds: readonly string[],
  from: Date,
  to: Date,
): Promise<HourCount[]> {
  return tx<HourCount[]>`
    select date_trunc('hour', event.created_at, 'UTC') as hour, event.kind, count(*)::int as count
    from core.event
    where event.workspace_id = ${workspaceId}
      and event.kind = any (${plainArray(kinds)}::text[])
      ${within(tx, from, to)}
    group by 1, event.kind`
}

async function beginning(tx: Tx, workspaceId: string): Promise<Date | undefined> {
  const [row] = await tx<{ created_at: Date }[]>`
    select event.created_at
    from core.event
    where event.workspace_id = ${workspaceId}
    order by event.id
    limit 1`
  return row?.created_at
}

/**
 * An event's row has the time at which its transaction began, by the clock of the database; its id that at which it was published, by the clock
 * of a server. They are no further apart than a transaction may take, or those clocks differ.
 */
const ID_SLACK_MS = 60_000

/**
 * The ids of events that pass, kind by kind. As each kind is ordered by itself, the database reads it from an index in that order and
 * merges it with the others as far as a page needs: a deep page reads no rows before its own, and rare kinds among frequent ones cost no
 * more than those. The limit of each kind stands in the statement as a number, rounded up so that few statements differ: of a parameter the
 * planner would assume a tenth of all rows, and sort them.
 */
function idsByKind(tx: Tx, workspaceId: string, filter: EventFilter, most: number) {
  const limit = tx.unsafe(String(2 ** Math.ceil(Math.log2(most))))
  return filter.kinds.map(
    (kind, n) => tx`
      ${n === 0 ? tx`` : tx`union all`}
      (
        select event.id
        from core.event
        where event.workspace_id = ${workspaceId}
          and event.kind = ${kind}
          ${passes(tx, filter)}
        order by event.id desc
        limit ${limit}
      )`,
  )
}

function passes(tx: Tx, { userId, since, period }: EventFilter) {
  return tx`
    ${userId === undefined ? tx`` : tx`and event.user_id = ${userId}`}
    ${since === undefined ? tx`` : tx`and event.id >= ${leastId(since)}`}
    ${period === undefined ? tx`` : within(tx, period.start, period.end)}`
}

/** Reads the ids of a span of time, and of these what happened within. */
function within(tx: Tx, from: Date, to: Date) {
  return tx`
      and event.id >= ${leastId(new Date(from.getTime() - ID_SLACK_MS))}
      and event.id < ${leastId(new Date(to.getTime() + ID_SLACK_MS))}
      and event.created_at >= ${from}
      and event.created_at < ${to}`
}
