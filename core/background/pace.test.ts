import { describe, expect, test } from 'bun:test'
import { turnsDuring } from '../../test/support/event-loop.ts'
import { letOthersIn, paced } from './pace.ts'
import type { Steps } from './steps.ts'

/** These steps keep the thread busy for two milliseconds each. */
function* busy(steps: number): Steps<number> {
  for (let step = 0; step < steps; step++) {
    const end = performance.now() + 2
    while (performance.now() < end);
    yield
  }
  return steps
}

describe('paced work', () => {
  test('ends with its result', async () => {
    expect(await paced(busy(3))).toBe(3)
  })

  test('lets the event loop turn again and again', async () => {
    expect(await turnsDuring(paced(busy(60)))).toBeGreaterThanOrEqual(5)
  })

  test('gives one slice a turn, however many are under way', async () => {
    const ended: number[] = []
    const all = Array.from({ length: 8 }, (_, n) => paced(busy(20)).then(() => ended.push(n)))
    expect(await turnsDuring(Promise.all(all))).toBeGreaterThanOrEqual(8)
    expect(ended).toHaveLength(8)
  })

  test('lets the event loop turn between short pieces of work that follow each other', async () => {
    const each = async () => {
      for (let n = 0; n < 60; n++) await paced(busy(1))
    }
    expect(await turnsDuring(each())).toBeGreaterThanOrEqual(5)
  })

  test('lets the event loop turn between the rounds of a loop that asks for it', async () => {
    const each = async () => {
      for (let n = 0; n < 60; n++) {
        for (const _ of busy(1));
        await letOthersIn()
      }
    }
    expect(await turnsDuring(each())).toBeGreaterThanOrEqual(5)
  })

  test('passes on what the work throws', async () => {
    function* failing(): Steps<never> {
      yield
      throw new Error('in the middle')
    }
    expect(paced(failing())).rejects.toThrow('in the middle')
  })
})
