import { describe, expect, test } from 'bun:test'
import { metadataFilterFaults, readFilter } from './metadata-filter.ts'

const metadataOf = (filter: Record<string, unknown>) => readFilter({ filter }).metadata
const faultsOf = (filter: Record<string, unknown>) => metadataFilterFaults(filter).map(fault => fault.path)

/** No metadata has so many levels. */
const LONG = `${'a.'.repeat(40)}b`

describe('conditions on metadata', () => {
  test('reads equality, operators and dotted keys, all of which must hold', () => {
    expect(
      metadataOf({ kind: 'mail', 'a.b': { gte: 1, lt: 5 }, c: { in: [1, 'x', null] }, d: { exists: false } }),
    ).toEqual([
      { path: ['kind'], op: 'eq', value: 'mail' },
      { path: ['a', 'b'], op: 'gte', value: 1 },
      { path: ['a', 'b'], op: 'lt', value: 5 },
      { path: ['c'], op: 'in', value: [1, 'x', null] },
      { path: ['d'], op: 'exists', value: false },
    ])
  })

  test.each([
    ['a\\.b', ['a.b']],
    ['a\\.b.c\\.d', ['a.b', 'c.d']],
    ['a\\\\.b', ['a\\', 'b']],
    ['C:\\temp', ['C:\\temp']],
    ['\\', ['\\']],
    ['\\..x', ['.', 'x']],
    ['.env', ['.env']],
    ['v1.', ['v1.']],
    ['a..b', ['a..b']],
    [LONG, [LONG]],
  ])('a dot is part of a key behind a backslash, and where it cannot lead anywhere: %s', (key, path) => {
    expect(metadataOf({ [key]: 1 })).toEqual([{ path, op: 'eq', value: 1 }])
  })

  test.each([
    [{ a: ['x'] }, ['filter.a']],
    [{ a: {} }, ['filter.a']],
    [{ '': 1 }, ['filter.']],
    [{ a: { like: 'x' } }, ['filter.a.like']],
    [{ a: { gt: true } }, ['filter.a.gt']],
    [{ a: { in: [] } }, ['filter.a.in']],
    [{ 'a\\': 1, 'a\\\\': 1 }, ['filter']],
    [{ a: { in: [{}] } }, ['filter.a.in']],
    [{ a: { exists: 1 } }, ['filter.a.exists']],
    [{ a: { eq: {} }, b: { ne: [] } }, ['filter.a.eq', 'filter.b.ne']],
    [{ a: 'nul\u0000' }, ['filter.a']],
    [{ '\ud800': 1 }, ['filter.\ud800']],
  ])('refuses %j and names every fault', (filter, paths) => {
    expect(faultsOf(filter)).toEqual(paths)
  })

  test('lets priorities override priority, and reads times with their offset', () => {
    const filter = readFilter({
      priority: 'LOW',
      priorities: ['HIGH'],
      created_after: '2026-01-01',
      created_before: '2026-01-02T00:00:00-02:00',
    })
    expect(filter.priorities).toEqual(['HIGH'])
    expect(filter.createdAfter?.toISOString()).toBe('2026-01-01T00:00:00.000Z')
    expect(filter.createdBefore?.toISOString()).toBe('2026-01-02T02:00:00.000Z')
  })

  test('counts up to 100 conditions, operators included', () => {
    const keys = (count: number, value: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]))
    const range = { gte: 1, lt: 9 }
    for (const fits of [undefined, {}, keys(100, 1), keys(50, range)]) expect(metadataFilterFaults(fits)).toEqual([])
    for (const unfit of [keys(100, {}), keys(100, [range])]) expect(metadataFilterFaults(unfit)).toHaveLength(100)
    const fault = [{ path: 'filter', message: 'must have at most 100 conditions' }]
    for (const many of [keys(101, 1), keys(51, range), { one: keys(101, 1) }])
      expect(metadataFilterFaults(many)).toEqual(fault)
  })
})
