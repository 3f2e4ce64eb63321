import { expect, spyOn, test } from 'bun:test'
import { v7 } from 'uuid'
import { failure } from '../../../test/support/control-plane.ts'
import { type ArchiveSection, memoryArchive } from '../../memories/contract.ts'
import { clearImports } from '../clear-imports.ts'
import { importFiles } from '../queries/imports.ts'
import type { ExportsScope } from '../scope.ts'
import { handWorld, upload } from '../world.test-support.ts'
import { importTask } from './import.ts'

const line = (_: unknown, n: number) => JSON.stringify({ text: `Locker ${n} is in hall ${n % 7}.` })

function archivedMemory(memory: string, survivor: string | null) {
  const at = '2026-01-01T00:00:00.000Z'
  return {
    ...{ id: v7(), memory, user_id: 'default', agent_id: null, session_id: null, priority: 'MEDIUM', categories: [] },
    ...{ metadata: null, layer: 'RAW', expires_at: null, source: 'API', revision: 1, consolidated_into: survivor },
    ...{ own_categories: null, own_priority: null, access_count: 0, last_accessed_at: null, feedback: null },
    ...{ created_at: at, updated_at: at },
  }
}

type World = Awaited<ReturnType<typeof handWorld>>

async function run(
  { client, workspaceId }: World,
  scope: ExportsScope,
  id: string,
  { signal }: AbortController = new AbortController(),
) {
  const payload = { workspace_id: workspaceId, import_id: id }
  await importTask.run({ payload: payload as never, scope, signal, attempt: 1, maxAttempts: 5 })
  return (await client.get(`/v1/imports/${id}`)).body
}

/** A database that refuses the memory of the third locker. */
function refusingThird(scope: ExportsScope, sections?: readonly ArchiveSection[]): ExportsScope {
  const archive = scope.wiring.use(memoryArchive)
  const strict: typeof archive = {
    ...archive,
    async store(tx, tenant, prepared) {
      const isRefused = prepared.memories.some(({ memory }) => memory.startsWith('Locker 3'))
      if (isRefused) throw Object.assign(new Error('violates a constraint'), { code: '23514' })
      return archive.store(tx, tenant, prepared)
    },
  }
  const use: typeof scope.wiring.use = port =>
    ((port as unknown) === memoryArchive ? strict : scope.wiring.use(port)) as never
  const extensions = sections ? ((() => sections) as never) : scope.wiring.extensions
  return { ...scope, wiring: { ...scope.wiring, extensions, use } }
}

test('a row that the database refuses keeps no other out', async () => {
  const world = await handWorld()
  const { client, scope } = world
  const { id } = (await upload(client, Array.from({ length: 5 }, line).join('\n'))).body
  const body = await run(world, refusingThird(scope), id)
  expect(body).toMatchObject({
    memories_created: 4,
    lines_failed: 1,
    errors: [{ line: 4, message: 'cannot be stored' }],
    progress: { done: body.progress.total },
  })
})

test('the same words of two users of another service are memories of both, once each', async () => {
  const world = await handWorld()
  const { client } = world
  await client.post('/v1/memories', { memory: 'Plays chess', user_id: 'eva' })
  const results = [
    { memory: 'Likes pizza', user_id: 'ada' },
    { memory: 'Likes pizza', user_id: 'bob' },
    { memory: ' Likes pizza ', user_id: 'ada' },
    { memory: 'Plays chess', user_id: 'bob' },
  ]
  const memoriesOf = async (user: string) =>
    (await client.get(`/v1/memories?user_id=${user}`)).body.data.map(({ memory }: { memory: string }) => memory)
  for (const [memories_created, memories_skipped] of [
    [3, 1],
    [0, 4],
  ]) {
    const { id } = (await upload(client, JSON.stringify({ results }))).body
    expect(await run(world, world.scope, id)).toMatchObject({ memories_created, memories_skipped })
  }
  expect(await memoriesOf('ada')).toEqual(['Likes pizza'])
  expect((await memoriesOf('bob')).toSorted()).toEqual(['bob: Likes pizza', 'bob: Plays chess'])
})

