import { describe, expect, test } from 'bun:test'
import type { MemoryRecord } from '../contract.ts'
import { type Alike, joinedMarks, marksWithout, planMerges } from './merges.ts'

const HOUR_MS = 3_600_000

/** A memory of the given age; letters stand for ids. */
function alike(id: string, hours: number, fields: Partial<Alike> = {}, record: Partial<MemoryRecord> = {}): Alike {
  return {
    record: {
      id,
      workspaceId: 'w',
      text: 'Ada likes tea',
      userId: 'ada',
      agentId: null,
      sessionId: null,
      priority: 'MEDIUM',
      status: 'COMPLETED',
      categories: [],
      metadata: null,
      layer: 'RAW',
      expiresAt: null,
      source: 'API',
      revision: 1,
      consolidatedInto: null,
      createdAt: new Date(hours * HOUR_MS),
      updatedAt: new Date(hours * HOUR_MS),
      ...record,
    },
    likeness: 'x',
    keptApart: false,
    processed: true,
    ...fields,
  }
}

/** Which memories go into which, as `survivor<absorbed`. */
function planned(...memories: Alike[]): string[] {
  const merges = planMerges(memories)
  return merges.map(({ survivor, absorbed }) => `${survivor.id}<${absorbed.map(({ id }) => id).join('')}`)
}

describe('which memories are merged', () => {
  test('the younger into the oldest, whatever order they come in, by id at the same time', () => {
    expect(planned(alike('c', 3), alike('a', 1), alike('b', 2))).toEqual(['a<bc'])
    expect(planned(alike('b', 1), alike('a', 1))).toEqual(['a<b'])
  })

  test('only those that say the same', () => {
    expect(
      planned(alike('a', 1), alike('b', 2, { likeness: 'y' }), alike('c', 3), alike('d', 4, { likeness: 'y' })),
    ).toEqual(['a<c', 'b<d'])
  })

  test('two that are not being processed are left as they are', () => {
    const [a, b] = [alike('a', 1, { processed: false }), alike('b', 2, { processed: false })]
    expect(planned(a, b)).toEqual([])
    expect(planned(a, b, alike('c', 3))).toEqual(['a<c'])
    expect(planned(alike('0', 0), a, b)).toEqual(['0<ab'])
  })

  test('one that was restored is never absorbed again, but absorbs', () => {
    const restored = alike('b', 2, { keptApart: true })
    expect(planned(alike('a', 1), restored)).toEqual([])
    expect(planned(restored, alike('c', 3))).toEqual(['b<c'])
  })

  test('one whose metadata says more goes into the oldest that says it too', () => {
    const mail = alike('b', 2, {}, { metadata: { from: 'mail' } })
    expect(planned(alike('a', 1), mail, alike('c', 3, {}, { metadata: { from: 'mail' } }))).toEqual(['b<c'])
    expect(planned(alike('a', 1), mail, alike('c', 3))).toEqual(['a<c'])
  })

  test('what is said of a day only with what was said at that time', () => {
    const text = 'We meet tomorrow'
    expect(planned(alike('a', 1, {}, { text }), alike('b', 2, {}, { text }))).toEqual(['a<b'])
    expect(planned(alike('a', 1, {}, { text }), alike('b', 3, {}, { text }), alike('c', 3.5, {}, { text }))).toEqual([
      'b<c',
    ])
  })
})

describe('the marks of a survivor', () => {
  const marks = (categories: string[], priority: 'LOW' | 'MEDIUM' | 'HIGH') => ({ categories, priority })

  test('are its own and those of the absorbed', () => {
    expect(joinedMarks(marks(['a', 'b'], 'LOW'), [marks(['b', 'c'], 'HIGH'), marks([], 'MEDIUM')])).toEqual(
      marks(['a', 'b', 'c'], 'HIGH'),
    )
  })

  test('lose what one that leaves brought alone', () => {
    const current = marks(['a', 'b', 'c'], 'HIGH')
    const leaving = marks(['b', 'c'], 'HIGH')
    expect(marksWithout(current, leaving, marks(['a'], 'LOW'), [])).toEqual(marks(['a'], 'LOW'))
    expect(marksWithout(current, leaving, marks(['a'], 'LOW'), [marks(['c'], 'MEDIUM')])).toEqual(
      marks(['a', 'c'], 'MEDIUM'),
    )
  })

  test('keep what somebody set since', () => {
    const set = { categories: null, priority: null }
    expect(marksWithout(marks(['b'], 'HIGH'), marks(['b'], 'HIGH'), set, [])).toEqual(marks(['b'], 'HIGH'))
    expect(marksWithout(marks(['b', 'z'], 'LOW'), marks(['b'], 'HIGH'), marks([], 'LOW'), [])).toEqual(
      marks(['z'], 'LOW'),
    )
  })
})
