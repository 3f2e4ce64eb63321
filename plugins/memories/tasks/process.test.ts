import { describe, expect, test } from 'bun:test'
import { EmbedderUnavailableError, extend, type Tenant } from 'mneme/plugin'
import { failure } from '../../../test/support/control-plane.ts'
import { noTurn } from '../../../test/support/no-turn.ts'
import { type MemoryRecord, memoryProcessing } from '../contract.ts'
import { jobOf, memoryWorld } from '../world.test-support.ts'
import { processBatchTask, processTask } from './process.ts'

/** Processes a memory with a step that fails so. */
async function process(error: unknown, waitingSince?: Date, signal = new AbortController().signal) {
  const prepare = () => Promise.reject(error)
  const step = { id: 'failing', order: 1, prepare, write: async () => undefined }
  const { scope, create, shown } = await memoryWorld({ extensions: [extend(memoryProcessing, step)] })
  const memory = await create({ text: 'a' })
  const input = { payload: jobOf(memory), scope, waitingSince, signal, attempt: 5, maxAttempts: 5 }
  const result = await processTask.run(input as never)
  expect((await shown(memory.id)).status).toBe('PROCESSING')
  return result
}

describe('a memory whose processing fails', () => {
  test('for an embedder or a database that is away waits without using up an attempt', async () => {
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    for (const error of [new EmbedderUnavailableError('away'), away, await noTurn()]) {
      expect(await process(error)).toEqual(expect.objectContaining({ inMs: 30_000, progressed: false }))
    }
  })

  test('for an embedder that asks for an hour waits no longer than what counts as progress', async () => {
    const result = await process(new EmbedderUnavailableError('away', { retryAfterMs: 3_600_000 }))
    expect(result).toMatchObject({ inMs: 90_000 })
  })

  test('for an outage waits on however long that lasts', async () => {
    const weekAgo = new Date(Date.now() - 7 * 24 * 3_600_000)
    expect(await process(new EmbedderUnavailableError('away'), weekAgo)).toMatchObject({ inMs: 30_000 })
  })

  test('for a database that is too busy waits for an hour, after which its attempts count', async () => {
    for (const code of ['40001', '40P01', '55P03', '57014']) {
      const busy = Object.assign(new Error('busy'), { code })
      expect(await process(busy, new Date(Date.now() - 3_540_000))).toMatchObject({ inMs: 30_000 })
      expect(await failure(process(busy, new Date(Date.now() - 3_660_000)))).toBe(busy)
    }
  })

  test('for its own sake, or at the end of the process, fails as any job', async () => {
    const away = new EmbedderUnavailableError('away')
    expect(await failure(process(new Error('its text is odd')))).toMatchObject({ message: 'its text is odd' })
    expect(await failure(process(away, undefined, AbortSignal.abort()))).toBe(away)
  })

  test('has progressed, however long its attempt took, so that its attempts are not begun anew', async () => {
    const progressed = async (error: Error) => {
      const step = {
        id: 'slow',
        order: 1,
        async prepare({ transaction }: Tenant) {
          await transaction(tx => tx`update memories.memory set progress_at = now() - interval '3 minutes'`)
          throw error
        },
        write: async () => undefined,
      }
      const { scope, create, tenant } = await memoryWorld({ extensions: [extend(memoryProcessing, step)] })
      const input = { payload: jobOf(await create({ text: 'a' })), scope, signal: new AbortController().signal }
      await Promise.allSettled([processTask.run(input as never)])
      return tenant.transaction(
        tx => tx<{ id: string }[]>`select id from memories.memory where progress_at > now() - interval '2 minutes'`,
      )
    }
    expect(await progressed(new Error('its text is odd'))).toHaveLength(1)
    expect(await progressed(new EmbedderUnavailableError('away'))).toHaveLength(1)
  })
})

describe('a batch of memories', () => {
  const attempt = { attempt: 1, maxAttempts: 5, signal: new AbortController().signal }

  /** Makes a world whose processing fails for texts of which `fault` returns an error, and a batch of two memories in it. */
  async function batch(fault: (text: string) => unknown) {
    const step = {
      id: 'choosy',
      order: 1,
      async prepare(_: unknown, memories: readonly MemoryRecord[]) {
        for (const { text } of memories) if (fault(text) !== undefined) throw fault(text)
        return new Map()
      },
      write: async () => undefined,
    }
    const world = await memoryWorld({ extensions: [extend(memoryProcessing, step)] })
    const memories = await world.createAll(['well', 'odd'])
    const ids = memories.map(memory => ('created' in memory ? memory.created.id : ''))
    const job = world.enqueued.find(({ task }) => task === 'memories:process-batch')
    const run = () => processBatchTask.run({ ...attempt, scope: world.scope, payload: job?.payload } as never)
    return { ...world, ids, job, run, statuses: () => Promise.all(ids.map(async id => (await world.shown(id)).status)) }
  }

  test('is processed by one job', async () => {
    const { run, statuses, kinds } = await batch(() => undefined)
    await run()
    expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED'])
    expect(kinds().filter(kind => kind === 'memory.processed')).toHaveLength(2)
  })

  test('is processed but for the one that fails, which gets a job of its own', async () => {
    const { run, statuses, enqueued, ids } = await batch(text => (text === 'odd' ? new Error('odd') : undefined))
    enqueued.length = 0
    expect(await run()).toBeUndefined()
    expect(await statuses()).toEqual(['COMPLETED', 'PROCESSING'])
    expect(enqueued).toMatchObject([{ task: 'memories:process', key: `memories:process:${ids[1]}`, maxAttempts: 4 }])
  })

  test('waits as a whole for a service that is away', async () => {
    const { run, statuses, enqueued } = await batch(() => new EmbedderUnavailableError('away'))
    enqueued.length = 0
    expect(await run()).toMatchObject({ inMs: 30_000 })
    expect({ statuses: await statuses(), enqueued }).toEqual({ statuses: ['PROCESSING', 'PROCESSING'], enqueued: [] })
  })

  test('leaves out what was changed since', async () => {
    const { run, statuses, tenant, ids } = await batch(() => undefined)
    await tenant.transaction(tx => tx`update memories.memory set revision = 2 where memory.id = ${ids[0] ?? ''}`)
    await run()
    expect(await statuses()).toEqual(['PENDING', 'COMPLETED'])
  })

  test('is FAILED after the last attempt, each memory with the reason', async () => {
    const { scope, job, statuses, kinds } = await batch(() => undefined)
    await processBatchTask.exhausted?.({ ...attempt, scope, payload: job?.payload } as never, new Error('too slow'))
    expect(await statuses()).toEqual(['FAILED', 'FAILED'])
    expect(kinds().filter(kind => kind === 'memory.failed')).toHaveLength(2)
  })
})
