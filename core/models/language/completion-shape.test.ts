import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { inForm, listOf } from './completion-shape.ts'

const fact = Type.Object({
  says: Type.String(),
  year: Type.Union([Type.String(), Type.Null()], { default: null }),
  sure: Type.Boolean({ default: false }),
  confidence: Type.Number({ default: 0.8 }),
})
const schema = Type.Object({ facts: listOf(fact), note: Type.Optional(Type.String()) })
const whole = { says: 'tea', year: null, sure: false, confidence: 0.8 }

describe('a completion is read', () => {
  test.each<[string, unknown, unknown]>([
    ['as it is', { facts: [whole], note: 'x' }, { facts: [whole], note: 'x' }],
    ['without what was not asked for', { facts: [{ ...whole, also: 1 }], more: [] }, { facts: [whole] }],
    ['with defaults', { facts: [{ says: 'tea', confidence: null }] }, { facts: [whole] }],
    ['with empty lists for those left out', {}, { facts: [] }],
    ['with null written as a text', { facts: [{ ...whole, year: 'null' }] }, { facts: [whole] }],
    ['with an empty list for null', { facts: null }, { facts: [] }],
    [
      'with numbers and booleans in quotes, and years without them',
      { facts: [{ says: 'tea', year: 2021, sure: 'True', confidence: '0.5' }] },
      { facts: [{ says: 'tea', year: '2021', sure: true, confidence: 0.5 }] },
    ],
    ['out of JSON in a text', { facts: JSON.stringify([whole]) }, { facts: [whole] }],
    ['without items of another form', { facts: [whole, { says: null }, 'tea', null, 7] }, { facts: [whole] }],
  ])('%s', (_, value, expected) => {
    expect(inForm(schema, value)).toEqual(expected)
  })

  test.each<[string, unknown]>([
    ['a text that is no JSON', { facts: '[tea' }],
    ['a text', 'none'],
    ['a list in place of an object', []],
  ])('not at all where it is %s', (_, value) => {
    expect(inForm(schema, value)).toEqual(value)
  })

  test('and what a model is sent tells nothing of how', () => {
    expect(JSON.parse(JSON.stringify(schema)).properties.facts).toEqual({
      type: 'array',
      items: JSON.parse(JSON.stringify(fact)),
      default: [],
    })
  })
})
