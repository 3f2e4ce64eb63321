import { describe, expect, test } from 'bun:test'
import { EmbedderUnavailableError, extend } from 'mneme/plugin'
import { failure } from '../../../test/support/control-plane.ts'
import { noTurn } from '../../../test/support/no-turn.ts'
import { memoryProcessing } from '../contract.ts'
import { jobOf, memoryWorld } from '../world.test-support.ts'
import { processTask } from './process.ts'

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

  test('for its own sake, at the end of the process, or after a day of waiting, fails as any job', async () => {
    const away = new EmbedderUnavailableError('away')
    const dayAgo = new Date(Date.now() - 25 * 3_600_000)
    expect(await failure(process(new Error('its text is odd')))).toMatchObject({ message: 'its text is odd' })
    expect(await failure(process(away, dayAgo))).toBe(away)
    expect(await failure(process(away, undefined, AbortSignal.abort()))).toBe(away)
  })
})
