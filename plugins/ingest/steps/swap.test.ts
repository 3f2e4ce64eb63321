import { expect, spyOn, test } from 'bun:test'
import { v7 } from 'uuid'
import type { Json } from '../../../test/kit/client.ts'
import { NEW, OLD, world, worldWithOlder } from './swap-world.test-support.ts'

test('a large difference is exchanged page by page, each as much of the old as of the new', async () => {
  const { version, step, end, shown, idsByWord } = await world()
  const first = await version(OLD)
  // Without an older version there is nothing to exchange, and the pages only add.
  for (const stage of ['exchange', 'exchange', 'settle']) expect(`${(await step(first)).stage}`).toBe(stage)
  await end(first)
  const before = await idsByWord()
  const second = await version(NEW)
  expect((await step(second)).stage).toBe('exchange')
  expect(await shown()).toBe('a2 b2 c2 d2 e1 f1 g1 h1 kept')
  const done = await step(second)
  expect(await shown()).toBe('a2 b2 c2 d2 e2 f2 g2 h2 kept')
  expect((await idsByWord()).get('kept')).toBe(before.get('kept'))
  expect(done).toMatchObject({ stage: 'settle', memoriesCreated: 8, chunksDone: 0 })
})

test('a version that adds little and drops much deletes no more than a page at once', async () => {
  const { version, step, shown } = await worldWithOlder()
  const second = await version(['kept', 'z2'])
  await step(second)
  expect(await shown()).toBe('e1 f1 g1 h1 kept z2')
  expect((await step(second)).stage).toBe('settle')
  expect(await shown()).toBe('kept z2')
})

test('a cancellation before the first page changes nothing, and after it waits for the last', async () => {
  const { version, step, cancel, shown } = await worldWithOlder()
  const never = await version(NEW)
  await cancel(never)
  expect(await step(never)).toMatchObject({ status: 'FAILED', errorCode: 'CANCELLED' })
  expect(await shown()).toBe(OLD.toSorted().join(' '))
  const late = await version(NEW)
  await step(late)
  await cancel(late)
  expect((await step(late)).stage).toBe('settle')
  expect(await shown()).toBe(NEW.toSorted().join(' '))
  expect(await step(late)).toMatchObject({ status: 'FAILED', errorCode: 'CANCELLED' })
})

test('a version that does not fit into the plan changes nothing', async () => {
  const { version, step, shown } = await worldWithOlder({ memoryQuota: 11 })
  const large = await version([...NEW, 'i2', 'j2', 'k2'])
  expect(await step(large)).toMatchObject({ status: 'FAILED', errorCode: 'QUOTA_EXCEEDED' })
  expect(await shown()).toBe(OLD.toSorted().join(' '))
})

test('a memory that is deleted between two pages stays deleted', async () => {
  const { version, step, shown, idsByWord, deleteMemory } = await worldWithOlder()
  const second = await version(NEW)
  await step(second)
  const ids = await idsByWord()
  await deleteMemory(ids.get('kept') ?? '')
  await deleteMemory(ids.get('h1') ?? '')
  expect((await step(second)).stage).toBe('settle')
  expect(await shown()).toBe('a2 b2 c2 d2 e2 f2 g2 h2')
})

test('a version that failed between two pages is exchanged by the next one', async () => {
  const { version, step, fail, shown } = await worldWithOlder()
  const broken = await version(NEW)
  await step(broken)
  await fail(broken)
  expect(await shown()).toBe('a2 b2 c2 d2 e1 f1 g1 h1 kept')
  const again = await version(NEW)
  expect(await step(again)).toMatchObject({ stage: 'settle', memoriesCreated: 4 })
  expect(await shown()).toBe(NEW.toSorted().join(' '))
})

test('a job that exchanges pages is deleted only when it has ended, so that no half of a document is left', async () => {
  const { client, version, step, end, shown } = await worldWithOlder()
  const second = await version(NEW)
  await step(second)
  const path = `/v1/ingest-jobs/${second}`
  for (const query of [{}, { memories: 'true' }]) {
    const refused = await client.delete(path, { query })
    expect([refused.status, refused.body.error_code]).toEqual([409, 'INGEST_JOB_REPLACING'])
  }
  expect((await step(second)).stage).toBe('settle')
  expect(await shown()).toBe(NEW.toSorted().join(' '))
  await end(second)
  expect((await client.delete(path)).status).toBe(204)
})

