import { expect, test } from 'bun:test'
import { createLog } from '../log.ts'
import type { Chore } from '../plugin.ts'
import { ChoreRunner } from './chores.ts'

const log = createLog('silent')

/** Makes a chore that tells when it ran for the first time. */
function telling(name: string, run: Chore['run']): Chore & { ran: Promise<void>; runs(): number } {
  const { promise: ran, resolve } = Promise.withResolvers<void>()
  let runs = 0
  return {
    name,
    everyMs: 1,
    ran,
    runs: () => runs,
    run() {
      runs++
      if (runs === 2) resolve()
      return run()
    },
  }
}

test('a chore that throws before there is a promise, or hands back none, comes again', async () => {
  const throws = telling('throws', () => {
    throw new Error('at once')
  })
  const nothing = telling('nothing', () => undefined as never)
  const runner = new ChoreRunner(
    [throws, nothing].map(chore => ({ owner: 'weather', chore })),
    log,
  )
  runner.start()
  await Promise.all([throws.ran, nothing.ran])
  await runner.stop(1000)
})

test('one that hangs holds up neither the others nor the stop, and is named', async () => {
  const lines: string[] = []
  const listening = Object.assign(Object.create(log), { error: (line: string) => lines.push(line) })
  const hangs = { name: 'hangs', everyMs: 1000, run: () => new Promise<void>(() => undefined) }
  let flushed = false
  const setFlushed = () => {
    flushed = true
  }
  const flush = { name: 'flush', everyMs: 1000, run: async () => setFlushed() }
  const owned = [hangs, flush].map(chore => ({ owner: 'weather', chore }))
  await new ChoreRunner(owned, listening).stop(20)
  expect(flushed).toBe(true)
  expect(lines).toEqual(['plugin weather: the chore hangs did not end at the stop'])
})

test('a chore that found nothing to do comes again later, one that did or that has no such interval comes at its own', async () => {
  const idle = telling('idle', async () => 'idle')
  const busy = telling('busy', async () => 'busy')
  const plain = telling('plain', async () => 'idle')
  const runner = new ChoreRunner(
    [{ ...idle, idleMs: 3_600_000 }, { ...busy, idleMs: 3_600_000 }, plain].map(chore => ({ owner: 'weather', chore })),
    log,
  )
  runner.start()
  await Promise.all([busy.ran, plain.ran])
  expect(idle.runs()).toBe(1)
  await runner.stop(1000)
})

test('the first run comes a whole interval after the start, so that of two services the one that started earlier goes first', async () => {
  const intervals = [47, 61, 71, 83, 97]
  const began = performance.now()
  const firstRuns = intervals.map(everyMs => {
    const { promise, resolve } = Promise.withResolvers<number>()
    const chore = { name: 'first', everyMs, run: async () => resolve(performance.now() - began) }
    const runner = new ChoreRunner([{ owner: 'weather', chore }], log)
    runner.start()
    return promise.finally(() => runner.stop(1000))
  })
  const ranAfter = await Promise.all(firstRuns)
  expect(intervals.filter((everyMs, n) => (ranAfter[n] ?? 0) < everyMs - 2)).toEqual([])
})
