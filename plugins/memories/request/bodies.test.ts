import { describe, expect, test } from 'bun:test'
import { type BodyCheck, checkFaults, compileValidator, type TObject } from 'mneme/plugin'
import { createBody, feedbackBody, updateBody } from '../schemas.ts'
import {
  createChecks,
  feedbackChecks,
  type Parsed,
  parseCreateBody,
  parseFeedbackBody,
  parseUpdateBody,
  updateChecks,
} from './bodies.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

function pathsOf(reading: Parsed<unknown>): string[] {
  return 'faults' in reading ? reading.faults.map(fault => fault.path) : []
}

/** The faults of a body as a route tells them: those of its schema, and those of its checks. */
function faultPaths<B>(schema: TObject, checks: readonly BodyCheck<B>[], body: B): string[] {
  const known = compileValidator(schema).faults(body)
  return [...known, ...checkFaults(checks, { body, query: {}, scope: undefined }, known)].map(({ path }) => path)
}

const ofCreate = (body: object) => faultPaths(createBody, createChecks, body)
const ofUpdate = (body: object) => faultPaths(updateBody, updateChecks, body)
const ofFeedback = (body: object) => faultPaths(feedbackBody, feedbackChecks, body)

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
    expect(ofCreate({ content: 'a', memory: 'a' })).toEqual(['content'])
    expect(ofCreate({})).toEqual(['memory'])
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
    expect(ofCreate({ memory: 'a', expires_at: '2026-03-02' })).toEqual(['expires_at'])
    expect(ofCreate({ memory: 'a', layer: 'RAW', expires_at: '2026-03-02' })).toEqual(['expires_at'])
    expect(ofCreate({ ...task, expires_at: '2026-03-02' })).toEqual([])
  })

  test('reports every field with a lone surrogate', () => {
    const bad = '\ud800'
    const faults = ofCreate({ memory: bad, user_id: bad, agent_id: bad, categories: ['a', bad] })
    expect(faults.toSorted()).toEqual(['agent_id', 'categories.1', 'memory', 'user_id'])
  })
})

describe('readUpdateBody', () => {
  test('leaves omitted fields undefined, and null metadata null', () => {
    expect(parseUpdateBody({ content: 'a' })).toEqual({
      text: 'a',
      priority: undefined,
      categories: undefined,
      metadata: undefined,
    })
    expect(parseUpdateBody({ memory: 'a', metadata: null, categories: [] })).toMatchObject({
      metadata: null,
      categories: [],
    })
  })

  test('requires exactly one of memory and content', () => {
    expect(ofUpdate({})).toEqual(['memory'])
    expect(ofUpdate({ memory: 'a', content: 'b' })).toEqual(['content'])
  })
})

describe('readFeedbackBody', () => {
  test('accepts rating in place of signal, but not both or neither', () => {
    expect(parseFeedbackBody({ rating: 'NEGATIVE' })).toBe('NEGATIVE')
    expect(ofFeedback({ rating: 'NEGATIVE', signal: 'NEGATIVE' })).toEqual(['rating'])
    expect(ofFeedback({})).toEqual(['signal'])
    expect(ofFeedback({ signal: 'NEUTRAL', query_hash: '\udc00' })).toEqual(['query_hash'])
  })
})
