import { describe, expect, test } from 'bun:test'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { ByteRate } from './transfers.ts'

const rate = () => new ByteRate({ bytesPerSecond: 1000, burstBytes: 500 })

describe('a rate of bytes', () => {
  test('lets a burst through at once, and what follows at the rate', () => {
    const bytes = rate()
    expect([bytes.take('a', 500, 0), bytes.take('a', 100, 0), bytes.take('a', 100, 50)]).toEqual([0, 100, 150])
  })

  test('lets a burst through again once all before it would have passed', () => {
    const bytes = rate()
    bytes.take('a', 1500, 0)
    expect([bytes.take('a', 500, 1500), bytes.take('a', 1, 1500)]).toEqual([0, 0])
    expect(bytes.take('a', 99, 1500)).toBe(100)
  })

  test('counts each holder by itself, and forgets those whose bytes are through', () => {
    const bytes = rate()
    expect([bytes.take('a', 700, 0), bytes.take('b', 500, 0)]).toEqual([200, 0])
    expect(bytes.holders).toBe(2)
    bytes.take('c', 1, 701)
    expect(bytes.holders).toBe(1)
  })

  test('is bounded in the number of holders', () => {
    const bytes = rate()
    for (let n = 0; n < 20_000; n++) bytes.take(`holder ${n}`, 10_000, 0)
    expect(bytes.holders).toBe(10_000)
  })

  test('holds up whoever passes for that long', async () => {
    const [bytes, clock] = [rate(), new ManualClock()]
    await bytes.pass('a', 500, clock)
    let passed = false
    const passing = bytes.pass('a', 200, clock).then(() => {
      passed = true
    })
    clock.advance(199)
    await Promise.resolve()
    expect(passed).toBe(false)
    clock.advance(1)
    await passing
    expect(clock.waiting).toBe(0)
  })
})
