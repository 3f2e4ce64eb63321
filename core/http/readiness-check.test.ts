import { expect, test } from 'bun:test'
import { createLog } from '../log.ts'
import { ReadinessCheck } from './readiness-check.ts'

test('a check that fails takes the server out of rotation where its part is essential, and else degrades', async () => {
  const stateOf = (parts: { essential?: boolean }) => {
    const check = { name: 'vendor', check: () => Promise.reject(new Error('the vendor is away')), ...parts }
    return new ReadinessCheck({ owner: 'weather', check }, createLog('silent')).state()
  }
  expect([await stateOf({}), await stateOf({ essential: false })]).toEqual(['degraded', 'degraded'])
  expect(await stateOf({ essential: true })).toBe('failed')
})
