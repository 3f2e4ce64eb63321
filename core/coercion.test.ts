import { describe, expect, test } from 'bun:test'
import { type TSchema, Type } from '@sinclair/typebox'
import { coerced, listOf } from './coercion.ts'
import { instant, oneOf, text, uuid } from './http/validation.ts'

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
    expect(coerced(schema, value, 'completion')).toEqual(expected)
  })

  test.each<[string, unknown]>([
    ['a text that is no JSON', { facts: '[tea' }],
    ['a text', 'none'],
    ['a list in place of an object', []],
  ])('not at all where it is %s', (_, value) => {
    expect(coerced(schema, value, 'completion')).toEqual(value)
  })

  test('and what a model is sent tells nothing of how', () => {
    expect(JSON.parse(JSON.stringify(schema)).properties.facts).toEqual({
      type: 'array',
      items: JSON.parse(JSON.stringify(fact)),
      default: [],
    })
  })
})

const nullable = (of: TSchema) => Type.Union([of, Type.Null()])

describe('arguments of a call', () => {
  const call = Type.Object({
    says: text(),
    limit: Type.Optional(Type.Integer()),
    sure: Type.Optional(nullable(Type.Boolean())),
    tags: Type.Optional(nullable(Type.Array(text({ maxLength: 100 })))),
    mode: Type.Optional(nullable(oneOf(['HIGH', 'LOW']))),
    day: Type.Optional(Type.Union([Type.Literal('MON'), Type.Literal('TUE')])),
    data: Type.Optional(nullable(Type.Record(Type.String(), Type.Unknown()))),
    who: Type.Optional(nullable(text())),
    user: Type.Optional(nullable(text({ maxLength: 255 }))),
    id: Type.Optional(uuid()),
    since: Type.Optional(instant()),
    effort: Type.Optional(oneOf(['NONE', 'SOME'])),
    more: Type.Optional(Type.Array(Type.Object({ n: Type.Number(), of: Type.Optional(text()) }))),
  })

  test.each<[string, object, object]>([
    ['numbers and booleans in quotes', { limit: ' 5', sure: 'False' }, { limit: 5, sure: false }],
    ['numbers where a text is wanted', { says: 7, who: 42 }, { says: '7', who: '42' }],
    ['lists as JSON in a text', { tags: '["a", 1]' }, { tags: ['a', '1'] }],
    ['lists as a text with commas', { tags: 'a, b,' }, { tags: ['a', 'b'] }],
    ['objects as JSON in a text', { data: ' {"n": "1", "sub": {"x": ""}}' }, { data: { n: '1', sub: { x: '' } } }],
    ['objects in a list', { more: '{"n": "1.5", "of": ""}' }, { more: [{ n: 1.5 }] }],
    ['choices in any case', { mode: 'high', day: 'Tue' }, { mode: 'HIGH', day: 'TUE' }],
    ['nothing for what is left out', { limit: '', tags: '', mode: '', data: '', who: '', more: null }, {}],
    ...['null', 'None', 'undefined', ' null ', '"null"'].map((word): [string, object, object] => [
      `${word} for what is left out`,
      { sure: word, tags: word, data: word, mode: word, limit: word, user: word, id: word, since: word, more: word },
      {},
    ]),
    ['a text as it stands', { says: 'None', who: 'null' }, { says: 'None', who: 'null' }],
    ['a text in quotes as it stands', { says: ' "a" ', who: "'undefined'" }, { says: ' "a" ', who: "'undefined'" }],
    ['a choice that is called so', { effort: 'None' }, { effort: 'NONE' }],
    [
      'names in quotes',
      { user: '"ada"', id: " '7' ", since: '`2025-01-01`' },
      { user: 'ada', id: '7', since: '2025-01-01' },
    ],
    ['names with spaces around', { user: ' ada l. ', mode: ' high\n' }, { user: 'ada l.', mode: 'HIGH' }],
    ['names with one quotation mark', { user: `ada's` }, { user: `ada's` }],
    [
      'numbers with thousands',
      { limit: '1,000', more: [{ n: '-12,345.5' }] },
      { limit: 1000, more: [{ n: -12345.5 }] },
    ],
    ['no other commas in numbers', { limit: '1,00' }, { limit: '1,00' }],
    [
      'lists as Python in a text',
      { tags: `['a', "b's", 'it\\'s', 'say "x"']` },
      { tags: ['a', "b's", "it's", 'say "x"'] },
    ],
    [
      'objects as Python in a text',
      { data: `{'a': None, 'b': [True, 'None']}` },
      { data: { a: null, b: [true, 'None'] } },
    ],
    ['lists as lines with bullets', { tags: '- a\n- b, c\n' }, { tags: ['a', 'b, c'] }],
    ['lists as numbered lines', { tags: '1. a\n2) b' }, { tags: ['a', 'b'] }],
    ['lists of quoted texts', { tags: '"a", \'b\'' }, { tags: ['a', 'b'] }],
    ['lists in a fence', { tags: '```\n["a"]\n```' }, { tags: ['a'] }],
    ['objects in a fence', { data: '```json\n{"n": 1}\n```' }, { data: { n: 1 } }],
    ['objects as JSON in JSON', { data: JSON.stringify(JSON.stringify({ n: '"' })) }, { data: { n: '"' } }],
    ['no list of what cannot be read', { tags: '["a", b', data: '```{```' }, { tags: '["a", b', data: '```{```' }],
    ['fields that there are not', { color: '1' }, { color: '1' }],
  ])('are read with %s', (_, given, expected) => {
    const read = coerced(call, { says: 'tea', ...given }, 'arguments')
    expect(read).toEqual({ says: 'tea', ...expected } as unknown)
  })
})
