import { describe, expect, test } from 'bun:test'
import { type Parsed, parseCreateBody, parseFeedbackBody, parseUpdateBody } from './bodies.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

function pathsOf(reading: Parsed<unknown>): string[] {
  return 'faults' in reading ? reading.faults.map(fault => fault.path) : []
}

describe('readCreateBody', () => {
  test('fills in defaults', () => {
    expect(parseCreateBody({ memory: 'a' }, NOW)).toEqual({
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

  test('accepts content in place of memory, but not both or neither', () => {
    expect(parseCreateBody({ content: 'a' }, NOW)).toMatchObject({ value: { text: 'a' } })
    expect(pathsOf(parseCreateBody({ content: 'a', memory: 'a' }, NOW))).toEqual(['content'])
    expect(pathsOf(parseCreateBody({}, NOW))).toEqual(['memory'])
  })

  test('trims and deduplicates categories', () => {
    const reading = parseCreateBody({ memory: 'a', categories: [' b', 'a', 'b '] }, NOW)
    expect(reading).toMatchObject({ value: { categories: ['b', 'a'] } })
  })

  test('requires expires_at in the future and the TASK layer', () => {
    const task = { memory: 'a', layer: 'TASK' } as const
    expect(parseCreateBody({ ...task, expires_at: '2026-03-01T13:00:00+00:30' }, NOW)).toMatchObject({
      value: { expiresAt: new Date('2026-03-01T12:30:00.000Z') },
    })
    expect(pathsOf(parseCreateBody({ ...task, expires_at: '2026-03-01T12:00:00Z' }, NOW))).toEqual(['expires_at'])
    expect(pathsOf(parseCreateBody({ memory: 'a', expires_at: '2026-03-02' }, NOW))).toEqual(['expires_at'])
    expect(pathsOf(parseCreateBody({ memory: 'a', layer: 'RAW', expires_at: '2026-03-02' }, NOW))).toEqual([
      'expires_at',
    ])
  })

  test('reports every field with a lone surrogate', () => {
    const bad = '\ud800'
    const reading = parseCreateBody({ memory: bad, user_id: bad, agent_id: bad, categories: ['a', bad] }, NOW)
    expect(pathsOf(reading).sort()).toEqual(['agent_id', 'categories.1', 'memory', 'user_id'])
  })
})

describe('readUpdateBody', () => {
  test('leaves omitted fields undefined, and null metadata null', () => {
    expect(parseUpdateBody({ content: 'a' })).toEqual({
      value: { text: 'a', priority: undefined, categories: undefined, metadata: undefined },
    })
    expect(parseUpdateBody({ memory: 'a', metadata: null, categories: [] })).toMatchObject({
      value: { metadata: null, categories: [] },
    })
  })

  test('requires exactly one of memory and content', () => {
    expect(pathsOf(parseUpdateBody({}))).toEqual(['memory'])
    expect(pathsOf(parseUpdateBody({ memory: 'a', content: 'b' }))).toEqual(['content'])
  })
})

describe('readFeedbackBody', () => {
  test('accepts rating in place of signal, but not both or neither', () => {
    expect(parseFeedbackBody({ rating: 'NEGATIVE' })).toEqual({ value: 'NEGATIVE' })
    expect(pathsOf(parseFeedbackBody({ rating: 'NEGATIVE', signal: 'NEGATIVE' }))).toEqual(['rating'])
    expect(pathsOf(parseFeedbackBody({}))).toEqual(['signal'])
    expect(pathsOf(parseFeedbackBody({ signal: 'NEUTRAL', query_hash: '\udc00' }))).toEqual(['query_hash'])
  })
})
