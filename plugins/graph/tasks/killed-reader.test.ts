import { expect, test } from 'bun:test'
import { memoryReader } from '../../memories/contract.ts'
import { extractTask } from './extract.ts'
import { Lanes } from './lanes.ts'
import { enqueueReadings } from './reading-queue.ts'
import { likesExtractor, type ReadingWorld, readingWorld } from './world.test-support.ts'

const runExtract = ({ scope, workspaceId }: ReadingWorld) =>
  extractTask.run({
    payload: { workspace_id: workspaceId } as never,
    scope,
    attempt: 1,
    maxAttempts: 5,
    signal: AbortSignal.timeout(20_000),
  })

test('what a killed process had taken has a job half a minute later, with a key that puts nothing off', async () => {
  const world = await readingWorld(likesExtractor())
  const { scope, workspaceId, remember, enqueued } = world
  await remember('Ada likes tea')
  const taken = await scope.database.workspace(workspaceId, tx => scope.readings.claimIn(tx, workspaceId, 20))
  expect(taken).toHaveLength(1)
  await runExtract(world)
  const job = enqueued.find(({ task }) => task === 'graph:extract')
  expect(job?.key).toBe(`graph:extract:later:${workspaceId}`)
  expect(job?.inMs).toBeGreaterThan(0)
  expect(job?.inMs).toBeLessThanOrEqual(30_000)
})

test('what was stored long ago is read behind what comes now', async () => {
  const extractor = likesExtractor()
  const world = await readingWorld(extractor)
  const { scope, workspaceId, account, note } = world
  const store = async (memory: string) => (await account.client.post('/v1/memories', { memory, user_id: 'u7' })).body.id
  const old = [await store('Ada likes tea'), await store('Ada likes jazz')]
  await scope.database.workspace(workspaceId, async tx =>
    enqueueReadings(tx, await scope.wiring.use(memoryReader).records(tx, old), { behind: true }),
  )
  await note([await store('Ada likes chess')])
  const [first] = await scope.database.workspace(workspaceId, tx => scope.readings.claimIn(tx, workspaceId, 1))
  expect(old).not.toContain(first?.id)
  const rest = await scope.database.workspace(workspaceId, tx => scope.readings.claimIn(tx, workspaceId, 20))
  expect(rest.map(({ id }) => id).sort()).toEqual(old.toSorted())
})

test('a few workspaces are read at once; the next one comes a moment later', async () => {
  const world = await readingWorld(likesExtractor())
  const { workspaceId, enqueued } = world
  const lanes = new Lanes(1, 1)
  const busy = lanes.enter('another')
  if (typeof busy === 'string') throw new Error('the only lane is taken')
  await runExtract({ ...world, scope: { ...world.scope, lanes } })
  expect(enqueued.map(({ key }) => key)).toEqual([`graph:extract:later:${workspaceId}`])
  expect(lanes.enter('another')).toBe('told')
  expect(lanes.enter('third')).toBe('full')
  busy.leave()
  expect(lanes.enter('third')).toBeObject()
})
