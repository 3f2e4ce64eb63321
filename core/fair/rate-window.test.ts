import { expect, test } from 'bun:test'
import { RateWindow } from './rate-window.ts'

function clocked(limit: number, keysMax = 10) {
  const clock = { now: 60_000 }
  return { clock, window: new RateWindow({ name: 'test.counts', limit, keysMax, now: () => clock.now }) }
}

test('a window lets its limit through, refuses until it ends, and knows so many keys', () => {
  const { clock, window } = clocked(2, 1)
  expect([window.consume('a').limited, window.consume('a').remaining]).toEqual([false, 0])
  clock.now += 20_000
  expect(window.consume('a')).toEqual({ limited: true, refused: 1, limit: 2, remaining: 0, resetSeconds: 40 })
  clock.now += 40_000
  expect(window.consume('a', 3)).toMatchObject({ limited: false, limit: 6, remaining: 5 })
  window.consume('b')
  expect([window.consume('a').remaining, window.holding.bytes()]).toEqual([1, 512])
})

test('counts are told once, again where that failed, and what others counted is learned', async () => {
  const { window } = clocked(100)
  window.consume('a')
  await expect(window.exchange(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  const told: number[] = []
  const tell = async (counted: ReadonlyMap<string, { count: number }>) => {
    told.push(counted.get('a')?.count ?? 0)
    return new Map([['a', 90]])
  }
  await window.exchange(tell)
  await window.exchange(tell)
  expect([told, window.consume('a').remaining]).toEqual([[1], 9])
})
