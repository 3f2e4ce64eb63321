import { Type } from '@sinclair/typebox'
import { v7 as uuidv7 } from 'uuid'
import type { TenantDirectory, TenantGate } from '../auth/directory.ts'
import { hasFeature } from '../auth/features.ts'
import type { Database, Tx } from '../db/database.ts'
import { insertRows } from '../db/insert-rows.ts'
import { blame } from '../faults/attribution.ts'
import type { MountedTask } from '../jobs/attempt.ts'
import { featureGate } from '../jobs/feature-gate.ts'
import { type JobQueue, type NewJob, type Task, type TaskInput, tasksOf } from '../jobs/task.ts'
import type { Logger } from '../log.ts'
import { DELIVERY_PREFIX, keepOut, takeBack } from '../quarantine/store.ts'
import { lockSubject } from '../subjects/subjects.ts'
import { orDidYouMean } from '../suggest.ts'
import { createDataCheck, receives } from './event-kinds.ts'
import type { EventKind, EventRecorder, Events, NewEvent, PublishedEvent, StoredEvent, Subscription } from './events.ts'
import { type DeliveryPayload, placeOf } from './held-deliveries.ts'

/** Publishing needs no more of a subscription than this, which manifests hold. */
export interface Subscriber {
  readonly owner: string
  /** Its plugin stands for this plan feature. */
  readonly feature?: string | undefined
  readonly subscription: Pick<Subscription, 'event' | 'name' | 'gated' | 'erases'>
}

/** Adds the scope of the subscription's plugin, types erased. */
export interface MountedSubscription extends Subscriber {
  readonly subscription: Subscription
  readonly scope: unknown
}

/** A recorder with its plugin; its scope is asked for late, as it may be set up after whoever publishes. */
export interface MountedRecorder {
  readonly owner: string
  /** The plan feature that its plugin stands for. */
  readonly feature?: string | undefined
  readonly recorder: EventRecorder
  scope(): { readonly scope: unknown } | undefined
}

export interface OutboxOptions {
  /** The registry of all kinds, see `eventKinds`. */
  readonly kinds: readonly EventKind[]
  /** The subscriptions of all loaded plugins, whatever the order in which these are set up. */
  readonly subscribers: readonly Subscriber[]
  readonly recorders?: readonly MountedRecorder[]
  readonly queue: JobQueue
  /**
   * Says what the plan of an event's workspace includes. A workspace whose plan is not known gets its jobs: a
   * transaction must not wait for another connection, and the delivery looks again.
   */
  readonly known?: TenantGate['known']
  /** Checks the data of events against the schemas of their kinds. */
  readonly verifyData?: boolean
}

export interface Outbox {
  /** Makes a plugin's publisher, which takes its own kinds only. */
  eventsOf(plugin: string): Events
}

/** Each subscriber's deliveries are a task of their own, so that a process without the subscriber leaves them to others. */
export function deliveryName({ owner, subscription }: Subscriber): string {
  return `${DELIVERY_PREFIX}${owner}:${subscription.name}`
}

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Half an hour, so that a subscriber that always fails keeps few jobs. */
const DELIVER_ATTEMPTS = 8
/** A subscriber that erases has a day to recover: what it has to remove stays until then. */
const ERASE_ATTEMPTS = 20
const DELIVER_BACKOFF = {
  delaysMs: [
    3 * SECOND,
    8 * SECOND,
    20 * SECOND,
    MINUTE,
    3 * MINUTE,
    8 * MINUTE,
    20 * MINUTE,
    60 * MINUTE,
    120 * MINUTE,
  ],
}
/** A reaction has no signal and cannot be ended: this one is given up so long after, and its event delivered again. */
const DELIVER_LIMIT_MS = 15 * 60_000

