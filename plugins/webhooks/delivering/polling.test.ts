import { expect, test } from 'bun:test'
import { Polling } from './polling.ts'

function started() {
  let now = 0
  const polling = new Polling(
    () => undefined,
    () => now,
  )
  /** Looks every 100 ms, each look finding so many. @returns what was renewed */
  const look = (found: number, seconds: number) => {
    const renewed: number[] = []
    for (let n = 0; n < seconds * 10; n++) {
      now += 100
      const polledMs = polling.renewal('w', found)
      if (polledMs > 0) renewed.push(polledMs)
      polling.looked('w')
    }
    return renewed
  }
  return { polling, look }
}

test('a workspace with 20 deliveries a second is polled, and that is renewed each second', () => {
  const { polling, look } = started()
  expect(look(2, 5)).toEqual([3000, 3000, 3000, 3000])
  expect(polling.stop()).toEqual(['w'])
})

test('one with fewer is not, and one that was is no longer 8 seconds later', () => {
  const { polling, look } = started()
  expect(look(1, 5)).toEqual([])
  expect(look(2, 3).length).toBeGreaterThan(1)
  look(0, 10)
  expect(polling.stop()).toEqual([])
})
