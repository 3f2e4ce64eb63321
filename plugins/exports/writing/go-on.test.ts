import { expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { failure } from '../../../test/support/control-plane.ts'
import { fileOf, linesOf } from '../world.test-support.ts'
import { writingWorld } from './writing-world.test-support.ts'

type World = Awaited<ReturnType<typeof writingWorld>>

/** No time at all: every run writes one memory, or one page of a section. */
const MOMENT_MS = -1

/** Long enough for a history that is read in parts. */
const EVENTS = 25

/** Runs until the export has ended. @param between is called after each run that leaves something, with its number */
async function writeInParts(
  world: World,
  id: string,
  between: (run: number) => Promise<unknown> = async () => undefined,
) {
  let runs = 1
  for (; (await world.write(id, undefined, MOMENT_MS)) === 'unfinished'; runs++) {
    if (runs === 50) throw new Error('the export does not end')
    await between(runs)
  }
  return runs
}

/** The server is stopped before so many transactions of a run. */
function cutOffAt(at: number) {
  return async (number: number) => {
    if (number === at) throw new Error('the server was stopped')
  }
}

/** The memories of a file in either format, with the ids of the events of each. */
function contentOf(format: string, file: string): Json[] {
  const items: Json[] = format === 'JSON' ? JSON.parse(file).memories : linesOf(file).filter(({ history }) => history)
  const ids = [...new Set(items.map(({ id }) => id))]
  return ids.map(id => {
    const own = items.filter(item => item.id === id)
    const events = own.flatMap(({ history }) => history.map((event: Json) => event.id))
    return { id, memory: own.flatMap(({ memory }) => memory ?? []), events }
  })
}

for (const format of ['JSONL', 'JSON'] as const) {
  test(`an export in ${format} goes on in the next run, each memory once and with all of its history`, async () => {
    const world = await writingWorld()
    const first = await world.add('Ada keeps bees.')
    const long = await world.add('Bob keeps much.')
    const absorbed = await world.add('Bob kept more.')
    await world.add('Carla keeps cats.')
    await world.lengthen(long, EVENTS, absorbed)
    const whole = await world.begin(format, ['history'])
    await world.write(whole)
    const id = await world.begin(format, ['history'])
    const runs = await writeInParts(world, id, () => world.add(`Too late ${Math.random()}.`))
    expect(runs).toBe(4)
    const [expected, content] = [whole, id].map(async one => contentOf(format, await fileOf(world.client, one)))
    expect(await content).toEqual((await expected) ?? [])
    expect((await content)?.map(({ memory }) => memory)).toEqual([
      ['Ada keeps bees.'],
      ['Bob keeps much.'],
      ['Bob kept more.'],
      ['Carla keeps cats.'],
    ])

    const mended = await world.begin(format, ['history'])
    await writeInParts(world, mended, run => (run === 2 ? world.remove(first) : Promise.resolve()))
    const left = contentOf(format, await fileOf(world.client, mended)).filter(
      ({ memory }) => !memory[0].startsWith('Too late'),
    )
    expect(left).toEqual((await content)?.slice(1) ?? [])
  })
}

test('a run that is cut off is gone on with from the last whole memory', async () => {
  const world = await writingWorld()
  for (let n = 0; n < 12; n++) await world.add(`${n} ${'boats '.repeat(8000)}`)
  const long = await world.add('Bob keeps much.')
  await world.lengthen(long, EVENTS, '6f1c2b7d-9e10-4a45-8a9e-3f0a8c1e2d7b')
  const counted = await world.begin('JSONL', ['history'])
  let transactions = 0
  await world.write(counted, async number => (transactions = number))
  const expected = contentOf('JSONL', await fileOf(world.client, counted))
  for (let at = 4; at <= transactions; at += 3) {
    const id = await world.begin('JSONL', ['history'])
    expect(await failure(world.write(id, cutOffAt(at)))).toMatchObject({ message: 'the server was stopped' })
    const before = (await world.pieceSizes(id)).length
    let kept = 0
    await world.write(id, async number => {
      if (number === 1) kept = (await world.pieceSizes(id)).length
    })
    expect([at, kept]).toEqual([at, before])
    expect([at, contentOf('JSONL', await fileOf(world.client, id))]).toEqual([at, expected])
  }
})

test('sections are written over as many states as they take', async () => {
  const world = await writingWorld()
  await world.add('Ada keeps bees.')
  const section = (name: string, pages: number) => ({
    name,
    types: [name],
    async page(_tx: unknown, _workspaceId: string, _scope: unknown, after: string | undefined) {
      const n = Number(after ?? 0) + 1
      return { records: [{ type: name, n }], next: n < pages ? String(n) : undefined }
    },
  })
  world.useSections([section('graph', 3), section('knowledge', 2)])
  const id = await world.begin('JSON')
  await writeInParts(world, id)
  const { memories, graph, knowledge, counts } = JSON.parse(await fileOf(world.client, id))
  expect(memories).toHaveLength(1)
  expect([graph, knowledge].map(records => records.map(({ n }: Json) => n))).toEqual([
    [1, 2, 3],
    [1, 2],
  ])
  expect(counts).toEqual({ memory: 1, graph: 3, knowledge: 2 })
})

test('what has grown since it was written is mended in pieces of bounded size', async () => {
  const world = await writingWorld()
  const doomed = [await world.add('Ada keeps bees.'), await world.add('Bob keeps much.'), await world.add('Eve hums.')]
  const long = doomed[1] ?? ''
  await world.add('Carla keeps cats.')
  const id = await world.begin('JSON', ['history'])
  await world.write(id)
  expect(await world.pieceSizes(id)).toHaveLength(3)
  const absorbed = await world.add('Bob kept more.')
  await world.lengthen(long, EVENTS, absorbed)
  const eventsOf = async () => contentOf('JSON', await fileOf(world.client, id)).map(({ events }) => events.length)
  await world.remove(doomed[0] ?? '')
  let transactions = 0
  await world.write(id, async number => (transactions = number))
  expect(await eventsOf()).toEqual([EVENTS + 1, 1, 1])
  expect(Math.max(...(await world.pieceSizes(id)))).toBeLessThan(700_000)

  // Cut off at any moment, the whole of it is mended by the next run.
  await world.remove(doomed[2] ?? '')
  let at = 2
  while (at <= transactions && (await failure(world.write(id, cutOffAt(at))))) at++
  expect(at).toBeGreaterThan(EVENTS / 3)
  expect(await eventsOf()).toEqual([EVENTS + 1, 1])
  await world.remove(absorbed)
  await world.write(id)
  expect(await eventsOf()).toEqual([EVENTS, 1])
})

test('an absorbed memory that is deleted leaves the file, whenever it was absorbed while that was written', async () => {
  const world = await writingWorld()
  const long = await world.add('Bob keeps much.')
  const absorbed = await world.add('Bob kept more.')
  await world.lengthen(long, EVENTS, absorbed)
  // As before it was absorbed.
  world.changeArchive({ absorbed: async () => [] })
  const id = await world.begin('JSONL', ['history'])
  await world.write(id)
  const eventsOf = async () => contentOf('JSONL', await fileOf(world.client, id)).map(({ events }) => events.length)
  expect(await eventsOf()).toEqual([EVENTS + 1, 1])
  await world.remove(absorbed)
  await world.write(id)
  expect(await eventsOf()).toEqual([EVENTS])
})

test('a run whose export is deleted stops and adds nothing', async () => {
  const world = await writingWorld()
  for (let n = 0; n < 12; n++) await world.add(`${n} ${'boats '.repeat(8000)}`)
  const counted = await world.begin('JSONL')
  let transactions = 0
  await world.write(counted, async number => (transactions = number))
  for (let at = 2; at <= transactions; at += 3) {
    const id = await world.begin('JSONL')
    let left = 0
    const outcome = await world.write(id, async number => {
      if (number !== at) return
      expect((await world.client.delete(`/v1/exports/${id}`)).status).toBe(204)
      left = (await world.pieceSizes(id)).length
    })
    expect([at, outcome, (await world.pieceSizes(id)).length]).toEqual([at, 'ended', left])
  }
})
