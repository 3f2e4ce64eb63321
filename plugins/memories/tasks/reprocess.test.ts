import { expect, test } from 'bun:test'
import { memoryWorld } from '../world.test-support.ts'
import { reprocessJob, reprocessTask } from './reprocess.ts'

/** A world whose memories all failed. */
async function failedWorld(texts: readonly string[]) {
  const world = await memoryWorld({ idle: true })
  const { tenant, scope, enqueued, createAll } = world
  const { transaction } = tenant
  await createAll(texts)
  await transaction(tx => tx`update memories.memory set status = 'FAILED', error = 'why'`)
  enqueued.length = 0
  return {
    ...world,
    transaction,
    /** Runs the job, and those that it queues of its own task, up to `runs`. */
    async run(runs: number) {
      const jobs = [reprocessJob({ workspace_id: tenant.workspaceId })]
      for (let n = 0; n < runs && jobs.length > 0; n++) {
        const before = enqueued.length
        await reprocessTask.run({ payload: jobs.pop()?.payload, scope } as never)
        jobs.push(...enqueued.slice(before).filter(({ task }) => task === 'memories:reprocess'))
      }
      return jobs.length
    },
    queued: () =>
      enqueued.flatMap(({ payload }) => {
        const { memory_id, memories } = payload as { memory_id?: string; memories?: readonly { memory_id: string }[] }
        return [...(memory_id ? [memory_id] : []), ...(memories ?? []).map(memory => memory.memory_id)]
      }),
    statuses: () =>
      transaction(
        tx => tx<{ status: string; memories: number }[]>`
          select memory.status, count(*)::int as memories from memories.memory group by memory.status order by 1`,
      ),
  }
}

test('failed memories are queued in pieces, each once although some fail again meanwhile', async () => {
  const { run, queued, statuses, transaction } = await failedWorld(Array.from({ length: 201 }, (_, n) => `text ${n}`))
  expect(await run(1)).toBe(1)
  expect([...(await statuses())]).toEqual([
    { status: 'FAILED', memories: 1 },
    { status: 'PENDING', memories: 200 },
  ])
  expect(new Set(queued()).size).toBe(200)
  await transaction(tx => tx`update memories.memory set status = 'FAILED'`)
  expect(await run(5)).toBe(0)
  expect([...(await statuses())]).toEqual([{ status: 'PENDING', memories: 201 }])
})

test('expired and merged memories stay as they are', async () => {
  const { run, queued, transaction } = await failedWorld(['expired', 'merged'])
  await transaction(async tx => {
    await tx`update memories.memory set layer = 'TASK', expires_at = now() - interval '1 second' where text = 'expired'`
    await tx`update memories.memory set live = false where text = 'merged'`
  })
  expect(await run(2)).toBe(0)
  expect(queued()).toEqual([])
})
