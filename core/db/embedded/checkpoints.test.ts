import { expect, test } from 'bun:test'
import { CheckpointSchedule } from './checkpoints.ts'

const megabyte = 1024 * 1024

test('a checkpoint waits for a quiet moment until there is very much to save', () => {
  const schedule = new CheckpointSchedule(0)
  expect(schedule.isDue(100 * megabyte, false, 1)).toBe(false)
  expect(schedule.isDue(100 * megabyte, true, 1)).toBe(true)
  expect(schedule.isDue(256 * megabyte, false, 1)).toBe(true)
})

test('in a quiet moment little is saved only when the last checkpoint is long ago, and nothing never', () => {
  const schedule = new CheckpointSchedule(0)
  expect(schedule.isDue(1, true, 299_999)).toBe(false)
  expect(schedule.isDue(1, true, 300_000)).toBe(true)
  expect(schedule.isDue(0, true, 300_000)).toBe(false)
  schedule.done(300_000)
  expect(schedule.isDue(1, true, 300_001)).toBe(false)
})
