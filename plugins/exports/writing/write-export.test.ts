import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { Client, Json } from '../../../test/support/client.ts'
import { fileOf, linesOf } from '../world.test-support.ts'
import { writingWorld } from './writing-world.test-support.ts'

const statusOf = async (client: Client, id: string): Promise<Json> => (await client.get(`/v1/exports/${id}`)).body

for (const format of ['JSONL', 'JSON'] as const) {
  test(`a memory that is deleted at any moment of the writing is not in the ${format} file, and the others are`, async () => {
    const world = await writingWorld()
    const kept = await world.add('Ada keeps bees.')
    let transactions = 0
    const whole = await world.begin(format)
    await world.write(whole, async number => (transactions = number))
    for (let moment = 1; moment <= transactions; moment++) {
      const doomed = await world.add(`Bob keeps secret ${moment}.`)
      const id = await world.begin(format)
      await world.write(id, number => (number === moment ? world.remove(doomed) : Promise.resolve()))
      const job = await statusOf(world.client, id)
      const file = await fileOf(world.client, id)
      expect([moment, job.status, Buffer.byteLength(file)]).toEqual([moment, 'COMPLETED', job.size_bytes])
      expect(file).not.toContain('secret')
      const counts = { memory: 1 }
      if (format === 'JSONL') {
        const lines = linesOf(file)
        expect(lines.map(line => line.id ?? line.type)).toEqual(['manifest', kept, 'end'])
        const before = file.slice(0, file.lastIndexOf('{"type":"end"'))
        const sha256 = createHash('sha256').update(before).digest('hex')
        expect(lines.at(-1)).toMatchObject({ counts, sha256 })
      } else expect(JSON.parse(file)).toMatchObject({ memories: [{ id: kept }], counts })
    }
  })
}

test('a complete file loses a deleted memory at once, and is whole again when it is mended', async () => {
  const world = await writingWorld()
  const [first, second] = [await world.add('Ada keeps bees.'), await world.add('Bob mends radios.')]
  const id = await world.begin('JSON')
  await world.write(id)
  await world.remove(first)
  expect((await statusOf(world.client, id)).status).toBe('PENDING')
  expect((await world.client.get(`/v1/exports/${id}/download`)).body.error_code).toBe('EXPORT_NOT_READY')
  await world.write(id)
  const { memories, counts } = JSON.parse(await fileOf(world.client, id))
  expect([memories.map((memory: Json) => memory.id), counts.memory]).toEqual([[second], 1])
  await world.remove(second)
  await world.write(id)
  expect(JSON.parse(await fileOf(world.client, id)).memories).toEqual([])
})

test('a deletion in the first of several pieces leaves a file that can be read', async () => {
  const world = await writingWorld()
  const long = (word: string) => `${word} `.repeat(6000)
  const kept = [await world.add(long('bees')), await world.add(long('radios'))]
  let transactions = 0
  await world.write(await world.begin('JSON'), async number => (transactions = number))
  for (let moment = 1; moment <= transactions + 4; moment++) {
    // It comes last, and so is in the last piece; the first one goes with a memory that came before.
    const doomed = kept.shift() ?? ''
    for (let n = 0; kept.length < 16; n++) kept.push(await world.add(`${moment} ${n} ${long('boats')}`))
    const id = await world.begin('JSON')
    await world.write(id, number => (number === moment ? world.remove(doomed) : Promise.resolve()))
    const { memories } = JSON.parse(await fileOf(world.client, id))
    const shown = memories.map((memory: Json) => memory.id).filter((memory: string) => memory !== doomed)
    expect([moment, shown.toSorted()]).toEqual([moment, kept.toSorted()])
  }
})

test('no snapshot waits while a file is read back, which takes as long as the file is large', async () => {
  const world = await writingWorld()
  for (let n = 0; n < 12; n++) await world.add(`${n} ${'boats '.repeat(8000)}`)
  const id = await world.begin('JSONL')
  let alone = 0
  await world.write(id, async () => {
    alone = world.reading.snapshots === 0 ? alone + 1 : 0
  })
  const pieces = (await world.pieceSizes(id)).length
  expect(pieces).toBeGreaterThan(2)
  // All but the last are read back, then the end is written.
  expect(alone).toBeGreaterThanOrEqual(pieces)
})

