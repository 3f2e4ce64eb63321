import { expect, test } from 'bun:test'
import { failure } from '../../test/support/control-plane.ts'
import { fewASecond } from './few-a-second.ts'

test('work that a flood asks for runs ten times a second, and its last result is less than a second old', async () => {
  const clock = { now: 0, runs: 0 }
  const ask = fewASecond(
    async () => ++clock.runs,
    () => clock.now,
  )
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
  const results: number[] = []
  for (let n = 0; n < 100; n++) results.push(await ask())
  expect([results.at(0), results.at(-1), clock.runs]).toEqual([2, 10, 10])
  clock.now = 1000
  expect(await ask()).toBe(11)
})

test('work that fails is tried again by whoever asks next', async () => {
  let runs = 0
  const ask = fewASecond(async () => {
    if (++runs <= 20) throw new Error('away')
    return runs
  })
  for (let n = 0; n < 20; n++) expect(await failure(ask())).toMatchObject({ message: 'away' })
  expect(await ask()).toBe(21)
})
