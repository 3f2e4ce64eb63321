import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../../core/config.ts'
import { memoriesConfig, parseDuration } from './environment.ts'

const DAY_MS = 86_400_000

describe('TASK_TTL', () => {
  test('is seven days when it is not set', () => {
    const { values, faults } = readConfig(memoriesConfig, {})
    expect(faults).toEqual([])
    expect(parseDuration(values.TASK_TTL)).toBe(7 * DAY_MS)
  })

  test.each([
    ['45s', 45_000],
    ['90m', 90 * 60_000],
    ['12h', 12 * 3_600_000],
    ['3d', 3 * DAY_MS],
    ['604800', 7 * DAY_MS],
  ])('%s is parsed with its unit', (duration, milliseconds) => {
    expect(readConfig(memoriesConfig, { TASK_TTL: duration }).faults).toEqual([])
    expect(parseDuration(duration)).toBe(milliseconds)
  })

  test.each(['0', '-1d', '1w', 'soon', '1.5h', '0d'])("%s is refused with the setting's name", duration => {
    expect(readConfig(memoriesConfig, { TASK_TTL: duration }).faults.map(fault => fault.name)).toEqual(['TASK_TTL'])
  })

  test('a very long duration still gives a valid date', () => {
    expect(new Date(Date.now() + parseDuration('999999999d')).getUTCFullYear()).toBeLessThan(2200)
  })
})
