import { describe, expect, test } from 'bun:test'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { startService } from '../../../test/support/service.ts'
import { requeueTask } from '../tasks/requeue.ts'
import { memoryWorld } from '../world.test-support.ts'
import { lengthClass, priorityClass } from './priority.ts'

const long = (n: number) => `long text ${n} `.repeat(500)

describe('the priority class of a job', () => {
  test.each([
    [1, 0],
    [2000, 0],
    [2001, 1],
    [8000, 1],
    [8001, 2],
    [32_000, 2],
    [32_001, 3],
    [50_000, 3],
  ])('is, for a text of %i characters, %i', (characters, expected) => {
    expect(lengthClass(characters)).toBe(expected)
  })

  test('is one higher after the first 32 of a batch, and never above the last class', () => {
    expect([0, 31, 32, 499].map(place => priorityClass('short', place))).toEqual([0, 0, 1, 1])
    expect(priorityClass('x'.repeat(50_000), 400)).toBe(3)
  })
})

describe('in the queue', () => {
  test('an ordinary memory goes before long texts and the rest of a batch that were stored earlier', async () => {
    const service = await startService({ WORKERS: 'none' }, { url: await ownDatabaseUrl() })
    const [busy, other] = [await service.account(), await service.account()]
    await busy.client.post('/v1/memories/batch', {
      memories: Array.from({ length: 40 }, (_, n) => ({ memory: `ordinary ${n}` })),
    })
    await busy.client.post('/v1/memories/batch', {
      memories: Array.from({ length: 20 }, (_, n) => ({ memory: long(n) })),
    })
    const { body: theirs } = await busy.client.post('/v1/memories', { memory: 'ordinary, later' })
    const { body: short } = await other.client.post('/v1/memories', { memory: 'a short note' })
    const { body: edited } = await other.client.post('/v1/memories', { memory: 'becomes long' })
    await other.client.put(`/v1/memories/${edited.id}`, { memory: long(99) })
    const { body: again } = await other.client.post('/v1/memories', { memory: long(100) })
    await other.client.post(`/v1/memories/${again.id}/reprocess`)
    // The order is the one in which graphile-worker fetches jobs.
    const rows = await service.database.system(
      tx => tx<{ id: string | null; size: number | null }[]>`
        select job.payload ->> 'memory_id' as id, json_array_length(job.payload -> 'memories') as size
        from graphile_worker._private_jobs as job
        join graphile_worker._private_tasks as task on task.id = job.task_id
        where task.identifier in ('memories:process', 'memories:process-batch')
        order by job.priority, job.run_at`,
    )
    const place = (id: string) => rows.findIndex(row => row.id === id)
    expect(rows).toHaveLength(26)
    // Only the first pass of the batch, which was queued earlier, is ahead.
    expect(rows.slice(0, 3).map(({ size }) => size)).toEqual([32, null, null])
    expect([place(theirs.id), place(short.id)]).toEqual([1, 2])
    expect(rows.findIndex(({ size }) => size === 8)).toBeGreaterThan(2)
    expect([place(edited.id), place(again.id)].toSorted()).toEqual([24, 25])
  })

  test('long-waiting texts are brought forward a few at a time, the longest waiting first', async () => {
    const { scope, tenant, createAll, enqueued } = await memoryWorld({ idle: true })
    const results = await createAll([...Array.from({ length: 20 }, (_, n) => long(n)), 'short'])
    const ids = results.map(result => ('created' in result ? result.created.id : ''))
    const waiting = (n: number) => new Date(Date.now() - 3_600_000 + n * 1000)
    await tenant.transaction(async tx => {
      for (const [n, id] of ids.entries()) {
        await tx`update memories.memory set progress_at = ${waiting(20 - n)} where memory.id = ${id}`
      }
    })
    enqueued.length = 0
    await requeueTask.run({ payload: {}, scope, signal: new AbortController().signal } as never)
    const own = enqueued.filter(job => job.payload.workspace_id === tenant.workspaceId)
    const first = own.filter(({ priority }) => priority === 0).map(({ payload }) => payload.memory_id)
    const later = own.filter(({ priority }) => priority !== 0).map(({ payload }) => payload.memory_id)
    expect(first.toSorted()).toEqual([...ids.slice(12)].toSorted())
    expect(later.toSorted()).toEqual(ids.slice(0, 12).toSorted())
  })
})
