import { describe, expect, test } from 'bun:test'
import { memoryRecord } from '../../../test/support/memory-record.ts'
import type { MemoryRecord } from '../contract.ts'
import { fieldsWithout, mergeFields, type NearDuplicate, planMerges } from './merges.ts'

const HOUR_MS = 3_600_000

/** Builds a memory of the given age; letters serve as ids. */
function nearDuplicate(
  id: string,
  hours: number,
  fields: Partial<NearDuplicate> = {},
  record: Partial<MemoryRecord> = {},
): NearDuplicate {
  const at = new Date(hours * HOUR_MS)
  const stored = { text: 'Ada likes tea', userId: 'ada', status: 'COMPLETED', createdAt: at, updatedAt: at } as const
  return {
    record: memoryRecord({ id, workspaceId: 'w', ...stored, ...record }),
    likeness: 'x',
    dependsOnDay: false,
    keptApart: false,
    processed: true,
    ...fields,
  }
}

/** Plans merges and writes each as `survivor<absorbed`. */
function planned(...memories: NearDuplicate[]): string[] {
  const merges = planMerges(memories)
  return merges.map(({ survivor, absorbed }) => `${survivor.id}<${absorbed.map(({ id }) => id).join('')}`)
}

describe('a plan of merges', () => {
  test('merges younger memories into the oldest in any input order, by id at equal times', () => {
    expect(planned(nearDuplicate('c', 3), nearDuplicate('a', 1), nearDuplicate('b', 2))).toEqual(['a<bc'])
    expect(planned(nearDuplicate('b', 1), nearDuplicate('a', 1))).toEqual(['a<b'])
  })

  test('merges near-duplicates only', () => {
    expect(
      planned(
        nearDuplicate('a', 1),
        nearDuplicate('b', 2, { likeness: 'y' }),
        nearDuplicate('c', 3),
        nearDuplicate('d', 4, { likeness: 'y' }),
      ),
    ).toEqual(['a<c', 'b<d'])
  })

  test('leaves two memories alone if neither is being processed', () => {
    const [a, b] = [nearDuplicate('a', 1, { processed: false }), nearDuplicate('b', 2, { processed: false })]
    expect(planned(a, b)).toEqual([])
    expect(planned(a, b, nearDuplicate('c', 3))).toEqual(['a<c'])
    expect(planned(nearDuplicate('0', 0), a, b)).toEqual(['0<ab'])
  })

  test('never absorbs a restored memory, which may absorb others', () => {
    const restored = nearDuplicate('b', 2, { keptApart: true })
    expect(planned(nearDuplicate('a', 1), restored)).toEqual([])
    expect(planned(restored, nearDuplicate('c', 3))).toEqual(['b<c'])
  })

  test('merges a memory with more metadata into the oldest that contains it', () => {
    const mail = nearDuplicate('b', 2, {}, { metadata: { from: 'mail' } })
    expect(planned(nearDuplicate('a', 1), mail, nearDuplicate('c', 3, {}, { metadata: { from: 'mail' } }))).toEqual([
      'b<c',
    ])
    expect(planned(nearDuplicate('a', 1), mail, nearDuplicate('c', 3))).toEqual(['a<c'])
  })

  test('merges what several conversations said, whatever they were; metadata of their own still counts', () => {
    const said = (id: string, hours: number, own: object = {}, source: 'CONVERSATION' | 'API' = 'CONVERSATION') => {
      const metadata = {
        ...own,
        conversation_id: id,
        turn: hours,
        role: 'user',
        said_at: new Date(hours).toISOString(),
      }
      return nearDuplicate(id, hours, {}, { source, metadata })
    }
    expect(planned(said('a', 1), said('b', 2))).toEqual(['a<b'])
    expect(planned(nearDuplicate('a', 1), said('b', 2))).toEqual(['a<b'])
    expect(planned(said('a', 1), said('b', 2, { app: 'chat' }), said('c', 3, { app: 'chat' }))).toEqual(['b<c'])
    expect(planned(said('a', 1), said('b', 2, {}, 'API'))).toEqual([])
  })

  test('tells by when it was said whether a day-dependent statement is of one day', () => {
    const said = (id: string, at: string) =>
      nearDuplicate(id, 500_000, { dependsOnDay: true }, { source: 'CONVERSATION', metadata: { said_at: at } })
    expect(planned(said('a', '2020-05-01T09:00:00Z'), said('b', '2020-05-02T09:00:00Z'))).toEqual([])
    expect(planned(said('a', '2020-05-01T09:00:00Z'), said('b', '2020-05-01T09:30:00Z'))).toEqual(['a<b'])
  })

  test('merges day-dependent statements only within the same hour', () => {
    const said = (id: string, hours: number) => nearDuplicate(id, hours, { dependsOnDay: true })
    expect(planned(said('a', 1), said('b', 2))).toEqual(['a<b'])
    expect(planned(said('a', 1), said('b', 3), said('c', 3.5))).toEqual(['b<c'])
  })

  test('merges no day-dependent statement that was edited: its last change may be a merge', () => {
    const edited = (id: string, hours: number) => nearDuplicate(id, hours, { dependsOnDay: true }, { revision: 2 })
    const said = nearDuplicate('c', 1, { dependsOnDay: true })
    expect(planned(edited('a', 1), edited('b', 1), said)).toEqual([])
  })

  test('merges only what expires at the same time, or never', () => {
    const task = { layer: 'TASK', expiresAt: new Date(9 * HOUR_MS) } as const
    const later = { layer: 'TASK', expiresAt: new Date(10 * HOUR_MS) } as const
    const lasting = nearDuplicate('b', 2)
    expect(planned(nearDuplicate('a', 1, {}, task), lasting, nearDuplicate('c', 3, {}, later))).toEqual([])
    expect(planned(nearDuplicate('a', 1, {}, task), lasting, nearDuplicate('c', 3, {}, task))).toEqual(['a<c'])
  })
})

describe('the inherited fields of a survivor', () => {
  const inherited = (categories: string[], priority: 'LOW' | 'MEDIUM' | 'HIGH') => ({ categories, priority })

  test('combine its own with those of absorbed memories', () => {
    expect(mergeFields(inherited(['a', 'b'], 'LOW'), [inherited(['b', 'c'], 'HIGH'), inherited([], 'MEDIUM')])).toEqual(
      inherited(['a', 'b', 'c'], 'HIGH'),
    )
  })

  test('lose what a restored memory alone brought', () => {
    const current = inherited(['a', 'b', 'c'], 'HIGH')
    const leaving = inherited(['b', 'c'], 'HIGH')
    expect(fieldsWithout(current, leaving, inherited(['a'], 'LOW'), [])).toEqual(inherited(['a'], 'LOW'))
    expect(fieldsWithout(current, leaving, inherited(['a'], 'LOW'), [inherited(['c'], 'MEDIUM')])).toEqual(
      inherited(['a', 'c'], 'MEDIUM'),
    )
  })

  test('keep values set since', () => {
    const set = { categories: null, priority: null }
    expect(fieldsWithout(inherited(['b'], 'HIGH'), inherited(['b'], 'HIGH'), set, [])).toEqual(inherited(['b'], 'HIGH'))
    expect(fieldsWithout(inherited(['b', 'z'], 'LOW'), inherited(['b'], 'HIGH'), inherited([], 'LOW'), [])).toEqual(
      inherited(['z'], 'LOW'),
    )
  })
})
