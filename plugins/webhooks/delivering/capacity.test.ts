import { describe, expect, test } from 'bun:test'
import { Capacity, type Place } from './capacity.ts'

interface Parts {
  host?: string
  failing?: boolean
  succeeded?: boolean
  workspaceId?: string
}

const receiver = (id: string, parts: Parts = {}) => ({
  id,
  workspaceId: parts.workspaceId ?? `workspace of ${id}`,
  host: parts.host ?? `${id}.test`,
  failing: parts.failing ?? false,
  succeeded: parts.succeeded ?? false,
})

function started() {
  const woken: string[] = []
  let now = 0
  const capacity = new Capacity(
    workspaceId => woken.push(workspaceId),
    () => now,
  )
  return {
    capacity,
    woken,
    pass: (ms: number) => {
      now += ms
    },
  }
}

const MANY = 1000
const end = (places: readonly Place[], outcome: 'succeeded' | 'failed') => {
  for (const place of places) place.release(outcome)
}

describe('a receiver', () => {
  test('that nothing is known of begins with one attempt, and has more with each success, up to 14', () => {
    const { capacity } = started()
    const windows: number[] = []
    for (let n = 0; n < 6; n++) {
      const places = capacity.take(receiver('new'), MANY)
      windows.push(places.length)
      places[0]?.release('succeeded')
      for (const place of places.slice(1)) place.release(undefined)
    }
    expect(windows).toEqual([1, 2, 4, 8, 14, 14])
    expect(capacity.running).toBe(0)
  })

  test('that fails falls back to one', () => {
    const { capacity } = started()
    const known = receiver('known', { succeeded: true })
    const places = capacity.take(known, MANY)
    expect(places).toHaveLength(4)
    end(places, 'failed')
    expect(capacity.take({ ...known, failing: true }, MANY)).toHaveLength(1)
  })

  test('that is slow now gets no more than four', () => {
    const { capacity, pass } = started()
    const known = receiver('known', { succeeded: true })
    end(capacity.take(known, MANY), 'succeeded')
    const [first] = capacity.take(known, 2)
    pass(1001)
    expect(capacity.take(known, MANY)).toHaveLength(2)
    expect(capacity.take(known, MANY)).toHaveLength(0)
    first?.release('succeeded')
    expect(capacity.take(known, MANY)).toHaveLength(1)
  })

  test('gives a place back once', () => {
    const { capacity } = started()
    const [place] = capacity.take(receiver('one'), 1)
    place?.release('failed')
    place?.release('failed')
    expect(capacity.running).toBe(0)
    expect(capacity.take(receiver('one'), MANY)).toHaveLength(1)
  })
})

describe('any number of receivers that fail', () => {
  test('leave room for those that answer', () => {
    const { capacity } = started()
    const failing = Array.from({ length: 200 }, (_, n) => capacity.take(receiver(`f${n}`, { failing: true }), MANY))
    expect(failing.flat()).toHaveLength(24)
    const fresh = Array.from({ length: 200 }, (_, n) => capacity.take(receiver(`n${n}`), MANY))
    expect(fresh.flat()).toHaveLength(32)
    expect(capacity.take(receiver('known', { succeeded: true }), MANY)).toHaveLength(4)
  })

  test('at one host leave room for others there', () => {
    const { capacity } = started()
    const host = 'hooks.test'
    for (let n = 0; n < 50; n++) capacity.take(receiver(`f${n}`, { failing: true, host }), MANY)
    for (let n = 0; n < 50; n++) capacity.take(receiver(`n${n}`, { host }), MANY)
    expect(capacity.running).toBe(10)
    expect(capacity.take(receiver('known', { succeeded: true, host }), MANY)).toHaveLength(4)
  })

  test('take turns: whoever found no room is woken when there is some, in the order in which they came', () => {
    const { capacity, woken } = started()
    const places = Array.from({ length: 24 }, (_, n) => capacity.take(receiver(`f${n}`, { failing: true }), 1)).flat()
    for (const late of ['late', 'later']) expect(capacity.take(receiver(late, { failing: true }), 1)).toEqual([])
    capacity.nudge()
    expect(woken).toEqual([])
    places[0]?.release('failed')
    capacity.nudge()
    expect(woken).toEqual(['workspace of late'])
    // It needed no place after all.
    capacity.nudge()
    expect(woken).toEqual(['workspace of late', 'workspace of later'])
  })
})

describe('a workspace with any number of receivers that take long and succeed', () => {
  const fill = (capacity: Capacity, parts: Parts) =>
    Array.from({ length: 100 }, (_, n) => capacity.take(receiver(`${parts.workspaceId} ${n}`, parts), MANY)).flat()

  test.each([
    ['that have answered', { succeeded: true }, 64],
    ['that nothing is known of', {}, 22],
    ['that fail', { failing: true }, 16],
  ])('leaves a third of the places of those %s to others', (_, parts, most) => {
    const { capacity } = started()
    expect(fill(capacity, { ...parts, workspaceId: 'slow' })).toHaveLength(most)
    expect(capacity.take(receiver('other', parts), 1)).toHaveLength(1)
  })

  test('leaves a place to the sixth, beside four others like it', () => {
    const { capacity } = started()
    for (let n = 0; n < 5; n++) fill(capacity, { succeeded: true, workspaceId: `slow ${n}` })
    expect(capacity.take(receiver('fast', { succeeded: true }), MANY)).not.toEqual([])
  })

  test('is woken when its part has grown, and not before', () => {
    const { capacity, woken } = started()
    const others = fill(capacity, { succeeded: true, workspaceId: 'other' })
    const slow = fill(capacity, { succeeded: true, workspaceId: 'slow' })
    capacity.nudge()
    expect(woken).toEqual([])
    end(others, 'succeeded')
    capacity.nudge()
    capacity.nudge()
    expect(woken).toEqual(['other', 'slow'])
    expect([...slow, ...fill(capacity, { succeeded: true, workspaceId: 'slow' })]).toHaveLength(64)
  })
})
