import { describe, expect, test } from 'bun:test'
import { graphFacts } from '../contract.ts'
import { edgesOf, faultsOf } from '../writing/writing.test-support.ts'
import { extractTask } from './extract.ts'
import { readWaiting } from './read-waiting.ts'
import { sweepTask } from './sweep.ts'
import {
  interruptedExtractor,
  likesExtractor,
  type ReadingWorld,
  readingWorld,
  refile,
  tell,
} from './world.test-support.ts'

const { signal } = new AbortController()
const read = ({ scope, workspaceId }: ReadingWorld) => readWaiting(scope, workspaceId, signal)

function run(task: { run(input: never): Promise<unknown> }, world: ReadingWorld) {
  const payload = { workspace_id: world.workspaceId }
  return task.run({ payload, scope: world.scope, attempt: 1, maxAttempts: 5, signal } as never)
}

describe('reading what waits', () => {
  test('takes several memories in one go, each once', async () => {
    const extractor = likesExtractor('model')
    const world = await readingWorld(extractor)
    for (let n = 0; n < 25; n++) await world.remember(`Ada likes thing${n}`)
    expect([await read(world), await read(world), await read(world)]).toEqual([20, 5, 0])
    expect(extractor.asked.map(texts => texts.length)).toEqual([20, 5])
    expect((await world.readings()).every(({ waiting, isRead }) => !waiting && isRead)).toBe(true)
    expect(await edgesOf(world.running, world.workspaceId)).toHaveLength(25)
  })

  test('by several at once takes each memory once', async () => {
    const extractor = likesExtractor()
    const world = await readingWorld(extractor)
    for (let n = 0; n < 30; n++) await world.remember(`Ada likes thing${n % 7} on day ${n}`)
    await Promise.all([read(world), read(world), read(world)])
    expect(extractor.asked.flat().toSorted()).toEqual([...new Set(extractor.asked.flat())].toSorted())
    expect(extractor.asked.flat()).toHaveLength(30)
    expect(await edgesOf(world.running, world.workspaceId)).toHaveLength(7)
    expect(await faultsOf(world.running, world.workspaceId)).toEqual([])
  })

  test('twice is as once', async () => {
    const world = await readingWorld(likesExtractor())
    const id = await world.remember('Ada likes tea')
    await read(world)
    const before = await snapshot(world)
    await world.scope.database.workspace(world.workspaceId, async tx => {
      await tx`
        update graph.reading set due_at = now() - interval '1 second', extracted_by = 'another'
        where workspace_id = ${world.workspaceId} and memory_id = ${id}`
    })
    await read(world)
    expect(await snapshot(world)).toEqual(before)
  })

  test('asks the model once about a text, however often it is told and whatever it is filed under', async () => {
    const extractor = likesExtractor('model')
    const world = await readingWorld(extractor)
    const id = await world.remember('Ada likes tea')
    await read(world)
    for (let day = 1; day <= 30; day++) {
      await tell(world, id, new Date(Date.UTC(2026, 0, day)))
      expect(await read(world)).toBe(1)
    }
    await world.account.client.put(`/v1/memories/${id}`, { memory: 'Ada likes tea', categories: ['drinks'] })
    await world.note([id])
    expect(await read(world)).toBe(1)
    expect(extractor.asked).toEqual([['Ada likes tea']])
    // Only the newest tellings are kept, beside the first.
    expect(await tellings(world, id)).toEqual({ noted: 20, written: 21 })
    await world.account.client.put(`/v1/memories/${id}`, { memory: 'Ada likes rum' })
    await world.note([id])
    await read(world)
    expect(extractor.asked).toEqual([['Ada likes tea'], ['Ada likes rum']])
    expect(await tellings(world, id)).toEqual({ noted: 0, written: 1 })
  })

  test('counts a telling of an instant once', async () => {
    const world = await readingWorld(likesExtractor())
    const id = await world.remember('Ada likes tea')
    await read(world)
    const at = new Date('2026-01-02T03:04:05Z')
    await tell(world, id, at, at)
    await tell(world, id, at)
    await read(world)
    expect(await tellings(world, id)).toEqual({ noted: 1, written: 2 })
  })

  test('reads a text that says nothing once', async () => {
    const extractor = likesExtractor()
    const world = await readingWorld(extractor)
    await world.remember('Hmm.')
    await run(extractTask, world)
    await run(extractTask, world)
    expect(extractor.asked).toEqual([['Hmm.']])
  })

  test('does not write what was read of a text that changed meanwhile', async () => {
    const extractor = interruptedExtractor()
    const world = await readingWorld(extractor)
    const id = await world.remember('Ada likes tea')
    extractor.meanwhile(() => world.account.client.put(`/v1/memories/${id}`, { memory: 'Ada likes coffee' }))
    await read(world)
    expect(await edgesOf(world.running, world.workspaceId)).toEqual([])
    await world.note([id])
    await read(world)
    expect(await edgesOf(world.running, world.workspaceId)).toEqual(['Ada LIKES coffee'])
  })

  test('does not write under categories that a merge changed meanwhile', async () => {
    const extractor = interruptedExtractor()
    const world = await readingWorld(extractor)
    const { database, wiring } = world.scope
    const id = await world.remember('Ada likes tea')
    extractor.meanwhile(() => refile(world, id, ['drinks']))
    await read(world)
    expect(await edgesOf(world.running, world.workspaceId)).toEqual([])
    await world.note([id])
    await read(world)
    const statements = await database.workspace(world.workspaceId, tx =>
      wiring.use(graphFacts).statements(tx, { userId: 'u7', category: 'drinks', limit: 10 }),
    )
    expect(statements).toMatchObject([{ memoryId: id, categories: ['drinks'] }])
  })

  test('forgets what was deleted before it was read', async () => {
    const world = await readingWorld(likesExtractor())
    const id = await world.remember('Ada likes tea')
    await world.account.client.delete(`/v1/memories/${id}`)
    expect([await read(world), await world.readings()]).toEqual([0, []])
  })

  test('keeps facts when only the priority changes, and takes them back when categories do', async () => {
    const world = await readingWorld(likesExtractor())
    const id = await world.remember('Ada likes tea')
    await read(world)
    await world.account.client.put(`/v1/memories/${id}`, { memory: 'Ada likes tea', priority: 'HIGH' })
    expect(await edgesOf(world.running, world.workspaceId)).toEqual(['Ada LIKES tea'])
    await world.note([id])
    expect(await read(world)).toBe(0)
    await world.account.client.put(`/v1/memories/${id}`, { memory: 'Ada likes tea', categories: ['drinks'] })
    await world.note([id])
    expect(await read(world)).toBe(1)
    const facts = world.scope.wiring.use(graphFacts)
    const statements = await world.scope.database.workspace(world.workspaceId, tx =>
      facts.statements(tx, { userId: 'u7', category: 'drinks', limit: 10 }),
    )
    expect(statements).toMatchObject([{ memoryId: id, text: 'Ada likes tea', categories: ['drinks'], ended: false }])
  })
})

