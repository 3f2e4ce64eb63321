import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { failure, openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { until } from '../../test/support/wait.ts'
import { workspaceWith } from '../../test/support/workspace.ts'
import type { Workspace } from '../auth/caller.ts'
import type { Database } from '../db/database.ts'
import type { Storage } from '../db/storage.ts'
import { createJobQueue } from '../jobs/queue.ts'
import { createJobRunner, type JobRunner } from '../jobs/runner.ts'
import { createLog } from '../log.ts'
import {
  type EventKind,
  type Events,
  type NewEvent,
  PUBLIC_EVENTS,
  type StoredEvent,
  type Subscription,
} from './events.ts'
import { createOutbox, type MountedSubscription, outboxTasks } from './outbox.ts'

const log = createLog('silent')
let storage: Storage
let database: Database
let runner: JobRunner | undefined

beforeAll(async () => {
  // The test has a database of its own, since a service on the same one would take the deliveries.
  storage = (await openControlPlane(await ownDatabaseUrl())).storage
  database = storage.database
})

afterEach(async () => {
  await runner?.stop(1000)
  runner = undefined
})

function eventIn(workspaceId: string, kind: string, subjectId: string | null = randomUUID()): NewEvent {
  return { kind, workspaceId, subjectId, userId: 'ana', data: { version: 2, nested: { ok: true } } }
}

const OWNER = 'test'

function kindOf(kind: string, parts: Partial<EventKind> = {}): EventKind {
  return { kind, label: kind, description: '', public: true, owner: OWNER, enabled: true, ...parts }
}

/** The plugin of the kinds publishes with this. */
function eventsOf(kinds: (string | EventKind)[], subscribers: MountedSubscription[] = [], verifyData = false): Events {
  const declared = kinds.map(kind => (typeof kind === 'string' ? kindOf(kind) : kind))
  return createOutbox({ kinds: declared, subscribers, queue: createJobQueue(), verifyData }).eventsOf(OWNER)
}

function subscriber(event: Subscription['event'], heard: StoredEvent[]): MountedSubscription {
  const subscription: Subscription = {
    event,
    name: `s${randomUUID()}`,
    handle: async stored => void heard.push(stored),
  }
  return { owner: 'test', subscription, scope: undefined }
}

async function deliverTo(subscriptions: MountedSubscription[], workspaces: Workspace[] = []): Promise<void> {
  runner = createJobRunner({
    pool: storage.pool,
    database,
    tasks: outboxTasks({
      database,
      subscriptions,
      directory: { find: async id => workspaces.find(workspace => workspace.id === id) },
      log,
    }),
    cron: [],
    concurrency: 4,
    log,
  })
  await runner.start()
}

describe('the outbox', () => {
  test('each subscriber of a kind gets each event once, with all its fields', async () => {
    const kind = `test.${randomUUID()}`
    const [one, other, unconcerned]: StoredEvent[][] = [[], [], []]
    const subscriptions = [
      subscriber(kind, one ?? []),
      subscriber(kind, other ?? []),
      subscriber('x.y', unconcerned ?? []),
    ]
    const outbox = eventsOf([kind], subscriptions)
    const workspaceId = randomUUID()
    const events = [eventIn(workspaceId, kind), eventIn(workspaceId, kind, null)]
    await database.workspace(workspaceId, tx => outbox.publish(tx, events))
    await deliverTo(subscriptions)
    await until('both heard both', async () => one?.length === 2 && other?.length === 2)
    const heard = [...(one ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(heard).toMatchObject(events)
    expect(heard[0]?.createdAt).toBeInstanceOf(Date)
    expect(unconcerned).toEqual([])
  })

  test('events and deliveries of a transaction that rolls back never were', async () => {
    const kind = `test.${randomUUID()}`
    const heard: StoredEvent[] = []
    const subscriptions = [subscriber(kind, heard)]
    const outbox = eventsOf([kind], subscriptions)
    const workspaceId = randomUUID()
    const rolledBack = database.workspace(workspaceId, async tx => {
      await outbox.publish(tx, [eventIn(workspaceId, kind)])
      throw new Error('no')
    })
    expect((await failure(rolledBack))?.message).toBe('no')
    await database.workspace(workspaceId, tx => outbox.publish(tx, [eventIn(workspaceId, kind, 'kept')]))
    await deliverTo(subscriptions)
    await until('the kept one is heard', async () => heard.length > 0)
    expect(heard.map(event => event.subjectId)).toEqual(['kept'])
    const rows = await database.system(tx => tx`select 1 from core.event where workspace_id = ${workspaceId}`)
    expect(rows).toHaveLength(1)
  })

  test("a workspace's events are out of reach of every other workspace", async () => {
    const kind = `test.${randomUUID()}`
    const outbox = eventsOf([kind])
    const [mine, theirs] = [randomUUID(), randomUUID()]
    await database.workspace(theirs, tx => outbox.publish(tx, [eventIn(theirs, kind)]))
    const seen = await database.workspace(mine, tx => tx`select 1 from core.event where kind = ${kind}`)
    expect(seen).toHaveLength(0)
    const forged = failure(database.workspace(mine, tx => outbox.publish(tx, [eventIn(theirs, kind)])))
    expect(await forged).toMatchObject({ code: '42501' })
  })

  test('what a process has no subscriber for waits for one that has, and others get theirs', async () => {
    const kind = `test.${randomUUID()}`
    const [heard, late]: [StoredEvent[], StoredEvent[]] = [[], []]
    const [staying, elsewhere] = [subscriber(kind, heard), subscriber(kind, late)]
    const outbox = eventsOf([kind], [elsewhere, staying])
    const workspaceId = randomUUID()
    await database.workspace(workspaceId, tx => outbox.publish(tx, [eventIn(workspaceId, kind)]))
    await deliverTo([staying])
    await until('the loaded one heard it', async () => heard.length === 1)
    await runner?.stop(1000)
    await deliverTo([elsewhere])
    await until('the other one heard it too', async () => late.length === 1)
    expect(heard).toHaveLength(1)
  })

  test('a subscription gets one kind, several, or all public ones, and each event once', async () => {
    const named = (name: string) => `${name}.${randomUUID()}`
    const [first, second, hidden] = [named('one'), named('two'), named('three')]
    const [single, several, all]: [StoredEvent[], StoredEvent[], StoredEvent[]] = [[], [], []]
    const subscriptions = [
      subscriber(second, single),
      subscriber([second, hidden, second], several),
      subscriber(PUBLIC_EVENTS, all),
    ]
    const kinds = [kindOf(first), kindOf(second), kindOf(hidden, { public: false })]
    const outbox = eventsOf(kinds, subscriptions)
    const workspaceId = randomUUID()
    const published = [first, second, hidden].map(kind => eventIn(workspaceId, kind))
    await database.workspace(workspaceId, tx => outbox.publish(tx, published))
    await deliverTo(subscriptions)
    await until('all of it is delivered', async () => single.length + several.length + all.length >= 5)
    const kindsOf = (heard: StoredEvent[]) => heard.map(({ kind }) => kind).sort()
    expect(kindsOf(single)).toEqual([second])
    expect(kindsOf(several)).toEqual([hidden, second].sort())
    expect(kindsOf(all)).toEqual([first, second].sort())
  })

  test("a plugin publishes what its manifest lists, and neither anything else nor what is another's", async () => {
    const own = `test.${randomUUID()}`
    const outbox = eventsOf([own, kindOf('theirs.made', { owner: 'theirs' })])
    const workspaceId = randomUUID()
    const attempt = (kind: string) =>
      failure(
        database.workspace(workspaceId, tx =>
          outbox.publish(tx, [eventIn(workspaceId, own), eventIn(workspaceId, kind)]),
        ),
      )
    expect((await attempt('test.misspelt'))?.message).toBe(
      'plugin test: publishes the event test.misspelt, which is not in its `emits`; add it there',
    )
    expect((await attempt('theirs.made'))?.message).toBe(
      'plugin test: publishes the event theirs.made, which is not in its `emits`; it belongs to plugin theirs',
    )
    const rows = await database.system(tx => tx`select 1 from core.event where workspace_id = ${workspaceId}`)
    expect(rows).toHaveLength(0)
  })

  test('data that does not fit the schema of its kind is refused where it is checked, without its values', async () => {
    const schema = Type.Object({ version: Type.Integer(), nested: Type.Object({ ok: Type.String() }) })
    const kind = kindOf(`test.${randomUUID()}`, { schema })
    const workspaceId = randomUUID()
    const publish = (outbox: Events) =>
      database.workspace(workspaceId, tx => outbox.publish(tx, [eventIn(workspaceId, kind.kind)]))
    expect((await failure(publish(eventsOf([kind], [], true))))?.message).toBe(
      `the data of an event ${kind.kind} does not fit its schema: /nested/ok: Expected string`,
    )
    expect(await failure(publish(eventsOf([kind])))).toBeUndefined()
  })
})

describe('a subscription of a plugin that stands for a feature', () => {
  const gated = (
    heard: StoredEvent[],
    kind: string,
    parts: Pick<Subscription, 'gated' | 'erases'> = {},
  ): MountedSubscription => {
    const { subscription, ...rest } = subscriber(kind, heard)
    return { ...rest, feature: 'painting', subscription: { ...subscription, ...parts } }
  }
  const publish = (kind: string, subscribers: MountedSubscription[], known: Workspace[], to: Workspace[]) =>
    database.system(tx =>
      createOutbox({
        kinds: [kindOf(kind)],
        subscribers,
        queue: createJobQueue(),
        known: id => known.find(workspace => workspace.id === id),
      })
        .eventsOf(OWNER)
        .publish(
          tx,
          to.map(({ id }) => eventIn(id, kind)),
        ),
    )
  const jobsFor = async ({ id }: Workspace) => {
    const [row] = await database.system(
      tx => tx<{ n: number }[]>`
        select count(*)::int as n from graphile_worker._private_jobs where payload ->> 'workspace_id' = ${id}`,
    )
    return row?.n
  }

  test('gets no job for a workspace without it, and one for a workspace with it', async () => {
    const kind = `test.${randomUUID()}`
    const heard: StoredEvent[] = []
    const [poor, rich] = [workspaceWith(['glazing']), workspaceWith(['painting'])]
    const subscriptions = [gated(heard, kind)]
    await publish(kind, subscriptions, [poor, rich], [poor, rich, poor])
    expect([await jobsFor(poor), await jobsFor(rich)]).toEqual([0, 1])
    await deliverTo(subscriptions, [poor, rich])
    await until('it is delivered', async () => heard.length > 0)
    expect(heard.map(({ workspaceId }) => workspaceId)).toEqual([rich.id])
  })

  test('hears nothing of one whose plan was not known, or changed, when the event was published', async () => {
    const kind = `test.${randomUUID()}`
    const heard: StoredEvent[] = []
    const [poor, rich] = [workspaceWith([]), workspaceWith(['painting'])]
    const subscriptions = [gated(heard, kind)]
    await publish(kind, subscriptions, [], [poor, rich])
    expect([await jobsFor(poor), await jobsFor(rich)]).toEqual([1, 1])
    await deliverTo(subscriptions, [poor, rich])
    await until('no job is left', async () => (await jobsFor(poor)) === 0 && (await jobsFor(rich)) === 0)
    expect(heard.map(({ workspaceId }) => workspaceId)).toEqual([rich.id])
  })

  test.each([{ gated: false }, { erases: true }])('hears of every workspace with %j', async parts => {
    const kind = `test.${randomUUID()}`
    const heard: StoredEvent[] = []
    const poor = workspaceWith([])
    const subscriptions = [gated(heard, kind, parts)]
    await publish(kind, subscriptions, [poor], [poor])
    await deliverTo(subscriptions, [poor])
    await until('it is delivered', async () => heard.length === 1)
  })
})
