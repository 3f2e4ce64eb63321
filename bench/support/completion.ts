import { setTimeout as pause } from 'node:timers/promises'
import { freshText } from './measure.ts'
import type { BenchService } from './service.ts'

/** A memory that takes longer is not worth waiting for. */
const LIMIT_MS = 300_000

/**
 * Milliseconds from the 201 of a memory until get-one says COMPLETED, for `count` of them, one after the other.
 *
 * @param pauseMs between two looks; without one, looking itself is part of the load
 * @param textOf short texts unless given
 */
export async function completions(
  call: BenchService['call'],
  count: number,
  pauseMs = 0,
  textOf: (n: number) => string = freshText,
): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) times.push(await completion(call, textOf(n), pauseMs))
  return times
}

async function completion(call: BenchService['call'], memory: string, pauseMs: number): Promise<number> {
  const { id } = (await call('POST', '/v1/memories', { memory })) as { id: string }
  const acceptedAt = performance.now()
  for (;;) {
    const { status } = (await call('GET', `/v1/memories/${id}`)) as { status: string }
    const elapsed = performance.now() - acceptedAt
    if (status === 'COMPLETED') return elapsed
    if (status === 'FAILED' || elapsed > LIMIT_MS) throw new Error(`the memory is ${status} after ${elapsed} ms`)
    if (pauseMs > 0) await pause(pauseMs)
  }
}