test('a record that is put back beside a refused row is counted', async () => {
  const world = await handWorld()
  const kept = new Set<unknown>()
  const notes: ArchiveSection = {
    name: 'notes',
    types: ['note'],
    page: async () => ({ records: [], next: undefined }),
    async restore(_, records) {
      const fresh = records.filter(({ title }) => !kept.has(title))
      for (const { title } of fresh) kept.add(title)
      return { restored: fresh.length, faults: [] }
    },
  }
  const records = ['a', 'b'].map(title => JSON.stringify({ type: 'note', title }))
  const content = [...Array.from({ length: 5 }, line), ...records].join('\n')
  const { id } = (await upload(world.client, content)).body
  const body = await run(world, refusingThird(world.scope, [notes]), id)
  expect(body).toMatchObject({ memories_created: 4, lines_failed: 1, records_restored: 2 })
})

/** Keeps the titles of notes, and has something happen after the first one. */
function notesSection(after: () => Promise<unknown>) {
  const kept: unknown[] = []
  const section: ArchiveSection = {
    name: 'notes',
    types: ['note'],
    page: async () => ({ records: [], next: undefined }),
    async restore(tenant, records) {
      for (const { title } of records) {
        await tenant.transaction(async () => kept.push(title))
        if (kept.length === 1) await after()
      }
      return { restored: records.length, faults: [] }
    },
  }
  return { section, kept }
}

for (const [userId, expected, outcome] of [
  [undefined, ['a'], { status: 'FAILED', error: expect.stringContaining('were deleted while') }],
  ['bob', ['a', 'c'], { records_restored: 2, lines_failed: 0 }],
] as const) {
  test(`records of ${userId ?? 'everybody'} are not put back once all of ${userId ?? 'them'} is deleted`, async () => {
    const world = await handWorld()
    const { client, database, workspaceId, scope } = world
    const { section, kept } = notesSection(() =>
      database.workspace(workspaceId, tx =>
        clearImports.cleared(tx, workspaceId, { userId, agentId: undefined, sessionId: undefined }),
      ),
    )
    const notes = [
      ['a', 'ada'],
      ['b', 'bob'],
      ['c', 'ada'],
    ].map(([title, user_id]) => JSON.stringify({ type: 'note', title, user_id }))
    const { id } = (await upload(client, [line(0, 0), ...notes].join('\n'))).body
    const use: typeof scope.wiring.use = port => scope.wiring.use(port)
    await run(world, { ...scope, wiring: { ...scope.wiring, use, extensions: (() => [section]) as never } }, id)
    expect(kept).toEqual([...expected])
    expect((await client.get(`/v1/imports/${id}`)).body).toMatchObject(outcome)
  })
}

test('an import that the plan has no room for has failed, with what was stored', async () => {
  const world = await handWorld({ memories: 250 })
  const { id } = (await upload(world.client, Array.from({ length: 500 }, line).join('\n'))).body
  const body = await run(world, world.scope, id)
  expect(body).toMatchObject({ status: 'FAILED', memories_created: 250, lines_failed: 150 })
  expect(body.error).toContain('250 memories are used up')
})

test('an import pauses while 1,000 of its memories wait for their processing, and goes on as they are processed', async () => {
  const { client, database, workspaceId, scope } = await handWorld()
  const { id } = (await upload(client, Array.from({ length: 1900 }, line).join('\n'))).body
  const run = async () => {
    const payload = { workspace_id: workspaceId, import_id: id }
    const { signal } = new AbortController()
    await importTask.run({ payload: payload as never, scope, signal, attempt: 1, maxAttempts: 5 })
    const { body } = await client.get(`/v1/imports/${id}`)
    return [body.status, body.memories_created]
  }
  const process = (count: number) =>
    database.workspace(
      workspaceId,
      tx => tx`
        update memories.memory
        set status = 'COMPLETED'
        where memory.workspace_id = ${workspaceId}
          and memory.id in (
            select waiting.id
            from memories.memory as waiting
            where waiting.workspace_id = ${workspaceId} and waiting.status = 'PENDING'
            limit ${count}
          )`,
    )
  expect(await run()).toEqual(['PROCESSING', 1000])
  expect(await run()).toEqual(['PROCESSING', 1000])
  await process(400)
  expect(await run()).toEqual(['PROCESSING', 1400])
  await process(1000)
  expect(await run()).toEqual(['PROCESSING', 1900])
  await process(1000)
  expect(await run()).toEqual(['COMPLETED', 1900])
})

