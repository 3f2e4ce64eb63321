import { afterAll, beforeAll, expect, test } from 'bun:test'
import { v7 } from 'uuid'
import { runCommand } from '../../../../core/command.ts'
import { verifyCommand } from '../../commands/verify.ts'
import { Corpus } from '../conformance/corpus.test-support.ts'
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
    '4 memories of 2 workspaces compared: 3 differ, 0 are on their way, 1 workspaces too many',
  ])

  const repaired = await run('--repair')
  expect(repaired.code).toBe(0)
  expect(repaired.text).toContain('3 memories queued')
  expect((await run()).code).toBe(0)
  expect(await corpus.found('changed there', { mode: 'keyword' })).toEqual(['changed there'])
  expect(await other.found('well')).toEqual(['all well'])
})

test('pending memories are no drift', async () => {
  const corpus = await Corpus.of(world, 'sent')
  await settle(world.engine)
  await corpus.add('not sent yet')
  const { code, text } = await run()
  expect([code, text]).toEqual([0, expect.stringContaining('1 are on their way')])
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
    `refused 1 times: ${memoryId} of workspace ${corpus.workspaceId}: 400 Field \`words\` is not to my taste.`,
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