test('an older version is not deleted while a newer one takes its memories over', async () => {
  const { client, version, step, end, shown } = await world()
  const first = await version(['a1', 'kept'])
  await step(first)
  await end(first)
  const second = await version(['a2', 'kept'])
  const remove = () => client.delete(`/v1/ingest-jobs/${first}`, { query: { memories: 'true' } })
  let during: unknown
  await step(second, async number => {
    if (number === 3) during = (await remove()).body.error_code
  })
  expect(during).toBe('INGEST_JOB_REPLACING')
  expect(await shown()).toBe('a2 kept')
  expect((await remove()).status).toBe(204)
  await end(second)
  expect(await shown()).toBe('a2 kept')
})

test('an older version whose memories are being deleted is not replaced, also where the deletion was broken off', async () => {
  const { client, version, step, end, writer, shown } = await worldWithOlder({ page: 2000 })
  const second = await version(['a2', 'kept'])
  await step(second)
  await end(second)
  const third = await version(['a3', 'kept'])
  const deletion = async () =>
    (await client.delete(`/v1/ingest-jobs/${second}`, { query: { memories: 'true' } })).status
  const removed = writer.remove
  const remove = spyOn(writer, 'remove')
  const stopped = new Error('the server was stopped')
  try {
    remove.mockRejectedValueOnce(stopped)
    expect([await deletion(), await shown()]).toEqual([500, 'a2 kept'])
    expect((await step(third)).stage).toBe('swap')
    // Each part of a long deletion holds newer versions back anew.
    remove.mockImplementationOnce(async (tx, tenant, ids) => {
      await tx`update ingest.job set held_until = now() - interval '1 second' where job.id = ${second}`
      return removed(tx, tenant, ids)
    })
    remove.mockRejectedValueOnce(stopped)
    expect([await deletion(), await shown()]).toEqual([500, ''])
    expect((await step(third)).stage).toBe('swap')
  } finally {
    remove.mockRestore()
  }
  expect([await deletion(), (await step(third)).stage, await shown()]).toEqual([204, 'settle', 'a3 kept'])
})

test('a deletion that was broken off while the clock was two days ahead holds no newer version back', async () => {
  const { version, step, end, hold } = await worldWithOlder({ page: 2000 })
  const second = await version(['a2', 'kept'])
  await step(second)
  await end(second)
  const third = await version(['a3', 'kept'])
  await hold(second, 30_000)
  expect((await step(third)).stage).toBe('swap')
  await hold(second, 2 * 24 * 60 * 60_000)
  expect((await step(third)).stage).toBe('settle')
})

test('a job that a newer version only waits for can be deleted, running or not', async () => {
  const { client, version, step, shown } = await worldWithOlder({ page: 2000 })
  const second = await version(['a2', 'kept'])
  const third = await version(['a3', 'kept'])
  expect((await step(third)).stage).toBe('swap')
  expect((await client.delete(`/v1/ingest-jobs/${second}`)).status).toBe(204)
  expect((await step(third)).stage).toBe('settle')
  expect(await shown()).toBe('a3 kept')
})

test('a text of a later page that somebody wrote into an older memory stays', async () => {
  const { client, version, step, shown, idsByWord } = await worldWithOlder()
  const edited = (await idsByWord()).get('h1')
  const { status } = await client.put(`/v1/memories/${edited}`, { memory: 'The word is a2.' })
  expect(status).toBe(200)
  const second = await version(NEW)
  await step(second)
  const done = await step(second)
  expect(done).toMatchObject({ stage: 'settle', memoriesCreated: 7, memoriesSkipped: 0 })
  expect(await shown()).toBe(NEW.toSorted().join(' '))
  expect((await idsByWord()).get('a2')).toBe(edited)
  // It learns its place, as all memories that a version keeps.
  await step(second)
  expect((await client.get(`/v1/memories/${edited}`)).body.metadata).toMatchObject({ place: 0, ingest_job_id: second })
})

test('what another worker stored meanwhile stays the memories of the job', async () => {
  const { client, version, step, end } = await world()
  const first = await version(['a1', 'b1'])
  let last = 0
  await step(first, async number => (last = number))
  await end(first)
  const second = await version(['a2', 'b2'])
  const job = await step(second, number => (number === last ? step(second) : Promise.resolve()))
  expect(job).toMatchObject({ stage: 'settle', memoriesCreated: 2, memoriesSkipped: 0 })
  expect((await client.get(`/v1/ingest-jobs/${second}/memories`)).body.total).toBe(2)
})

