import { expect, test } from 'bun:test'
import { oneOf, type TSchema, Type, text, uuid } from 'mneme/plugin'
import { inputSchemaOf } from './input-schema.ts'

const schemaOf = (schema: TSchema) => {
  const of = { name: 'value', place: 'body', schema, isRequired: false } as const
  return inputSchemaOf([{ field: { name: 'value' }, of }], {})
}

test.each<[string, TSchema, object]>([
  [
    'text',
    text({ maxLength: 9, notBlank: true, description: 'A text.' }),
    { type: 'string', maxLength: 9, description: 'A text.' },
  ],
  ['a format of which some know nothing', uuid({ description: 'An id.' }), { type: 'string', description: 'An id.' }],
  ['a value or null', Type.Union([Type.Integer(), Type.Null()]), { type: 'integer' }],
  ['a choice', oneOf(['A', 'B'], { description: 'One.' }), { type: 'string', enum: ['A', 'B'], description: 'One.' }],
  ['numbers to choose from', Type.Union([Type.Literal(1), Type.Literal(2)]), { type: 'number', enum: [1, 2] }],
  ['one value', Type.Literal('A'), { type: 'string', enum: ['A'] }],
  [
    'cases of several types',
    Type.Union([Type.String(), Type.Integer()]),
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  ],
  [
    'an object whose fields are called as keywords are',
    Type.Object({ default: Type.String(), anyOf: Type.Optional(Type.Union([Type.Null(), Type.Boolean()])) }),
    { type: 'object', required: ['default'], properties: { default: { type: 'string' }, anyOf: { type: 'boolean' } } },
  ],
  ['a list', Type.Array(uuid(), { maxItems: 3 }), { type: 'array', maxItems: 3, items: { type: 'string' } }],
])('%s is shown in plain keywords', (_, schema, shown) => {
  expect(JSON.parse(JSON.stringify(schemaOf(schema).properties.value))).toEqual(shown)
})

test('a field is required that the operation needs, or that the tool does, but for one that the address fills', () => {
  const of = { name: 'value', place: 'body', schema: Type.String() } as const
  const required = (own: boolean | undefined, isRequired: boolean, defaults = {}) =>
    inputSchemaOf(
      [{ field: { name: 'value', ...(own === undefined ? {} : { required: own }) }, of: { ...of, isRequired } }],
      defaults,
    ).required
  expect(required(undefined, true)).toEqual(['value'])
  expect(required(undefined, false)).toEqual([])
  expect(required(true, false)).toEqual(['value'])
  expect(required(true, true, { value: 'ada' })).toEqual([])
})