test('sections are written again when a memory is deleted that no piece names', async () => {
  const world = await writingWorld()
  const first = await world.add('Ada keeps bees.')
  const sectioned = await world.begin('JSONL', ['memories', 'graph'])
  const plain = await world.begin('JSONL', ['memories'])
  for (const id of [sectioned, plain]) await world.write(id)
  const later = await world.add('Bob mends radios.')
  const states = async () => [
    (await statusOf(world.client, sectioned)).status,
    (await statusOf(world.client, plain)).status,
  ]
  await world.remove(first)
  for (const id of [sectioned, plain]) await world.write(id)
  expect(await states()).toEqual(['COMPLETED', 'COMPLETED'])
  await world.remove(later)
  expect(await states()).toEqual(['PENDING', 'COMPLETED'])
  await world.write(sectioned)
  expect(await states()).toEqual(['COMPLETED', 'COMPLETED'])
  // Imported, with an id of another kind that tells no time.
  await world.forget('ffffffff-ffff-4fff-bfff-ffffffffffff')
  expect(await states()).toEqual(['PENDING', 'COMPLETED'])
})

test('deletions that follow each other have a complete file written again once, a little later', async () => {
  const world = await writingWorld()
  const ids = [await world.add('Ada keeps bees.'), await world.add('Bob mends radios.'), await world.add('Eve hums.')]
  const id = await world.begin('JSONL')
  await world.write(id)
  for (const doomed of ids.slice(1)) await world.remove(doomed)
  expect(world.queued).toEqual([{ id, inMs: 3000 }])
  await world.write(id)
  expect(linesOf(await fileOf(world.client, id)).map(line => line.id ?? line.type)).toEqual(['manifest', ids[0], 'end'])
})

test('an expired export is left as it is by deletions, but for the text of what was deleted', async () => {
  const world = await writingWorld()
  world.useSections([
    {
      name: 'graph',
      types: ['entity'],
      page: async () => ({ records: [{ type: 'entity', name: 'The secret of Bob' }], next: undefined }),
    },
  ])
  const doomed = await world.add('Bob keeps a secret.')
  const id = await world.begin('JSONL', ['memories', 'graph'])
  await world.write(id)
  expect((await world.pieces(id)).join('').match(/secret/g)).toHaveLength(2)
  await world.expire(id)
  await world.remove(doomed)
  expect((await statusOf(world.client, id)).status).toBe('COMPLETED')
  const { status, body } = await world.client.get(`/v1/exports/${id}/download`)
  expect([status, body.error_code]).toEqual([410, 'EXPORT_EXPIRED'])
  expect(world.queued).toEqual([])
  expect((await world.pieces(id)).join('')).not.toContain('secret')
})

test('an export is announced once, however often it is written again', async () => {
  const world = await writingWorld()
  const ids = [await world.add('Ada keeps bees.'), await world.add('Bob mends radios.')]
  const id = await world.begin('JSONL')
  await world.write(id)
  for (const doomed of ids) {
    await world.remove(doomed)
    await world.write(id)
  }
  expect((await statusOf(world.client, id)).status).toBe('COMPLETED')
  expect(world.published).toEqual([`export.completed ${id}`])
})

test('a memory that only sections tell of, deleted at any moment of the writing, is not in the file', async () => {
  const world = await writingWorld()
  world.useSections([
    {
      name: 'knowledge',
      types: ['entity'],
      heedsCategories: true,
      async page(tx, workspaceId) {
        const rows = await tx<{ id: string }[]>`
          select memory.id from memories.memory where memory.workspace_id = ${workspaceId} order by memory.id`
        return { records: rows.map(row => ({ ...row, type: 'entity' })), next: undefined }
      },
    },
  ])
  const kept = await world.add('Ada keeps bees.')
  const begin = () => world.begin('JSONL', ['memories', 'knowledge'], ['hobby'])
  let transactions = 0
  await world.write(await begin(), async number => (transactions = number))
  for (let moment = 1; moment <= transactions; moment++) {
    const doomed = await world.add(`Bob keeps secret ${moment}.`)
    const id = await begin()
    await world.write(id, number => (number === moment ? world.remove(doomed) : Promise.resolve()))
    const lines = linesOf(await fileOf(world.client, id))
    expect([moment, (await statusOf(world.client, id)).status]).toEqual([moment, 'COMPLETED'])
    expect([moment, lines.map(line => line.id ?? line.type)]).toEqual([moment, ['manifest', kept, 'end']])
  }
})

