import { describe, expect, test } from 'bun:test'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { Allowances } from './allowances.ts'

function world() {
  const clock = new ManualClock()
  const allowances = new Allowances(clock)
  /** A transaction that begins as soon as its workspace may, and holds the database for so long. */
  const run = (workspace: string, heldMs: number, urgent = true) => {
    const restMs = allowances.restMs(workspace, urgent)
    clock.advance(restMs + heldMs)
    allowances.use(workspace, urgent, heldMs)
    return restMs
  }
  return { clock, allowances, run }
}

describe('the time of a database that does one transaction at a time', () => {
  test('is all of a workspace while it is alone, and half of it from when another comes', () => {
    const { clock, allowances, run } = world()
    expect(Array.from({ length: 20 }, () => run('a', 100))).toEqual(Array(20).fill(0))
    const startedAt = clock.now()
    let heldMs = 0
    while (clock.now() - startedAt < 10_000) {
      allowances.use('b', true, 1)
      run('a', 100)
      heldMs += 100
    }
    expect(heldMs / (clock.now() - startedAt)).toBeCloseTo(0.5, 1)
  })

  test('is not rationed for one that uses little of it, whatever others do', () => {
    const { run } = world()
    const rests: number[] = []
    for (let n = 0; n < 100; n++) {
      run('a', 100)
      rests.push(run('b', 10))
    }
    expect(rests).toEqual(Array(100).fill(0))
  })

  test('leaves something to others also where several use all they are given', () => {
    const { clock, allowances } = world()
    const used = { a: 0, b: 0, c: 0 }
    allowances.use('d', true, 1)
    const startedAt = clock.now()
    while (clock.now() - startedAt < 20_000) {
      allowances.use('d', true, 1)
      for (const name of ['a', 'b', 'c'] as const) {
        if (allowances.restMs(name, true) > 0) continue
        clock.advance(50)
        allowances.use(name, true, 50)
        used[name] += 50
      }
      clock.advance(10)
    }
    const shares = Object.values(used).map(ms => ms / (clock.now() - startedAt))
    for (const share of shares) expect(share).toBeCloseTo(0.25, 1)
  })

  test('that requests use leaves a part to the jobs of their workspace, and jobs hold up no request', () => {
    const { clock, allowances, run } = world()
    let jobsMs = 0
    let longest = 0
    const startedAt = clock.now()
    while (clock.now() - startedAt < 20_000) {
      allowances.use('b', true, 1)
      if (allowances.restMs('a', false) === 0) {
        clock.advance(50)
        allowances.use('a', false, 50)
        jobsMs += 50
      }
      longest = Math.max(longest, run('a', 50))
    }
    expect(jobsMs / (clock.now() - startedAt)).toBeGreaterThan(0.1)
    // A request of 50 ms is made up for in twice that at most.
    expect(longest).toBeLessThanOrEqual(101)
  })

  test('is given anew to a workspace of which nothing was heard for five seconds', () => {
    const { clock, allowances } = world()
    allowances.use('a', true, 60_000)
    allowances.use('b', true, 1)
    expect(allowances.restMs('a', true)).toBeGreaterThan(100_000)
    clock.advance(5001)
    allowances.use('b', true, 1)
    expect([allowances.restMs('a', true), allowances.hasCompany('b')]).toEqual([0, false])
  })
})
