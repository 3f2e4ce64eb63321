import { afterAll, beforeAll, expect, test } from 'bun:test'
import { v7 } from 'uuid'
import { runCommand } from '../../../../core/command.ts'
import { verifyCommand } from '../../commands/typesense.ts'
import { Corpus } from '../conformance/corpus.test-support.ts'
import { FakeFault } from './fake/filter.test-support.ts'
import { verifyIndex } from './verify.ts'
import { openWorld, settle, type TypesenseWorld } from './world.test-support.ts'

let world: TypesenseWorld

beforeAll(async () => {
  world = await openWorld({ host: 'verify.test' })
})

afterAll(() => world.fake.stop())

async function run(...args: string[]) {
  const lines: string[] = []
  const { database, engine: typesense } = world
  const code = await runCommand(
    { owner: 'search', command: verifyCommand, scope: { database, typesense } },
    { args, print: line => void lines.push(line), signal: new AbortController().signal },
  )
  return { code, text: lines.join('\n') }
}

test('verify says how to create the first collection', async () => {
  expect(await run()).toEqual({ code: 1, text: 'There is no index yet: bun run search rebuild' })
})

test('verify finds differences by workspace and repairs them', async () => {
  const corpus = await Corpus.of(
    world,
    { text: 'missing there', vector: [1, 0] },
    { text: 'changed there', vector: [1, 0] },
    'the same',
  )
  const other = await Corpus.of(world, 'all well')
  await settle(world.engine)
  expect(await run()).toEqual({ code: 0, text: '4 memories of 2 workspaces compared: 0 differ, 0 are on their way' })

  const { documents } = world.fake.store.collection('mneme_memories')
  const [missing = '', changed = ''] = corpus.idsOf('missing there', 'changed there')
  const keyOf = (id: string) => `${corpus.workspaceId}_${id}`.replaceAll('-', '')
  const document = documents.get(keyOf(changed))
  for (const collection of ['mneme_memories', 'mneme_memories_vectors']) {
    world.fake.store.collection(collection).documents.delete(keyOf(missing))
  }
  documents.set(keyOf(changed), { ...document, id: keyOf(changed), stamp: 'another', words: [] })
  const [surplus, stranger] = [v7(), v7()]
  documents.set(keyOf(surplus), { ...document, id: keyOf(surplus), memory: surplus.replaceAll('-', '') })
  documents.set('x', { ...document, id: 'x', workspace: stranger.replaceAll('-', '') })

  const found = await run()
  expect(found.code).toBe(1)
  expect(found.text.split('\n')).toEqual([
    `workspace ${corpus.workspaceId}`,
    `  missing 1: ${missing}`,
    `  stale 1: ${changed}`,
    `  surplus 1: ${surplus}`,
    `workspace ${stranger} is in the index and not in Postgres`,
    '4 memories of 2 workspaces compared: 3 differ, 0 are on their way, 1 workspace too many',
  ])

  const repaired = await run('--repair')
  expect(repaired.code).toBe(0)
  expect(repaired.text).toContain('3 memories queued')
  expect((await run()).code).toBe(0)
  expect(await corpus.found('changed there', { mode: 'keyword' })).toEqual(['changed there'])
  expect(await other.found('well')).toEqual(['all well'])
})

test('a large workspace is compared in parts, by which nothing is missed', async () => {
  const days = Array.from({ length: 7 }, (_, n) => new Date(Date.UTC(2026, 2, 1 + Math.floor(n / 2))))
  const corpus = await Corpus.of(
    world,
    ...days.map((createdAt, n) => ({ text: `day ${n}`, vector: [1, n], fields: { createdAt } })),
  )
  await settle(world.engine)
  const { documents } = world.fake.store.collection('mneme_memories')
  const own = () => [...documents.values()].filter(it => it.workspace === corpus.workspaceId.replaceAll('-', ''))
  const [document] = own()
  // Surplus ones are older and newer than any memory of the database, and between them.
  const surplus = [0, Date.UTC(2026, 2, 2, 12), Date.UTC(2027, 0, 1)].map(createdAt => {
    const id = v7()
    documents.set(id, { ...document, id, memory: id.replaceAll('-', ''), created_at: createdAt })
    return id
  })
  const [stale = ''] = corpus.idsOf('day 6')
  for (const { id, memory } of own()) if (memory === stale.replaceAll('-', '')) documents.delete(id)
  const before = world.fake.requests.length
  const parts = { database: world.database, server: world.engine.server, index: world.engine.alias, page: 2 }
  const { drifts } = await verifyIndex(parts, new AbortController().signal)
  expect(drifts).toEqual([
    { workspaceId: corpus.workspaceId, missing: [], stale: [stale], surplus: expect.arrayContaining(surplus) },
  ])
  const token = corpus.workspaceId.replaceAll('-', '')
  const exports = world.fake.requests
    .slice(before)
    .filter(({ filter }) => filter.includes(token) && filter.includes('created_at'))
  expect(exports.length).toBe(2 * 4)
  expect((await run('--repair')).text).toContain('4 memories queued')
})

test('a workspace that cannot be compared is named, and the others are compared', async () => {
  const corpus = await Corpus.of(world, 'too much')
  const other = await Corpus.of(world, 'lost there')
  await settle(world.engine)
  const { documents } = world.fake.store.collection('mneme_memories')
  const [lost = ''] = other.idsOf('lost there')
  documents.delete(`${other.workspaceId}_${lost}`.replaceAll('-', ''))
  world.fake.onRequest = ({ path, filter }) =>
    path.endsWith('/export') && filter.includes(corpus.workspaceId.replaceAll('-', ''))
      ? new FakeFault(503, 'Not Ready or Lagging')
      : undefined
  const { code, text } = await run('--repair')
  world.fake.onRequest = () => undefined
  expect(code).toBe(1)
  expect(text).toContain(`workspace ${corpus.workspaceId} could not be compared: Typesense responds with 503`)
  expect(text).toContain(`stale 1: ${lost}`)
  expect(await run()).toMatchObject({ code: 0 })
})

test('pending memories are no drift', async () => {
  const corpus = await Corpus.of(world, 'sent')
  await settle(world.engine)
  await corpus.add('not sent yet')
  const { code, text } = await run()
  expect([code, text]).toEqual([0, expect.stringContaining('1 is on its way')])
})

test('memories that Typesense refuses are listed with the reason', async () => {
  const corpus = await Corpus.of(world)
  await settle(world.engine)
  const [memoryId = ''] = await corpus.add('refused')
  world.fake.refuse = ({ workspace }) => (workspace === 'marker' ? undefined : 'Field `words` is not to my taste.')
  await world.engine.upkeep.run()
  world.fake.refuse = () => undefined
  const { code, text } = await run()
  expect(code).toBe(1)
  expect(text.split('\n')[0]).toBe(
    `refused 1 time: ${memoryId} of workspace ${corpus.workspaceId}: 400 Field \`words\` is not to my taste.`,
  )
  await corpus.remove('refused')
  await settle(world.engine)
})

test('an outage is reported and is no drift', async () => {
  world.fake.fail('closed')
  const { code, text } = await run()
  expect([code, text]).toEqual([1, 'Typesense does not respond'])
  world.fake.fail(undefined)
})

test('an unknown argument never starts a repair', async () => {
  expect(await run('--fix')).toEqual({ code: 2, text: 'Usage: bun run search verify [--repair]' })
})
