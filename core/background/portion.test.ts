import { expect, test } from 'bun:test'
import { Portion } from './portion.ts'

function portionWithClock() {
  let now = 0
  const portion = new Portion({ targetMs: 100, least: 10, most: 1000, now: () => now })
  /** Does so much work that takes so long, and returns the next portion. */
  const next = async (amount: number, ms: number) => {
    const work = async () => {
      now += ms
    }
    await portion.timed(work, () => amount)
    return portion.size
  }
  return { portion, next }
}

test('a portion follows from what the ones before it took', async () => {
  const { portion, next } = portionWithClock()
  expect(portion.size).toBe(1000)
  expect(await next(1000, 125)).toBe(800)
  expect(await next(800, 60_000)).toBe(400)
  expect(await next(400, 80)).toBe(500)
  expect(await next(500, 10)).toBe(1000)
  for (let n = 0; n < 10; n++) await next(1000, 60_000)
  expect(portion.size).toBe(10)
  expect(await next(10, 1)).toBe(20)
})

test('little that took little says nothing', async () => {
  const { next } = portionWithClock()
  expect(await next(1, 50)).toBe(1000)
  expect(await next(100, 200)).toBe(500)
})

test('what fails teaches nothing, and its error is passed on', async () => {
  const { portion } = portionWithClock()
  const failing = portion.timed(
    () => Promise.reject(new Error('no')),
    () => 1000,
  )
  expect(await failing.catch(error => error.message)).toBe('no')
  expect(portion.size).toBe(1000)
})
