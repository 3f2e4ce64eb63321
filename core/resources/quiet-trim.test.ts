import { expect, test } from 'bun:test'
import { QuietTrim } from './memory-watch.ts'

const SECOND = 1000

/** A process whose memory, clock and processor time the test sets. */
function quietProcess() {
  const state = { now: 0, used: 0, trims: 0 }
  const watch = new QuietTrim({
    now: () => state.now,
    processorMs: () => state.used,
    trim: () => void state.trims++,
  })
  /** Lets some seconds pass, of which the processor works a share, and looks each second. @returns the trims meanwhile */
  const pass = (seconds: number, share: number, bytes: number) => {
    const before = state.trims
    for (let second = 0; second < seconds; second++) {
      state.now += SECOND
      state.used += share * SECOND
      watch.look(bytes)
    }
    return state.trims - before
  }
  return pass
}

test('a process that has grown is trimmed when it has had nothing to do for ten seconds, and not before', () => {
  const pass = quietProcess()
  pass(10, 0, 300)
  expect(pass(60, 1.5, 400)).toBe(0)
  expect(pass(9, 0.01, 400)).toBe(0)
  expect(pass(11, 0.01, 400)).toBe(1)
})

test('it is trimmed once, and again only when it has worked for twenty seconds and has grown', () => {
  const pass = quietProcess()
  pass(20, 1, 300)
  expect(pass(30, 0, 400)).toBe(1)
  expect(pass(60, 0, 350)).toBe(0)
  pass(19, 1, 384)
  expect(pass(60, 0, 384)).toBe(0)
  pass(1, 1, 384)
  expect(pass(60, 0, 356)).toBe(0)
  expect(pass(60, 0, 358)).toBe(1)
})

test('a process that does not grow is not trimmed, however much it has worked', () => {
  const pass = quietProcess()
  pass(600, 1, 300)
  expect(pass(3600, 0.05, 300)).toBe(0)
})

test('a process that always has something to do is not trimmed, however large', () => {
  const pass = quietProcess()
  pass(10, 0, 300)
  expect(pass(3600, 0.2, 900)).toBe(0)
})