describe('a memory that cannot be read', () => {
  test('is not in the way of others, is tried five times, and then given up', async () => {
    const extractor = likesExtractor('local', ({ text }) => {
      if (text.includes('bad')) throw new Error('cannot read this')
      return {}
    })
    const world = await readingWorld(extractor)
    const bad = await world.remember('a bad text')
    await world.remember('Ada likes tea')
    await read(world)
    expect(await edgesOf(world.running, world.workspaceId)).toEqual(['Ada LIKES tea'])
    for (let attempt = 2; attempt <= 5; attempt++) {
      expect((await world.readings()).find(({ memory_id }) => memory_id === bad)).toMatchObject({
        waiting: true,
        isDue: false,
        attempts: attempt - 1,
      })
      await world.hurry()
      await read(world)
    }
    expect((await world.readings()).find(({ memory_id }) => memory_id === bad)).toMatchObject({ waiting: false })
  })
})

describe('while the model is away', () => {
  test('what was read by other means is read again later, and then replaced', async () => {
    let isAway = true
    const extractor = likesExtractor('model', ({ text }) => {
      if (isAway) return { extractedBy: 'local', provisional: true }
      return { statements: [{ text, category: 'personal', span: { start: 0, end: 1 }, confidence: 1 }] }
    })
    const world = await readingWorld(extractor)
    await world.remember('Ada likes tea')
    await read(world)
    expect(await edgesOf(world.running, world.workspaceId)).toEqual(['Ada LIKES tea'])
    expect(await world.readings()).toMatchObject([{ waiting: true, isDue: false, isRead: true, extracted_by: 'local' }])
    const before = await snapshot(world)
    await world.hurry()
    await read(world)
    // Still away: nothing new was written.
    expect(await snapshot(world)).toEqual(before)
    isAway = false
    await world.hurry()
    await read(world)
    expect(await world.readings()).toMatchObject([{ waiting: false, extracted_by: 'model', attempts: 0 }])
    expect(await edgesOf(world.running, world.workspaceId)).toEqual(['Ada LIKES tea'])
  })
})

