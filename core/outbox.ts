import { Type } from '@sinclair/typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Database, Tx } from './db/database.ts'
import type { EventPublisher, NewEvent, StoredEvent, Subscription } from './events.ts'
import type { MountedTask } from './jobs/attempt.ts'
import { type JobQueue, type NewJob, type Task, tasksOf } from './jobs/task.ts'

/** A subscription with its plugin and that plugin's scope, types erased. */
export interface MountedSubscription {
  readonly owner: string
  readonly subscription: Subscription
  readonly scope: unknown
}

export interface OutboxOptions {
  /** Read at each publication, so it may be filled while plugins are set up. */
  readonly subscriptions: readonly MountedSubscription[]
  readonly queue: JobQueue
}

/** Each subscriber's deliveries are a task of their own: a process that does not have the subscriber leaves them to others. */
const deliverTask = (subscriber: string) => `core:deliver:${subscriber}`

/** Waits of about 3 s to 18 min between them: half an hour in all for a subscriber to recover. */
const DELIVER_ATTEMPTS = 8

/**
 * The publishing side: event rows and one job for each subscriber of each event, written with the caller's transaction in two
 * statements that travel together.
 */
export function createOutbox({ subscriptions, queue }: OutboxOptions): EventPublisher {
  return {
    async publish(tx, events) {
      if (events.length === 0) return
      const rows = events.map(event => ({ ...event, id: uuidv7() }))
      const jobs = rows.flatMap(row =>
        subscriptions.filter(({ subscription }) => subscription.event === row.kind).map(mounted => jobOf(row, mounted)),
      )
      await Promise.all([insert(tx, rows), queue.enqueue(tx, jobs)])
    },
  }
}

/** The receiving side, to be mounted with the plugins' tasks. */
export function outboxTasks(parts: {
  database: Database
  subscriptions: readonly MountedSubscription[]
}): MountedTask[] {
  return parts.subscriptions.map(mounted => ({ task: deliveryTo(mounted), scope: parts }))
}

type NewRow = NewEvent & { readonly id: string }

function jobOf({ workspaceId, id }: NewRow, mounted: MountedSubscription): NewJob {
  return {
    task: deliverTask(nameOf(mounted)),
    payload: { workspace_id: workspaceId, event_id: id },
  }
}

function nameOf({ owner, subscription }: MountedSubscription): string {
  return `${owner}:${subscription.name}`
}

async function insert(tx: Tx, rows: readonly NewRow[]): Promise<void> {
  const records = rows.map(({ workspaceId, id, kind, subjectId, userId, data }) => ({
    workspace_id: workspaceId,
    id,
    kind,
    subject_id: subjectId,
    user_id: userId,
    data,
  }))
  await tx`
    insert into core.event (workspace_id, id, kind, subject_id, user_id, data)
    select new.workspace_id, new.id, new.kind, new.subject_id, new.user_id, new.data
    from jsonb_to_recordset(${JSON.stringify(records)}::text::jsonb) as new (
      workspace_id uuid, id uuid, kind text, subject_id text, user_id text, data jsonb
    )`
}

const task = tasksOf<{ readonly database: Database }>()

function deliveryTo(mounted: MountedSubscription): Task {
  return task({
    name: deliverTask(nameOf(mounted)),
    payload: Type.Object({ workspace_id: Type.String(), event_id: Type.String() }),
    maxAttempts: DELIVER_ATTEMPTS,
    async run({ payload, scope: { database } }) {
      const event = await load(database, payload.workspace_id, payload.event_id)
      // Gone with its workspace, or older than events are kept.
      if (event) await mounted.subscription.handle(event, mounted.scope as never)
    },
  }) as Task
}

async function load(database: Database, workspaceId: string, id: string): Promise<StoredEvent | undefined> {
  const [row] = await database.workspace(
    workspaceId,
    tx => tx<EventRow[]>`
      select event.kind, event.subject_id, event.user_id, event.data, event.created_at
      from core.event
      where event.workspace_id = ${workspaceId} and event.id = ${id}`,
  )
  return (
    row && {
      id,
      workspaceId,
      kind: row.kind,
      subjectId: row.subject_id,
      userId: row.user_id,
      data: row.data,
      createdAt: row.created_at,
    }
  )
}

interface EventRow {
  kind: string
  subject_id: string | null
  user_id: string | null
  data: Readonly<Record<string, unknown>>
  created_at: Date
}
