import { setImmediate } from 'node:timers'
import type { Steps } from './steps.ts'

/**
 * Work may keep the thread for so long before the event loop gets a turn. A request takes a turn for each of its statements, some twenty in
 * all, and waits for a slice in each of them.
 */
const SLICE_MS = 2

/**
 * Does work in steps and lets the event loop turn about every 2 ms. However many are under way, each turn gives one of them
 * its slice, so that requests never wait for more than that.
 */
export async function paced<T>(steps: Steps<T>): Promise<T> {
  let until = performance.now() + SLICE_MS
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() < until) continue
    await turn()
    until = performance.now() + SLICE_MS
  }
}

const waiting: (() => void)[] = []

function turn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  if (waiting.length === 1) setImmediate(next)
  return promise
}

/** A slice that was let go queues again before the next turn, behind those that wait already. */
function next(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(next)
}
