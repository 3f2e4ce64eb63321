import { expect, test } from 'bun:test'
import { createWriteHook } from '../writing/write-hook.ts'
import { edgesOf, faultsOf } from '../writing/writing.test-support.ts'
import { createMemoryPart } from './memory-part.ts'
import { readWaiting } from './read-waiting.ts'
import { likesExtractor, type ReadingWorld, readingWorld } from './world.test-support.ts'

const read = ({ scope, workspaceId }: ReadingWorld) => readWaiting(scope, workspaceId, new AbortController().signal)

/** Is read by other means while its model is away, and is due to be read again. */
const awayExtractor = () => likesExtractor('model', () => ({ extractedBy: 'local', provisional: true }))

/** A memory that was read and has expired since, before any sweep marked it. */
async function expiredTask(world: ReadingWorld): Promise<string> {
  const { account, workspaceId, scope } = world
  const task = { memory: 'Ada likes tea', user_id: 'u7', layer: 'TASK', expires_at: '2190-01-01T00:00:00Z' }
  const { id } = (await account.client.post('/v1/memories', task)).body
  await world.note([id])
  await read(world)
  await scope.database.workspace(
    workspaceId,
    tx => tx`
      update memories.memory set expires_at = now() - interval '1 second'
      where memory.workspace_id = ${workspaceId} and memory.id = ${id}`,
  )
  return id
}

async function left({ running, workspaceId, scope }: ReadingWorld): Promise<unknown> {
  const rows = await scope.database.workspace(
    workspaceId,
    tx => tx`
      select mention.memory_id from graph.mention where mention.workspace_id = ${workspaceId}
      union all
      select statement.memory_id from graph.statement where statement.workspace_id = ${workspaceId}
      union all
      select reading.memory_id from graph.reading where reading.workspace_id = ${workspaceId}`,
  )
  return { rows: [...rows], edges: await edgesOf(running, workspaceId), faults: await faultsOf(running, workspaceId) }
}

const NOTHING = { rows: [], edges: [], faults: [] }

test('facts of a memory that expired before it was due again are taken back when it is removed', async () => {
  const world = await readingWorld(awayExtractor())
  const id = await expiredTask(world)
  await world.hurry()
  expect(await read(world)).toBe(1)
  expect(await read(world)).toBe(0)
  expect(await faultsOf(world.running, world.workspaceId)).toEqual([])
  expect((await world.account.client.delete(`/v1/memories/${id}`)).status).toBe(204)
  expect(await left(world)).toEqual(NOTHING)
})

test('facts of a memory of which no reading is noted are taken back with it', async () => {
  const world = await readingWorld(likesExtractor())
  const id = await world.remember('Ada likes tea')
  await read(world)
  await forgetReading(world)
  await world.account.client.delete(`/v1/memories/${id}`)
  expect(await left(world)).toEqual(NOTHING)
})

test.each(['mention', 'evidence', 'statement'])(
  'a memory of which only its %s is left counts as stored, in its place among the others',
  async table => {
    const world = await readingWorld(likesExtractor())
    const { scope, workspaceId } = world
    const ids = [await world.remember('Ada likes tea'), await world.remember('Ada likes rum')].toSorted()
    await read(world)
    await forgetReading(world)
    await keepOnly(world, table)
    const part = createMemoryPart(scope, createWriteHook(scope.events, scope.jobs))
    const stored = async (after: string | undefined, limit: number) => {
      const from = after === undefined ? undefined : { workspaceId, memoryId: after }
      const found = await scope.database.system(tx => part.stored(tx, from, limit))
      return found.filter(key => key.workspaceId === workspaceId).map(({ memoryId }) => memoryId)
    }
    // Others of this database have workspaces before and behind.
    expect(await stored('00000000-0000-0000-0000-000000000000', 2)).toEqual(ids)
    expect(await stored(ids[0], 1)).toEqual(ids.slice(1))
    await scope.database.workspace(workspaceId, tx => part.remove(tx, workspaceId, ids))
    expect(await stored('00000000-0000-0000-0000-000000000000', 2)).toEqual([])
  },
)

function forgetReading({ scope, workspaceId }: ReadingWorld) {
  return scope.database.workspace(
    workspaceId,
    tx => tx`delete from graph.reading where reading.workspace_id = ${workspaceId}`,
  )
}

/** Empties the other tables of facts. */
function keepOnly({ scope, workspaceId }: ReadingWorld, kept: string) {
  return scope.database.workspace(workspaceId, async tx => {
    for (const table of ['mention', 'evidence', 'statement'].filter(one => one !== kept))
      await tx`delete from ${tx(`graph.${table}`)} where workspace_id = ${workspaceId}`
  })
}
