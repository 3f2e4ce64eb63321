import { describe, expect, test } from 'bun:test'
import { type TSchema, Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { compileValidator, instant, oneOf, queryReader, text, uuid } from './validation.ts'

/** Path to message. */
function faults(schema: TSchema, value: unknown): Record<string, string> {
  return Object.fromEntries(
    compileValidator(schema)
      .faults(value)
      .map(({ path, message }) => [path, message]),
  )
}

describe('texts', () => {
  const name = Type.Object({ name: text({ minLength: 2, maxLength: 5 }) })

  test('are measured in code points, not in UTF-16 units', () => {
    expect(faults(name, { name: '😀'.repeat(5) })).toEqual({})
    expect(faults(name, { name: '😀'.repeat(6) })).toEqual({ name: 'must have at most 5 characters' })
    expect(faults(name, { name: '😀😀' })).toEqual({})
    expect(faults(name, { name: '😀' })).toEqual({ name: 'must have at least 2 characters' })
  })

  test('of any length are judged as counting their code points judges them', () => {
    const strings = fc.string({ unit: fc.constantFrom('a', 'é', '世', '😀', '\u{1F468}\u200D'), maxLength: 8 })
    fc.assert(
      fc.property(strings, value => {
        const length = [...value].length
        expect(Object.keys(faults(name, { name: value })).length).toBe(length >= 2 && length <= 5 ? 0 : 1)
      }),
    )
  })

  test('with NUL are refused, since Postgres cannot store it', () => {
    expect(faults(name, { name: 'a\u0000b' })).toEqual({ name: 'must not contain the NUL character' })
  })

  test('that are blank are refused where it matters', () => {
    const memory = Type.Object({ memory: text({ notBlank: true }) })
    for (const value of ['', ' ', '\n\t ', '\u00A0\u3000', '\u200B\u200D \u2060', '\uFEFF\u202E'])
      expect(faults(memory, { memory: value })).toEqual({ memory: 'must not be blank' })
    expect(faults(memory, { memory: ' x ' })).toEqual({})
  })

  test('must be strings', () => {
    for (const value of [1, null, true, {}, ['a']])
      expect(faults(name, { name: value })).toEqual({ name: 'must be a string' })
  })

  test('at the limit cost no more than counting them once', () => {
    const memory = Type.Object({ memory: text({ maxLength: 50_000 }) })
    expect(faults(memory, { memory: '😀'.repeat(50_000) })).toEqual({})
    expect(faults(memory, { memory: '😀'.repeat(50_001) })).toEqual({ memory: 'must have at most 50000 characters' })
  })
})

describe('a body', () => {
  const schema = Type.Object({
    memory: text(),
    priority: Type.Optional(oneOf(['LOW', 'HIGH'])),
    tags: Type.Optional(Type.Array(text({ maxLength: 3 }), { maxItems: 2 })),
    nested: Type.Optional(Type.Object({ depth: Type.Integer({ minimum: 1, maximum: 3 }) })),
    items: Type.Optional(Type.Array(Type.Object({ id: uuid() }))),
    metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    at: Type.Optional(instant()),
    active: Type.Optional(Type.Boolean()),
    score: Type.Optional(Type.Number({ minimum: 0 })),
    or_null: Type.Optional(Type.Union([text(), Type.Null()])),
  })

  test('that fits has no faults', () => {
    const body = {
      memory: 'x',
      priority: 'LOW',
      tags: ['a', 'b'],
      nested: { depth: 3 },
      items: [{ id: '00000000-0000-4000-8000-00000000000A' }],
      metadata: { anything: { goes: [1, null] } },
      at: '2026-01-02',
      active: false,
      score: 0.5,
      or_null: null,
    }
    expect(faults(schema, body)).toEqual({})
  })

  test('has every field at fault named, each once, with what would be right', () => {
    const body = {
      priority: 'URGENT',
      tags: ['a', 'b', 'c'],
      nested: { depth: 4 },
      items: [{ id: '00000000-0000-4000-8000-00000000000A' }, { id: '7' }],
      metadata: [],
      at: 'soon',
      active: 'yes',
      score: -1,
    }
    expect(faults(schema, body)).toEqual({
      memory: 'is required',
      priority: 'must be one of LOW, HIGH',
      tags: 'must have at most 2 items',
      'nested.depth': 'must be a whole number from 1 to 3',
      'items.1.id': 'must be a UUID',
      metadata: 'must be an object',
      at: 'must be an ISO 8601 date or date-time',
      active: 'must be true or false',
      score: 'must be a number of at least 0',
    })
  })

  test('has unknown fields refused at every depth, but not inside free-form objects', () => {
    const body = {
      memory: 'x',
      memoy: 'y',
      nested: { depth: 1, dept: 2 },
      items: [{ id: 'x', extra: 1 }],
      metadata: { a: 1 },
    }
    expect(faults(schema, body)).toMatchObject({
      memoy: 'is not a known field',
      'nested.dept': 'is not a known field',
      'items.0.extra': 'is not a known field',
    })
    expect(faults(schema, { memory: 'x', metadata: { whatever: 1 } })).toEqual({})
  })

  test('has unknown fields refused in whatever holds an object', () => {
    const b = Type.Object({ b: Type.Integer() })
    const wrong = { b: 1, typo: 2 }
    const holding = Type.Object({
      or_null: Type.Union([b, Type.Null()]),
      by_name: Type.Record(Type.String(), b),
      pair: Type.Tuple([Type.Integer(), b]),
      either: Type.Union([Type.Object({ a: Type.Integer() }), b]),
      by_letter: Type.Record(Type.String({ pattern: '^[a-z]$' }), Type.Integer()),
    })
    const right = {
      or_null: { b: 1 },
      by_name: { 'x\ny': { b: 1 } },
      pair: [1, { b: 1 }],
      either: { b: 1 },
      by_letter: { x: 1 },
    }
    expect(faults(holding, right)).toEqual({})
    const given = { or_null: wrong, by_name: { x: wrong }, pair: [1, wrong], either: wrong, by_letter: { xy: 1 } }
    expect(faults(holding, given)).toEqual({
      'or_null.typo': 'is not a known field',
      'by_name.x.typo': 'is not a known field',
      'pair.1.typo': 'is not a known field',
      either: 'is not valid',
      'by_letter.xy': 'is not a known field',
    })
  })

  test('has the fields of an intersection taken together, as one that is composed has', () => {
    const parts = [Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })]
    expect(faults(Type.Intersect(parts), { a: 1, b: 2, c: 3 })).toEqual({})
    expect(faults(Type.Composite(parts), { a: 1, b: 2, c: 3 })).toEqual({ c: 'is not a known field' })
  })

  test('may have a list of no items, or of so many', () => {
    const none = Type.Object({ none: Type.Tuple([]) })
    expect(faults(none, { none: [] })).toEqual({})
    expect(faults(none, { none: [1] })).toEqual({ none: 'must have 0 items' })
    const two = Type.Object({ two: Type.Tuple([Type.Integer(), Type.Integer()]) })
    expect(faults(two, { two: [1, 2, 3] })).toEqual({ two: 'must have 2 items' })
  })

  test('that is no object at all is one fault of the body', () => {
    for (const body of [null, 1, 'x', [], true])
      expect(faults(schema, body)).toMatchObject({ body: 'must be an object' })
  })

  test('never sees its own values in a message', () => {
    const secret = 'S3CRET'
    const body = { memory: 7, priority: secret, nested: { depth: secret }, at: secret, items: [{ id: secret }] }
    expect(JSON.stringify(compileValidator(schema).faults(body))).not.toContain(secret)
  })

  test('with thousands of faults is answered with a bounded number', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`unknown_${n}`, n]))
    expect(compileValidator(schema).faults({ memory: 'x', ...many }).length).toBeLessThanOrEqual(100)
  })

  test('with far too long a list has the first faults of its items named, and the rest not even looked at', () => {
    let seen = 0
    const items = Array.from({ length: 100_000 }, (_, n) => (n < 3 ? 'long' : 'x'))
    const tags = new Proxy(items, {
      get(target, name, receiver) {
        seen++
        return Reflect.get(target, name, receiver)
      },
    })
    expect(faults(schema, { memory: 'x', tags, metadata: { a: 1 }, no: 1 })).toEqual({
      tags: 'must have at most 2 items',
      'tags.0': 'must have at most 3 characters',
      'tags.1': 'must have at most 3 characters',
      'tags.2': 'must have at most 3 characters',
      no: 'is not a known field',
    })
    expect(seen).toBeLessThan(100)
  })

  test('cannot reach the prototype of what checks it', () => {
    const body: unknown = JSON.parse('{"memory":"x","__proto__":{"polluted":true},"constructor":1}')
    expect(Object.keys(faults(schema, body)).toSorted()).toEqual(['__proto__', 'constructor'])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

describe('a query', () => {
  const schema = Type.Object({
    search: Type.Optional(text()),
    page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
    score: Type.Optional(Type.Number()),
    expand: Type.Optional(Type.Boolean({ default: false })),
    priorities: Type.Optional(Type.Array(oneOf(['LOW', 'HIGH']))),
  })
  const reader = queryReader(schema)
  const read = (query: string) => reader(new URLSearchParams(query))

  test('has numbers, booleans and lists read as what they are, and defaults filled in', () => {
    expect(read('')).toEqual({ value: { page: 1, expand: false }, faults: [] })
    expect(read('search=7&page=2&score=-0.5&expand=true').value).toEqual({
      search: '7',
      page: 2,
      score: -0.5,
      expand: true,
    })
    expect(read('expand=1').value.expand).toBe(true)
    expect(read('expand=0').value.expand).toBe(false)
  })

  test('may give a list with commas, repeated, or both', () => {
    for (const query of ['priorities=LOW,HIGH', 'priorities=LOW&priorities=HIGH', 'priorities=%20LOW%20,,HIGH,'])
      expect(read(query).value.priorities).toEqual(['LOW', 'HIGH'])
    expect(read('priorities=LOW,HIGH&priorities=LOW').value.priorities).toEqual(['LOW', 'HIGH', 'LOW'])
  })

  test('has unknown and repeated parameters named', () => {
    expect(read('pagesize=3&page=1&page=2').faults).toEqual([
      { path: 'pagesize', message: 'is not a known parameter' },
      { path: 'page', message: 'must be given once' },
    ])
    expect(read('__proto__=1&constructor=2&toString=3').faults.map(({ path }) => path)).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ])
  })

  test('has what is no number left for validation to name', () => {
    for (const page of ['1e3', '0x1', 'one', '1.5.2', ' 1', '']) {
      const { value } = read(`page=${encodeURIComponent(page)}`)
      expect(faults(schema, value)).toEqual({ page: 'must be a whole number of at least 1' })
    }
  })
})

describe('unions', () => {
  const words = Type.Union([text({ notBlank: true }), Type.Array(Type.Object({ word: text() })), Type.Null()], {
    errorMessage: 'must be a text, a list of words, or null',
  })
  const schema = Type.Object({ said: words })

  test.each<[unknown, Record<string, string>]>([
    ['hello', {}],
    [null, {}],
    [[{ word: 'hello' }], {}],
    [' ', { said: 'must not be blank' }],
    [[{ word: 5 }], { 'said.0.word': 'must be a string' }],
    [5, { said: 'must be a text, a list of words, or null' }],
    [{}, { said: 'must be a text, a list of words, or null' }],
  ])('name the faults of the member that %j was meant for', (said, expected) => {
    expect(faults(schema, { said })).toEqual(expected)
  })
})