/**
 * Writes event rows and one job for each subscriber of each event with the caller's transaction, in two statements that
 * travel together.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const { kinds, subscribers, recorders = [], queue, known, verifyData = false } = options
  const routes = new Map(
    kinds.map(kind => [
      kind.kind,
      {
        owner: kind.owner,
        tasks: tasksFor(kind, subscribers),
        recorders: recorders.filter(({ recorder }) => receives(recorder, kind)),
      },
    ]),
  )
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
  const includes = ({ workspaceId }: NewEvent, feature: string | undefined): boolean => {
    const workspace = feature === undefined ? undefined : known?.(workspaceId)
    return !workspace || hasFeature(workspace, feature)
  }
  return {
    // The event is frozen, as plugins may change nothing for each other.
    eventsOf: plugin =>
      Object.freeze<Events>({
        kinds,
        async publish(tx, events) {
          if (events.length === 0) return
          const rows: PublishedEvent[] = []
          const jobs: NewJob[] = []
          const recorded = new Map<MountedRecorder, PublishedEvent[]>(recorders.map(mounted => [mounted, []]))
          for (const event of events) {
            const route = routeOf(plugin, event.kind)
            checkData?.(event)
            const row = { ...event, id: uuidv7() }
            rows.push(row)
            for (const { name, feature } of route.tasks) if (includes(event, feature)) jobs.push(jobOf(row, name))
            for (const mounted of route.recorders) {
              if (includes(event, gateOf(mounted, mounted.recorder))) recorded.get(mounted)?.push(row)
            }
          }
          const recording = [...recorded].filter(([, own]) => own.length > 0)
          // The recorders' statements follow the insert on the connection, as that is sent first.
          await Promise.all([
            insert(tx, rows),
            queue.enqueue(tx, jobs),
            ...recording.map(([mounted, own]) => recordWith(mounted, tx, own)),
          ])
        },
      }),
  }
}

/** Hands a recorder its events, workspace by workspace. */
async function recordWith({ owner, recorder, scope }: MountedRecorder, tx: Tx, events: readonly PublishedEvent[]) {
  const parts = scope()
  if (!parts) {
    const [first] = events
    throw new Error(
      `plugin ${owner}: an event ${first?.kind} is published before the plugin, which records it, is set up; publish from handlers and tasks`,
    )
  }
  for (const own of Map.groupBy(events, event => event.workspaceId).values()) {
    try {
      await recorder.record(tx, own, parts.scope as never)
    } catch (thrown) {
      const message = `plugin ${owner}: the recorder ${recorder.name} threw something that is no Error`
      const error = thrown instanceof Error ? thrown : new Error(message, { cause: thrown })
      // Else it would count as a fault of the plugin that publishes, whose call fails.
      blame(error, owner)
      throw error
    }
  }
}

/** Names the tasks that deliver events of the kind. */
function tasksFor(kind: EventKind, subscribers: readonly Subscriber[]) {
  return subscribers
    .filter(({ subscription }) => receives(subscription, kind))
    .map(subscriber => ({
      name: deliveryName(subscriber),
      feature: gateOf(subscriber, subscriber.subscription),
    }))
}

/** Returns the feature that a workspace needs for a subscription or recorder; undefined for none, as where it erases. */
function gateOf(
  { feature }: { readonly feature?: string | undefined },
  part: { readonly gated?: boolean; readonly erases?: boolean },
) {
  return part.gated === false || part.erases ? undefined : feature
}

/** Makes the delivering tasks, to be mounted with the plugins' own. */
export function outboxTasks(parts: {
  database: Database
  subscriptions: readonly MountedSubscription[]
  directory: Pick<TenantDirectory, 'find'>
  log: Logger
}): MountedTask[] {
  return parts.subscriptions.map(mounted => ({
    task: featureGate(deliveryTo(mounted), gateOf(mounted, mounted.subscription), parts),
    owner: mounted.owner,
    scope: parts,
  }))
}

function jobOf({ workspaceId, id }: PublishedEvent, task: string): NewJob {
  return { task, payload: { workspace_id: workspaceId, event_id: id } }
}

/** Each workspace has a statement of its own, as each goes to the node of its rows; nearly always there is one. */
async function insert(tx: Tx, rows: readonly PublishedEvent[]): Promise<void> {
  const statements = [...Map.groupBy(rows, row => row.workspaceId)].map(([workspaceId, own]) => {
    const locked = lockSubject(tx, workspaceId, ...own.flatMap(({ userId }) => userId ?? []))
    const inserted = insertRows(
      tx,
      own,
      ({ id, kind, subjectId, userId, data }) =>
        tx`(${workspaceId}, ${id}, ${kind}, ${subjectId}, ${userId}, ${JSON.stringify(data)}::text::jsonb)`,
      values => tx`insert into core.event (workspace_id, id, kind, subject_id, user_id, data) values ${values}`,
    )
    return Promise.all([locked, inserted])
  })
  await Promise.all(statements)
}

interface Parts {
  readonly database: Database
}

const task = tasksOf<Parts>()

function deliveryTo(mounted: MountedSubscription): Task {
  const { owner, subscription } = mounted
  const name = deliveryName(mounted)
  return task({
    name,
    payload: Type.Object({
      workspace_id: Type.String(),
      event_id: Type.String(),
      held: Type.Optional(Type.Boolean()),
    }),
    maxAttempts: subscription.erases ? ERASE_ATTEMPTS : DELIVER_ATTEMPTS,
    backoff: DELIVER_BACKOFF,
    timeLimitMs: DELIVER_LIMIT_MS,
    async run({ payload, scope: { database } }) {
      const event = await load(database, payload.workspace_id, payload.event_id)
      // The event was erased with its workspace, or is older than events are kept.
      if (event) await subscription.handle(event, mounted.scope as never)
      if (payload.held) {
        const { sweep, workspaceId, rowId } = placeOf(name, payload)
        await database.system(tx => takeBack(tx, workspaceId, sweep, [rowId]))
      }
    },
    ...(subscription.erases ? { exhausted: holdDelivery } : {}),
  }) as Task

  // Operators see that it is not erased yet, and it is tried again each day.
  async function holdDelivery({ payload, scope }: TaskInput<Parts, DeliveryPayload>, error: Error): Promise<void> {
    await scope.database.system(tx => keepOut(tx, { ...placeOf(name, payload), plugin: owner, error }))
  }
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