test('a JSON document is read on from where the run before ended', async () => {
  const world = await handWorld()
  const { client, database, workspaceId, scope } = world
  const messages = Array.from({ length: 1300 }, (_, n) => ({ role: 'guide', content: `Locker "${n}" is in hall é.` }))
  const { id } = (await upload(client, JSON.stringify({ nodes: ['x'], messages, episodes: [] }, null, 2))).body
  const read = spyOn(importFiles, 'read')
  const first = await run(world, scope, id)
  // The first batch has the node too, so one more is read than makes a thousand.
  expect(first).toMatchObject({ status: 'PROCESSING', memories_created: 1199 })
  const { done, total } = first.progress
  expect(done).toBeGreaterThan(total * 0.8)
  await database.workspace(
    workspaceId,
    tx => tx`update memories.memory set status = 'COMPLETED' where memory.workspace_id = ${workspaceId}`,
  )
  read.mockClear()
  const second = await run(world, scope, id)
  expect(second).toMatchObject({ memories_created: 1300, lines_failed: 0, progress: { done: total, total } })
  expect(read.mock.calls.map(([, , { start }]) => start)).toEqual([done])
  read.mockRestore()
  const { body } = await client.get('/v1/memories', { query: { page_size: 100 } })
  expect(body.data.every(({ memory }: { memory: string }) => memory.startsWith('guide: Locker "1'))).toBe(true)
})

test('a merged memory goes to the memory that holds the text of its survivor, in whatever batch it comes', async () => {
  const world = await handWorld()
  const { client, database, workspaceId, scope } = world
  const held = (await client.post('/v1/memories', { memory: 'I live in Rome.' })).body.id
  const survivor = archivedMemory('I live in Rome.', null)
  const merged = archivedMemory('I live in Rome!', survivor.id)
  const lines = [
    survivor,
    { text: 'I live in Rome.' },
    ...Array.from({ length: 210 }, (_, n) => ({ text: `Locker ${n}.` })),
    merged,
  ]
  const { id } = (await upload(client, lines.map(item => JSON.stringify(item)).join('\n'))).body
  expect(await run(world, scope, id)).toMatchObject({ memories_created: 211, memories_skipped: 2, lines_failed: 0 })
  const read = () =>
    database.workspace(workspaceId, async tx => {
      const [memory] = await tx`
        select memory.consolidated_into as into
        from memories.memory
        where memory.workspace_id = ${workspaceId} and memory.id = ${merged.id}`
      const noted = await tx`
        select import_holder.memory_id
        from exports.import_holder
        where import_holder.workspace_id = ${workspaceId}`
      return [memory?.into, noted.map(row => row.memory_id)]
    })
  expect(await read()).toEqual([held, [survivor.id]])
  await database.workspace(
    workspaceId,
    tx => tx`update memories.memory set status = 'COMPLETED' where memory.workspace_id = ${workspaceId}`,
  )
  expect((await run(world, scope, id)).status).toBe('COMPLETED')
  expect(await read()).toEqual([held, []])
})

test('an import whose time is over reads no further', async () => {
  const world = await handWorld()
  const { id } = (await upload(world.client, Array.from({ length: 3 }, line).join('\n'))).body
  const over = new AbortController()
  over.abort(new Error('the time is over'))
  expect(await failure(run(world, world.scope, id, over))).toMatchObject({ message: 'the time is over' })
  expect(await run(world, world.scope, id)).toMatchObject({ memories_created: 3 })
})

test('an import of which a memory could not be processed says so', async () => {
  const world = await handWorld()
  const { client, database, workspaceId, scope } = world
  const { id } = (await upload(client, Array.from({ length: 3 }, line).join('\n'))).body
  expect((await run(world, scope, id)).status).toBe('PROCESSING')
  await database.workspace(
    workspaceId,
    tx => tx`
      update memories.memory
      set status = case when memory.text like 'Locker 1 %' then 'FAILED' else 'COMPLETED' end
      where memory.workspace_id = ${workspaceId}`,
  )
  expect(await run(world, scope, id)).toMatchObject({
    status: 'FAILED',
    error: 'One memory of the file could not be processed and can be found by words only. The others are complete.',
    memories_created: 3,
  })
})
