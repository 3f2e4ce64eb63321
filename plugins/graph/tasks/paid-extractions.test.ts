import { describe, expect, test } from 'bun:test'
import { noTurn } from '../../../test/support/no-turn.ts'
import type { GraphScope } from '../scope.ts'
import { edgesOf } from '../writing/writing.test-support.ts'
import { readWaiting } from './read-waiting.ts'
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

describe('what was read and cannot be written', () => {
  /** Lets a number of writes fail. */
  function failing(world: ReadingWorld, times: number, error: unknown): ReadingWorld {
    let left = times
    const publish: GraphScope['events']['publish'] = async (...given) => {
      if (left-- > 0) throw error
      return world.scope.events.publish(...given)
    }
    return { ...world, scope: { ...world.scope, events: { publish } } }
  }

  test('is written memory by memory, without asking for it again', async () => {
    const extractor = likesExtractor('model')
    const world = await readingWorld(extractor)
    for (let n = 0; n < 5; n++) await world.remember(`Ada likes thing${n}`)
    await read(failing(world, 1, new Error('deadlock detected')))
    expect(extractor.asked).toHaveLength(1)
    expect(await edgesOf(world.running, world.workspaceId)).toHaveLength(5)
  })

  test('is no fault of its memories while the workspace has no turn at the database, and not paid for again', async () => {
    const extractor = likesExtractor('model')
    const world = await readingWorld(extractor)
    await world.remember('Ada likes tea')
    const busy = failing(world, 1, await noTurn())
    await expect(read(busy)).rejects.toThrow('busy')
    expect(await world.readings()).toMatchObject([{ waiting: true, isDue: true, isRead: false }])
    await read(world)
    expect(extractor.asked).toHaveLength(1)
    expect(await edgesOf(world.running, world.workspaceId)).toEqual(['Ada LIKES tea'])
  })
})

test('a memory whose categories change while a model reads it is not paid for again', async () => {
  const extractor = interruptedExtractor('model')
  const world = await readingWorld(extractor)
  const id = await world.remember('Ada likes tea')
  extractor.meanwhile(() => refile(world, id, ['drinks']))
  await read(world)
  expect(await edgesOf(world.running, world.workspaceId)).toEqual([])
  await world.note([id])
  await read(world)
  expect(extractor.asked).toHaveLength(1)
  expect(await edgesOf(world.running, world.workspaceId)).toEqual(['Ada LIKES tea'])
})

describe('an extraction that was paid for', () => {
  const withExtractor = (world: ReadingWorld, extractor: GraphScope['extractor']): ReadingWorld => ({
    ...world,
    scope: { ...world.scope, extractor },
  })

  test('is kept while no model is in use, and replaced when another one is', async () => {
    const [former, local, better] = [likesExtractor('model'), likesExtractor(), likesExtractor('better model')]
    const world = await readingWorld(former)
    const id = await world.remember('Ada likes tea')
    await read(world)
    for (const day of [1, 2]) {
      await tell(world, id, new Date(Date.UTC(2026, 0, day)))
      await read(withExtractor(world, local))
    }
    expect(local.asked).toEqual([])
    expect(await world.readings()).toMatchObject([{ extracted_by: 'model', waiting: false }])
    await tell(world, id, new Date(Date.UTC(2026, 0, 3)))
    await read(withExtractor(world, better))
    expect(better.asked).toEqual([['Ada likes tea']])
    expect(await world.readings()).toMatchObject([{ extracted_by: 'better model' }])
  })
})