test('a reading that fails after the model was away for long is tried five times like any other', async () => {
  let state: 'away' | 'failing' = 'away'
  const extractor = likesExtractor('model', () => {
    if (state === 'failing') throw new Error('cannot read this')
    return { extractedBy: 'local', provisional: true }
  })
  const world = await readingWorld(extractor)
  await world.remember('Ada likes tea')
  const next = async () => {
    await world.hurry()
    await read(world)
    const [reading] = await world.readings()
    return reading?.waiting
  }
  for (let round = 1; round <= 7; round++) expect(await next()).toBe(true)
  state = 'failing'
  const waiting = [await next(), await next(), await next(), await next(), await next()]
  expect(waiting).toEqual([true, true, true, true, false])
  expect(await edgesOf(world.running, world.workspaceId)).toEqual(['Ada LIKES tea'])
})

describe('the sweep', () => {
  test('adds the job of a workspace with something due, if its plan has the feature', async () => {
    const [world, free] = await Promise.all([readingWorld(likesExtractor()), readingWorld(likesExtractor(), 'free')])
    await world.remember('Ada likes tea')
    await free.remember('Ada likes tea')
    const jobs = async () => {
      world.enqueued.length = 0
      await run(sweepTask, world)
      return world.enqueued.map(({ payload }) => payload.workspace_id)
    }
    expect(await jobs()).toContain(world.workspaceId)
    expect(await jobs()).not.toContain(free.workspaceId)
    await read(world)
    expect(await jobs()).not.toContain(world.workspaceId)
  })
})

/** Counts the tellings of a memory that are noted, and the times that its facts are written. */
function tellings({ scope: { database }, workspaceId }: ReadingWorld, memoryId: string) {
  return database.workspace(workspaceId, async tx => {
    const [row] = await tx<{ noted: number; written: number }[]>`
      select
        (select count(*) from graph.restatement where workspace_id = ${workspaceId} and memory_id = ${memoryId}) as noted,
        (select count(*) from graph.evidence where workspace_id = ${workspaceId} and memory_id = ${memoryId}) as written`
    return row
  })
}

/** Everything derived, but for ids that are made anew and times of writing. */
async function snapshot({ scope, workspaceId }: ReadingWorld) {
  return scope.database.workspace(workspaceId, async tx => {
    const entities = await tx`select id, name, type from graph.entity where workspace_id = ${workspaceId} order by id`
    const edges = await tx`
      select id, source_id, target_id, type, known_from, known_to from graph.edge
      where workspace_id = ${workspaceId} order by id`
    const statements =
      await tx`select memory_id, ordinal, text from graph.statement where workspace_id = ${workspaceId}`
    const mentions =
      await tx`select memory_id, entity_id from graph.mention where workspace_id = ${workspaceId} order by 2`
    return JSON.stringify([entities, edges, statements, mentions])
  })
}
