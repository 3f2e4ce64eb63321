import { setImmediate } from 'node:timers'
import type { Steps } from './steps.ts'

/**
 * Work may keep the thread for so long before the event loop gets a turn. A request takes a turn for each of its statements, some twenty in
 * all, and waits for a slice in each of them.
 */
const SLICE_MS = 2

/** When the slice of this turn of the event loop ends; `undefined` until somebody works in it. */
let sliceEnd: number | undefined

/**
 * Does work in steps and lets the event loop turn about every 2 ms. However many are under way, or follow each other in one turn, each turn
 * has one slice, so that requests never wait for more than that.
 */
export async function paced<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    await letOthersIn()
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Lets the event loop turn where this turn's slice is over. For work that awaits nothing but itself, such as a loop over what is in memory already. */
export async function letOthersIn(): Promise<void> {
  if (performance.now() >= endOfSlice()) await turn()
}

function endOfSlice(): number {
  if (sliceEnd === undefined) {
    sliceEnd = performance.now() + SLICE_MS
    setImmediate(freshSlice)
  }
  return sliceEnd
}

function freshSlice(): void {
  sliceEnd = undefined
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
  freshSlice()
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(next)
}