test('versions follow each other as they came, whatever the clocks of the servers that made their ids', async () => {
  const { version, step, end, shown } = await worldWithOlder()
  const second = await version(['z2'], { id: v7({ msecs: Date.now() + 3_600_000 }) })
  const third = await version(['z3'])
  expect((await step(third)).stage).toBe('swap')
  for (let pages = 0; pages < 3; pages++) await step(second)
  await end(second)
  await step(third)
  expect(await shown()).toBe('z3')
})

test('all memories that a version keeps learn their places in it, however many', async () => {
  const { client, version, step, end } = await world({ page: 2000 })
  const words = Array.from({ length: 70 }, (_, n) => `w${n}`)
  const first = await version(words)
  await step(first)
  await end(first)
  const second = await version(['new', ...words])
  for (let steps = 0; steps < 2; steps++) await step(second)
  const { body } = await client.get(`/v1/ingest-jobs/${second}/memories`, { query: { page_size: 100 } })
  expect(body.data.map(({ memory, metadata }: Json) => [memory.slice(12, -1), metadata.place])).toEqual(
    ['new', ...words].map((word, n) => [word, n]),
  )
})

test('a memory that is deleted before it is processed counts as done', async () => {
  const { version, step, forget, idsByWord } = await world()
  const id = await version(['a1', 'b1'])
  await step(id)
  await forget((await idsByWord()).get('a1') ?? '')
  expect(await step(id)).toMatchObject({ stage: 'settle', chunksDone: 1, chunksTotal: 2 })
})

test('a version is COMPLETED only when each of its memories is processed, however many a look takes in', async () => {
  const { version, step, process } = await world({ page: 2000 })
  const words = Array.from({ length: 501 }, (_, n) => `w${n}`)
  const id = await version(words)
  expect((await step(id)).stage).toBe('settle')
  await process(id, 500)
  expect(await step(id)).toMatchObject({ stage: 'settle', chunksDone: 500 })
  await process(id, 501)
  expect(await step(id)).toMatchObject({ status: 'COMPLETED', chunksDone: 501 })
})

test('a version with other categories is COMPLETED only when the memories that it keeps are processed again', async () => {
  const { version, step, end, process } = await world({ page: 2000 })
  const words = ['a1', 'b1']
  const first = await version(words)
  await step(first)
  await process(first, words.length)
  await end(first)
  const second = await version(words, { categories: ['guide'] })
  for (let steps = 0; steps < 2; steps++) await step(second)
  expect(await step(second)).toMatchObject({ stage: 'settle', chunksDone: 0 })
  await process(second, 1)
  expect(await step(second)).toMatchObject({ stage: 'settle', chunksDone: 1 })
  await process(second, words.length)
  expect(await step(second)).toMatchObject({ status: 'COMPLETED', memoriesCreated: 0, chunksDone: 2 })
})

test('a memory that a version keeps and that could not be processed is told of', async () => {
  const { version, step, end, process } = await world({ page: 2000 })
  const first = await version(['a1', 'b1'])
  await step(first)
  await process(first, 2)
  await end(first)
  const second = await version(['a1', 'b1'], { categories: ['guide'] })
  for (let steps = 0; steps < 2; steps++) await step(second)
  await process(second, 2)
  await process(second, 1, 'FAILED')
  expect(await step(second)).toMatchObject({ status: 'FAILED', errorCode: 'PROCESSING_FAILED', memoriesFailed: 1 })
})

test('a version queues no more of the memories that it keeps than are soon processed', async () => {
  const { version, step, end, process, pending } = await world({ page: 2000 })
  const words = Array.from({ length: 300 }, (_, n) => `w${n}`)
  const first = await version(words)
  await step(first)
  await process(first, words.length)
  await end(first)
  const second = await version(words, { categories: ['guide'] })
  let job = await step(second)
  while ((await pending()) < 256) job = await step(second)
  job = await step(second)
  expect([await pending(), job.chunksDone]).toEqual([256, 0])
  while (job.stage === 'settle') {
    await process(second, words.length)
    job = await step(second)
  }
  expect(job).toMatchObject({ status: 'COMPLETED', chunksDone: 300 })
})
