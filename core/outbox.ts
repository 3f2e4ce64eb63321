import { Type } from '@sinclair/typebox'
import { v7 as uuidv7 } from 'uuid'
import type { TenantDirectory, TenantGate } from './auth/directory.ts'
import { hasFeature } from './auth/features.ts'
import { orDidYouMean } from './boot/suggest.ts'
import type { Database, Tx } from './db/database.ts'
import { createDataCheck, receives } from './event-kinds.ts'
import type { EventKind, Events, NewEvent, StoredEvent, Subscription } from './events.ts'
import type { MountedTask } from './jobs/attempt.ts'
import { featureGate } from './jobs/feature-gate.ts'
import { type JobQueue, type NewJob, type Task, tasksOf } from './jobs/task.ts'
import type { Logger } from './log.ts'

/** A subscription with the plugin it belongs to, as manifests hold it: all that publishing needs. */
export interface Subscriber {
  readonly owner: string
  /** The plan feature that its plugin stands for. */
  readonly feature?: string | undefined
  readonly subscription: Pick<Subscription, 'event' | 'name' | 'gated'>
}

/** A subscription with its plugin and that plugin's scope, types erased. */
export interface MountedSubscription extends Subscriber {
  readonly subscription: Subscription
  readonly scope: unknown
}

export interface OutboxOptions {
  /** The registry of all kinds, see `eventKinds`. */
  readonly kinds: readonly EventKind[]
  /** Those of all loaded plugins, whatever the order in which the plugins are set up. */
  readonly subscribers: readonly Subscriber[]
  readonly queue: JobQueue
  /**
   * Says what the plan of an event's workspace includes. Whose plan is not known gets its jobs: a transaction must not wait for
   * another connection, and the delivery looks again.
   */
  readonly known?: TenantGate['known']
  /** Checks the data of events against the schemas of their kinds. */
  readonly verifyData?: boolean
}

export interface Outbox {
  /** What a plugin publishes with: events of its own kinds only. */
  eventsOf(plugin: string): Events
}

/** Each subscriber's deliveries are a task of their own: a process that does not have the subscriber leaves them to others. */
const deliverTask = (subscriber: string) => `core:deliver:${subscriber}`

/** Waits of about 3 s to 18 min between them: half an hour in all for a subscriber to recover. */
const DELIVER_ATTEMPTS = 8

/**
 * The publishing side: event rows and one job for each subscriber of each event, written with the caller's transaction in two
 * statements that travel together.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const { kinds, subscribers, queue, known, verifyData = false } = options
  const routes = new Map(kinds.map(kind => [kind.kind, { owner: kind.owner, tasks: tasksFor(kind, subscribers) }]))
  const checkData = verifyData ? createDataCheck(kinds) : undefined
  const routeOf = (plugin: string, kind: string) => {
    const route = routes.get(kind)
    if (route?.owner === plugin) return route
    throw new Error(
      `plugin ${plugin}: publishes the event ${kind}, which is not in its \`emits\`; ${hint(plugin, kind)}`,
    )
  }
  const hint = (plugin: string, kind: string): string => {
    const owner = routes.get(kind)?.owner
    if (owner !== undefined) return `it belongs to plugin ${owner}`
    const own = kinds.filter(known => known.owner === plugin).map(known => known.kind)
    return orDidYouMean(kind, own, 'add it there')
  }
  return {
    // Frozen, as plugins may change nothing for each other.
    eventsOf: plugin =>
      Object.freeze<Events>({
        kinds,
        async publish(tx, events) {
          if (events.length === 0) return
          const rows: NewRow[] = []
          const jobs: NewJob[] = []
          for (const event of events) {
            const { tasks } = routeOf(plugin, event.kind)
            checkData?.(event)
            const row = { ...event, id: uuidv7() }
            rows.push(row)
            for (const { name, feature } of tasks) {
              const workspace = feature === undefined ? undefined : known?.(event.workspaceId)
              if (!workspace || hasFeature(workspace, feature)) jobs.push(jobOf(row, name))
            }
          }
          await Promise.all([insert(tx, rows), queue.enqueue(tx, jobs)])
        },
      }),
  }
}

/** The tasks that deliver events of the kind. */
function tasksFor(kind: EventKind, subscribers: readonly Subscriber[]) {
  return subscribers
    .filter(({ subscription }) => receives(subscription, kind))
    .map(subscriber => ({ name: deliverTask(nameOf(subscriber)), feature: gateOf(subscriber) }))
}

/** The feature that a workspace needs for the subscription; undefined for none. */
function gateOf({ feature, subscription }: Subscriber): string | undefined {
  return subscription.gated === false ? undefined : feature
}

/** The receiving side, to be mounted with the plugins' tasks. */
export function outboxTasks(parts: {
  database: Database
  subscriptions: readonly MountedSubscription[]
  directory: Pick<TenantDirectory, 'find'>
  log: Logger
}): MountedTask[] {
  return parts.subscriptions.map(mounted => ({
    task: featureGate(deliveryTo(mounted), gateOf(mounted), parts),
    scope: parts,
  }))
}

type NewRow = NewEvent & { readonly id: string }

function jobOf({ workspaceId, id }: NewRow, task: string): NewJob {
  return { task, payload: { workspace_id: workspaceId, event_id: id } }
}

function nameOf({ owner, subscription }: Subscriber): string {
  return `${owner}:${subscription.name}`
}

/** One statement per workspace, as each goes to the node of its rows; nearly always there is one. */
async function insert(tx: Tx, rows: readonly NewRow[]): Promise<void> {
  const statements = [...Map.groupBy(rows, row => row.workspaceId)].map(([workspaceId, own]) => {
    const records = own.map(({ id, kind, subjectId, userId, data }) => ({
      id,
      kind,
      subject_id: subjectId,
      user_id: userId,
      data,
    }))
    return tx`
      insert into core.event (workspace_id, id, kind, subject_id, user_id, data)
      select ${workspaceId}::uuid, new.id, new.kind, new.subject_id, new.user_id, new.data
      from jsonb_to_recordset(${JSON.stringify(records)}::text::jsonb) as new (
        id uuid, kind text, subject_id text, user_id text, data jsonb
      )`
  })
  await Promise.all(statements)
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
