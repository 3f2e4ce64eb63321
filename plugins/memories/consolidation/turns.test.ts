import { describe, expect, test } from 'bun:test'
import { extend } from 'mneme/plugin'
import { service } from '../../../test/support/service.ts'
import { type MemoryRecord, memoryProcessing, memoryWriteHooks } from '../contract.ts'
import { processMemories } from '../processing/pass.ts'
import { claimForProcessing } from '../queries/processing.ts'
import { jobOf, type MemoryWorld, memoryWorld } from '../world.test-support.ts'
import { lockForCompletion } from './consolidate.ts'
import { listed, processed } from './world.test-support.ts'

const HOUR_MS = 3_600_000
const TEXTS = ['The sky is blue', 'the sky is blue', 'The sky is blue.', 'THE SKY IS BLUE', '"The sky is blue!"']

/** Processes each memory in its own pass, all at once. */
function inPassesOfTheirOwn({ scope }: MemoryWorld, memories: readonly MemoryRecord[]) {
  return Promise.all(memories.map(memory => processMemories(scope, memory.workspaceId, [jobOf(memory)])))
}

describe('near-duplicates that are processed at the same time', () => {
  test('over HTTP: exactly one survives, in any order', async () => {
    const { client } = await (await service()).account()
    const responses = await Promise.all(TEXTS.map(memory => client.post('/v1/memories', { memory })))
    const read = () => Promise.all(responses.map(({ body }) => processed(client, body.id)))
    await read()
    // A younger memory may have been completed before the oldest, which then absorbed it.
    const memories = await read()
    const survivors = memories.filter(memory => memory.consolidated_into === null)
    expect(survivors).toHaveLength(1)
    expect(await listed(client)).toEqual([survivors[0]?.memory])
  })

  test('in one pass: the oldest survives', async () => {
    const { create, scope, shown, kinds } = await memoryWorld()
    const memories = []
    for (const text of TEXTS) memories.push(await create({ text }))
    await Promise.all(memories.map(memory => scope.process(jobOf(memory))))
    const [oldest, ...others] = await Promise.all(memories.map(memory => shown(memory.id)))
    expect(oldest?.consolidated_into).toBeNull()
    expect(others.map(memory => memory.consolidated_into)).toEqual(others.map(() => oldest?.id))
    expect(kinds().filter(kind => kind === 'memory.consolidated')).toHaveLength(1)
    expect(kinds().filter(kind => kind === 'memory.processed')).toHaveLength(1)
  })

  test('in passes of several workers: exactly one survives, without a deadlock', async () => {
    for (let round = 0; round < 5; round++) {
      const world = await memoryWorld()
      const memories = await Promise.all(TEXTS.map(text => world.create({ text })))
      await inPassesOfTheirOwn(world, memories)
      const after = await Promise.all(memories.map(memory => world.shown(memory.id)))
      expect(after.filter(memory => memory.consolidated_into === null)).toHaveLength(1)
      expect(after.every(memory => memory.status === 'COMPLETED')).toBe(true)
    }
  })

  test('with survivors changed meanwhile: every memory completes and none is lost', async () => {
    const world = await memoryWorld()
    const first = await world.create({ text: 'The grass is green' })
    await inPassesOfTheirOwn(world, [first])
    const second = await world.create({ text: 'the grass is green', categories: ['brought'] })
    const put = world.client.put(`/v1/memories/${first.id}`, { memory: 'The grass is grey' })
    const [response] = await Promise.all([put, inPassesOfTheirOwn(world, [second])])
    expect(response.status).toBe(200)
    const after = await world.shown(second.id)
    expect([null, first.id]).toContain(after.consolidated_into)
    expect((await world.shown(first.id)).memory).toBe('The grass is grey')
  })
})

