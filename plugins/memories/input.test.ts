import { describe, expect, test } from 'bun:test'
import { type Reading, readCreateBody, readFeedbackBody, readUpdateBody } from './input.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

function pathsOf(reading: Reading<unknown>): string[] {
  return 'faults' in reading ? reading.faults.map(fault => fault.path) : []
}

describe('readCreateBody', () => {
  test('fills in what is left out', () => {
    expect(readCreateBody({ memory: 'a' }, NOW)).toEqual({
      value: {
        text: 'a',
        agentId: null,
        sessionId: null,
        priority: 'MEDIUM',
        categories: [],
        metadata: null,
        layer: 'RAW',
        expiresAt: null,
        source: 'API',
      },
    })
  })

  test('takes content in place of memory, and neither both nor none', () => {
    expect(readCreateBody({ content: 'a' }, NOW)).toMatchObject({ value: { text: 'a' } })
    expect(pathsOf(readCreateBody({ content: 'a', memory: 'a' }, NOW))).toEqual(['content'])
    expect(pathsOf(readCreateBody({}, NOW))).toEqual(['memory'])
  })

  test('trims categories and counts repeated ones once', () => {
    const reading = readCreateBody({ memory: 'a', categories: [' b', 'a', 'b '] }, NOW)
    expect(reading).toMatchObject({ value: { categories: ['b', 'a'] } })
  })

  test('wants expires_at in the future and the TASK layer', () => {
    const task = { memory: 'a', layer: 'TASK' } as const
    expect(readCreateBody({ ...task, expires_at: '2026-03-01T13:00:00+00:30' }, NOW)).toMatchObject({
      value: { expiresAt: new Date('2026-03-01T12:30:00.000Z') },
    })
    expect(pathsOf(readCreateBody({ ...task, expires_at: '2026-03-01T12:00:00Z' }, NOW))).toEqual(['expires_at'])
    expect(pathsOf(readCreateBody({ memory: 'a', expires_at: '2026-03-02' }, NOW))).toEqual(['expires_at'])
    expect(pathsOf(readCreateBody({ memory: 'a', layer: 'RAW', expires_at: '2026-03-02' }, NOW))).toEqual([
      'expires_at',
    ])
  })

  test('names every field with a lone surrogate', () => {
    const bad = '\ud800'
    const reading = readCreateBody({ memory: bad, user_id: bad, agent_id: bad, categories: ['a', bad] }, NOW)
    expect(pathsOf(reading).sort()).toEqual(['agent_id', 'categories.1', 'memory', 'user_id'])
  })
})

describe('readUpdateBody', () => {
  test('leaves what is not given undefined, and null metadata null', () => {
    expect(readUpdateBody({ content: 'a' })).toEqual({
      value: { text: 'a', priority: undefined, categories: undefined, metadata: undefined },
    })
    expect(readUpdateBody({ memory: 'a', metadata: null, categories: [] })).toMatchObject({
      value: { metadata: null, categories: [] },
    })
  })

  test('wants exactly one of memory and content', () => {
    expect(pathsOf(readUpdateBody({}))).toEqual(['memory'])
    expect(pathsOf(readUpdateBody({ memory: 'a', content: 'b' }))).toEqual(['content'])
  })
})

describe('readFeedbackBody', () => {
  test('takes rating in place of signal, and neither both nor none', () => {
    expect(readFeedbackBody({ rating: 'NEGATIVE' })).toEqual({ value: 'NEGATIVE' })
    expect(pathsOf(readFeedbackBody({ rating: 'NEGATIVE', signal: 'NEGATIVE' }))).toEqual(['rating'])
    expect(pathsOf(readFeedbackBody({}))).toEqual(['signal'])
    expect(pathsOf(readFeedbackBody({ signal: 'NEUTRAL', query_hash: '\udc00' }))).toEqual(['query_hash'])
  })
})
