import { describe, expect, test } from 'bun:test'
import { readFilter } from './filter.ts'

describe('readFilter', () => {
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
})
