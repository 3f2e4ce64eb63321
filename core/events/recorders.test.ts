import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { failure, openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { workspaceWith } from '../../test/support/workspace.ts'
import type { Workspace } from '../auth/caller.ts'
import type { Database } from '../db/database.ts'
import { asPlugin, blamedFor } from '../faults/attribution.ts'
import { createJobQueue } from '../jobs/queue.ts'
import { type EventKind, type NewEvent, PUBLIC_EVENTS, type PublishedEvent } from './events.ts'
import { createOutbox, type MountedRecorder } from './outbox.ts'

let database: Database

beforeAll(async () => {
  database = (await openControlPlane(await ownDatabaseUrl())).storage.database
})

const OWNER = 'test'

function kindOf(kind: string, isPublic = true): EventKind {
  return { kind, label: kind, description: '', public: isPublic, owner: OWNER, enabled: true }
}

function eventIn(workspaceId: string, kind: string): NewEvent {
  return { kind, workspaceId, subjectId: randomUUID(), userId: null, data: {} }
}

/** Counts the events that are stored at the moment it is called, in the transaction that it is called in. */
function counting(event: string | readonly string[], parts: Partial<MountedRecorder> = {}) {
  const calls: { events: readonly PublishedEvent[]; stored: number; scope: unknown }[] = []
  const mounted: MountedRecorder = {
    owner: 'listener',
    recorder: {
      event,
      name: 'count',
      async record(tx, events, scope) {
        const [first] = events
        const [row] = await tx<{ n: number }[]>`
          select count(*)::integer as n from core.event where event.workspace_id = ${first?.workspaceId ?? ''}`
        calls.push({ events, stored: row?.n ?? 0, scope })
      },
    },
    scope: () => ({ scope: 'its scope' }),
    ...parts,
  }
  return { calls, mounted }
}

function publish(recorders: MountedRecorder[], kinds: EventKind[], events: NewEvent[], known: Workspace[] = []) {
  const outbox = createOutbox({
    kinds,
    subscribers: [],
    recorders,
    queue: createJobQueue(),
    known: id => known.find(workspace => workspace.id === id),
  }).eventsOf(OWNER)
  return database.system(tx => outbox.publish(tx, events))
}

const storedIn = async (workspaceId: string) =>
  (await database.system(tx => tx`select from core.event where event.workspace_id = ${workspaceId}`)).length

describe('a recorder', () => {
  test('gets the events of its kinds in the transaction that stores them, in their order, with its scope', async () => {
    const workspaceId = randomUUID()
    const { calls, mounted } = counting(PUBLIC_EVENTS)
    const events = ['a.made', 'b.made', 'a.made', 'c.hidden'].map(kind => eventIn(workspaceId, kind))
    await publish([mounted], [kindOf('a.made'), kindOf('b.made'), kindOf('c.hidden', false)], events)
    expect(calls).toHaveLength(1)
    expect(calls[0]?.events).toMatchObject(events.slice(0, 3))
    expect(calls[0]?.events.map(({ id }) => id)).toEqual(calls[0]?.events.map(({ id }) => id).toSorted() ?? [])
    expect([calls[0]?.stored, calls[0]?.scope]).toEqual([4, 'its scope'])
  })

  test('gets those of each workspace by themselves, and is not called for other kinds', async () => {
    const [one, two] = [randomUUID(), randomUUID()]
    const { calls, mounted } = counting(['a.made'])
    const { calls: none, mounted: idle } = counting('z.made')
    const kinds = [kindOf('a.made'), kindOf('b.made')]
    await publish([mounted, idle], kinds, [eventIn(one, 'a.made'), eventIn(two, 'a.made'), eventIn(one, 'b.made')])
    expect(calls.map(({ events }) => events.map(event => event.workspaceId))).toEqual([[one], [two]])
    expect(none).toEqual([])
  })

  test('that throws takes the events back', async () => {
    const workspaceId = randomUUID()
    const { mounted } = counting('a.made')
    const recorder = { ...mounted.recorder, record: () => Promise.reject(new Error('no room')) }
    const failed = failure(publish([{ ...mounted, recorder }], [kindOf('a.made')], [eventIn(workspaceId, 'a.made')]))
    expect((await failed)?.message).toBe('no room')
    expect(await storedIn(workspaceId)).toBe(0)
  })

  test('that throws is the fault of its plugin, not of the one that published', async () => {
    const { mounted } = counting('a.made')
    const throwing = () => {
      throw new Error('no room')
    }
    for (const record of [throwing, () => Promise.reject(new Error('no room')), () => Promise.reject('no room')]) {
      const recorder = { ...mounted.recorder, record }
      const publishing = asPlugin(OWNER, () =>
        publish([{ ...mounted, recorder }], [kindOf('a.made')], [eventIn(randomUUID(), 'a.made')]),
      )
      const error = await failure(publishing)
      expect(error).toBeInstanceOf(Error)
      expect(blamedFor(error)).toBe('listener')
    }
  })

  test('of a plugin that is not set up yet lets nothing be published that it would miss', async () => {
    const workspaceId = randomUUID()
    const { mounted } = counting('a.made', { scope: () => undefined })
    const failed = failure(publish([mounted], [kindOf('a.made')], [eventIn(workspaceId, 'a.made')]))
    expect((await failed)?.message).toBe(
      'plugin listener: an event a.made is published before the plugin, which records it, is set up; publish from handlers and tasks',
    )
    expect(await storedIn(workspaceId)).toBe(0)
  })

  test('that stands for a feature gets no events of a workspace whose plan lacks it, unless it says so', async () => {
    const [poor, unknown] = [randomUUID(), randomUUID()]
    const known = workspaceWith([], poor)
    const { calls, mounted } = counting('a.made', { feature: 'painting' })
    const all = counting('a.made', { feature: 'painting' })
    const ungated = { ...all.mounted, recorder: { ...all.mounted.recorder, gated: false } }
    const events = [eventIn(poor, 'a.made'), eventIn(unknown, 'a.made')]
    await publish([mounted, ungated], [kindOf('a.made')], events, [known])
    const workspacesOf = (made: typeof calls) => made.flatMap(({ events: own }) => own.map(event => event.workspaceId))
    expect(workspacesOf(calls)).toEqual([unknown])
    expect(workspacesOf(all.calls)).toEqual([poor, unknown])
  })
})
