import { expect, test } from 'bun:test'
import { fail } from '../errors.ts'
import { restAfter, sharesOf } from './shares.ts'
import { MB } from './sizes.ts'
import { Transfers } from './transfers.ts'

function thrownBy(work: () => void): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test('shares of heavy classes are smaller, and smaller still on the embedded database; hundreds may wait in each', () => {
  for (const kind of ['server', 'embedded'] as const) {
    const { light, heavy, bulk, upload } = sharesOf(kind)
    expect([heavy.running < light.running, bulk.running <= heavy.running]).toEqual([true, true])
    expect([light, heavy, bulk, upload].filter(({ waiting }) => waiting < 200)).toEqual([])
  }
  expect(sharesOf('embedded').bulk.running).toBe(1)
  expect(sharesOf('embedded').heavy.statementMs).toBeLessThanOrEqual(2000)
})

test('a permit rests after a statement that took too long, work that was thrown away, and a large response', () => {
  const tooLong = fail('SERVICE_UNAVAILABLE', { cause: Object.assign(new Error('cancelled'), { code: '57014' }) })
  expect([restAfter(tooLong, 200), restAfter(tooLong, 15_000)]).toEqual([1800, 20_000])
  const transfers = new Transfers()
  transfers.responses.take('a', 192 * MB)
  expect(
    restAfter(
      thrownBy(() => transfers.sending('a', 1)),
      200,
    ),
  ).toBe(1000)
  expect(restAfter(undefined, 200, 4 * MB)).toBe(1024)
  expect([restAfter(undefined, 200), restAfter(new Error('broken'), 200)]).toEqual([0, 0])
})