test('a memory that is promoted while it is processed is left to its next pass, without consolidation too', async () => {
  const { create, tenant } = await memoryWorld()
  const { workspaceId, workspace } = tenant
  const without = { ...tenant, workspace: { ...workspace, settings: { consolidation: false } } }
  const task = await create({ text: 'Ada likes tea', layer: 'TASK', expiresAt: new Date(Date.now() + HOUR_MS) })
  const current = (claimed: readonly MemoryRecord[]) =>
    tenant.transaction(tx => lockForCompletion(tx, without, claimed, new Map()))
  const claimed = await tenant.transaction(tx => claimForProcessing(tx, workspaceId, [jobOf(task)], new Date()))
  expect((await current(claimed)).current.size).toBe(1)
  await tenant.transaction(
    tx => tx`update memories.memory set layer = 'RAW', expires_at = null where memory.id = ${task.id}`,
  )
  expect((await current(claimed)).current.size).toBe(0)
})

describe('a merge', () => {
  test('reports the absorbed memory as removed and the survivor as updated, and queues it, in the same transaction', async () => {
    const calls: [string, string[]][] = []
    const note = (kind: string) => async (_: unknown, memories: readonly MemoryRecord[]) =>
      void calls.push([kind, memories.map(memory => memory.id)])
    const hook = {
      id: 'noting',
      created: note('created'),
      updated: note('updated'),
      removed: async (_: unknown, __: string, ids: readonly string[]) => void calls.push(['removed', [...ids]]),
    }
    const world = await memoryWorld({ extensions: [extend(memoryWriteHooks, hook)] })
    const older = await world.create({ text: 'Snow is white' })
    await world.scope.process(jobOf(older))
    const younger = await world.create({ text: 'snow is white', categories: ['weather'] })
    await world.scope.process(jobOf(younger))
    expect(calls.slice(2)).toEqual([
      ['removed', [younger.id]],
      ['updated', [older.id]],
    ])
    expect(world.enqueued.at(-1)).toMatchObject({ key: `memories:process:${older.id}`, payload: { revision: 1 } })
    expect(await world.shown(older.id)).toMatchObject({ status: 'PENDING', categories: ['weather'] })
    await world.scope.process(jobOf(older))
    expect(await world.shown(older.id)).toMatchObject({ status: 'COMPLETED', categories: ['weather'] })
  })

  test('that fails leaves both unchanged, and succeeds when the job is retried', async () => {
    let broken = false
    const hook = {
      id: 'breaking',
      created: async () => undefined,
      updated: async () => undefined,
      async removed() {
        if (broken) throw new Error('in the middle')
      },
    }
    const step = { id: 'step', order: 1, prepare: async () => new Map(), write: async () => undefined }
    const world = await memoryWorld({ extensions: [extend(memoryWriteHooks, hook), extend(memoryProcessing, step)] })
    const older = await world.create({ text: 'Coal is black' })
    await world.scope.process(jobOf(older))
    const younger = await world.create({ text: 'coal is black', priority: 'HIGH' })
    broken = true
    await expect(world.scope.process(jobOf(younger))).rejects.toThrow('in the middle')
    expect(await world.shown(younger.id)).toMatchObject({ status: 'PROCESSING', consolidated_into: null })
    expect(await world.shown(older.id)).toMatchObject({ status: 'COMPLETED', priority: 'MEDIUM' })
    expect(await listed(world.client)).toHaveLength(2)
    broken = false
    await world.scope.process(jobOf(younger))
    expect((await world.shown(younger.id)).consolidated_into).toBe(older.id)
  })

  test('never absorbs a document chunk or an import', async () => {
    const world = await memoryWorld()
    const sources = ['API', 'INGEST', 'IMPORT'] as const
    const memories = []
    for (const source of sources)
      memories.push(await world.create({ text: `Ice is cold${'.'.repeat(memories.length)}`, source }))
    await inPassesOfTheirOwn(world, memories)
    for (const { id } of memories) expect((await world.shown(id)).consolidated_into).toBeNull()
  })
})