test('an export of some categories that was asked for before an upgrade has no section that tells of all', async () => {
  const world = await writingWorld()
  const section = (name: string, heedsCategories: boolean) => ({
    ...{ name, types: [name], heedsCategories },
    page: async () => ({ records: [{ type: name }], next: undefined }),
  })
  world.useSections([section('graph', false), section('knowledge', true)])
  const [narrow, whole] = [await world.begin('JSONL'), await world.begin('JSONL')]
  await world.narrow(narrow, 'hobby')
  const typesIn = async (id: string) => {
    await world.write(id)
    return linesOf(await fileOf(world.client, id)).map(({ type }) => type)
  }
  expect(await typesIn(narrow)).toEqual(['manifest', 'knowledge', 'end'])
  expect(await typesIn(whole)).toEqual(['manifest', 'graph', 'knowledge', 'end'])
})

test('an export that deletions outpace rests and goes on, and fails with a sentence after a day', async () => {
  const world = await writingWorld()
  const kept = await world.add('Ada keeps bees.')
  const doomed = await Promise.all(Array.from({ length: 300 }, (_, n) => world.add(`Locker ${n} is free.`)))
  const removeOne = async () => {
    const next = doomed.pop()
    if (next) await world.remove(next)
  }
  const [id, old] = [await world.begin('JSONL'), await world.begin('JSONL')]
  await world.write(id, removeOne)
  expect((await statusOf(world.client, id)).status).toBe('PROCESSING')
  expect(world.rested).toEqual([id])
  await world.write(id)
  expect(linesOf(await fileOf(world.client, id)).map(line => line.id)).toContain(kept)

  await world.age(old)
  await world.write(old, removeOne)
  const job = await statusOf(world.client, old)
  expect([job.status, job.error]).toEqual(['FAILED', expect.stringContaining('deleted again and again')])
  expect((await world.client.get(`/v1/exports/${old}/download`)).body.error_code).toBe('EXPORT_EXPIRED')
})

for (const format of ['JSONL', 'JSON'] as const) {
  test(`a long history stands in several pieces of the ${format} file, which are written again together`, async () => {
    const world = await writingWorld()
    await world.add('Ada keeps bees.')
    const long = await world.add('Bob keeps much.')
    const absorbed = await world.add('Bob kept more.')
    await world.add('Carla keeps cats.')
    await world.lengthen(long, 60, absorbed)
    const id = await world.begin(format, ['history'])
    const itemsOf = async () => {
      const file = await fileOf(world.client, id)
      return format === 'JSON' ? JSON.parse(file).memories : linesOf(file)
    }
    const eventsOf = (items: Json[]) =>
      items.filter(item => item.id === long).flatMap(({ history }) => history.map(({ id }: Json) => id))
    await world.write(id)
    const before = await itemsOf()
    expect(new Set(eventsOf(before)).size).toBe(61)
    expect(eventsOf(before)).toHaveLength(61)
    await world.remove(absorbed)
    await world.write(id)
    const after = await itemsOf()
    expect(eventsOf(after)).toEqual(eventsOf(before).slice(0, -1))
    expect(after.filter(({ memory }: Json) => memory).map(({ memory }: Json) => memory)).toEqual([
      'Ada keeps bees.',
      'Bob keeps much.',
      'Carla keeps cats.',
    ])
    expect(Math.max(...(await world.pieceSizes(id)))).toBeLessThan(700_000)
    await world.remove(long)
    await world.write(id)
    expect(eventsOf(await itemsOf())).toEqual([])
    expect((await itemsOf()).filter(({ memory }: Json) => memory)).toHaveLength(2)
  })
}
