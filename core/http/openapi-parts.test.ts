import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { publishedSchemas, sharedParts, shareParameters } from './openapi-parts.ts'
import { instant, text } from './validation.ts'

const cup = (description = 'Its name.') => Type.Object({ name: Type.String({ description }) }, { title: 'Cup' })

/** Reads it as clients do. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('published schemas', () => {
  test('refer to a schema whose title names a type, wherever it stands', () => {
    const schemas = publishedSchemas()
    const ref = { $ref: '#/components/schemas/Cup' }
    const shelf = Type.Object({ cups: Type.Array(cup()), best: Type.Union([cup(), Type.Null()]) })
    expect(asJson(schemas.publish(shelf))).toEqual({
      type: 'object',
      required: ['cups', 'best'],
      properties: { cups: { type: 'array', items: ref }, best: { anyOf: [ref, { type: 'null' }] } },
    })
    expect(asJson(schemas.named)).toEqual({
      Cup: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', description: 'Its name.' } },
      },
    })
  })

  test('keep the first schema of a name and show another one in its place', () => {
    const schemas = publishedSchemas()
    schemas.publish(cup())
    const other = asJson(schemas.publish(cup('What it is called.')))
    expect(other).toMatchObject({ properties: { name: { description: 'What it is called.' } } })
    expect(other).not.toHaveProperty('title')
    expect(asJson(schemas.named.Cup)).toMatchObject({ properties: { name: { description: 'Its name.' } } })
  })

  test('leave a title for people and a property of that name alone', () => {
    const schemas = publishedSchemas()
    const book = Type.Object({ title: Type.String({ title: 'the title of the book' }), notBlank: Type.Boolean() })
    expect(asJson(schemas.publish(book))).toMatchObject({
      properties: { title: { type: 'string', title: 'the title of the book' }, notBlank: { type: 'boolean' } },
    })
    expect(schemas.named).toEqual({})
  })

  test('say enumerations and dictionaries in the words that generators know', () => {
    const { publish } = publishedSchemas()
    const sizes = Type.Union([Type.Literal('S'), Type.Literal('L')], { description: 'The size.' })
    expect(asJson(publish(sizes))).toEqual({ description: 'The size.', type: 'string', enum: ['S', 'L'] })
    const counts = Type.Record(Type.String(), Type.Integer())
    expect(asJson(publish(counts))).toEqual({ type: 'object', additionalProperties: { type: 'integer' } })
    const limited = asJson(publish(Type.Record(Type.String({ maxLength: 64 }), sizes)))
    expect(limited).toMatchObject({ additionalProperties: { enum: ['S', 'L'] } })
  })

  test('tell by a pattern that a text must not be blank', () => {
    const { publish } = publishedSchemas()
    expect(asJson(publish(text({ maxLength: 9, notBlank: true })))).toEqual({
      type: 'string',
      maxLength: 9,
      pattern: '\\S',
    })
    expect(asJson(publish(text({ maxLength: 9, notBlank: false })))).toEqual({ type: 'string', maxLength: 9 })
  })

  test('have no keyword that is the own of this service', () => {
    const { publish } = publishedSchemas()
    const name = { ...text({ minLength: 1 }), errorMessage: 'must be a name' }
    expect(asJson(publish(name))).toEqual({ type: 'string', minLength: 1 })
    expect(asJson(publish(instant({ happened: true })))).toEqual({ type: 'string', format: 'date-time' })
  })
})

describe('shared parts', () => {
  test('refer to a part by its name, and keep another one of the name in its place', () => {
    const { named, share } = sharedParts('responses')
    const ref = { $ref: '#/components/responses/NotFound' }
    expect(share('NotFound', { description: 'No.' })).toEqual(ref)
    expect(share('NotFound', { description: 'No.' })).toEqual(ref)
    expect(share('NotFound', { description: 'Nothing.' })).toEqual({ description: 'Nothing.' })
    expect(named).toEqual({ NotFound: { description: 'No.' } })
  })
})

describe('parameters', () => {
  const parameter = (name: string, description: string, place = 'query'): Record<string, unknown> => ({
    name,
    in: place,
    description,
  })

  test('are shared by the operations that have the same one, and the name goes to the one that most have', () => {
    const rare = parameter('page_size', 'Cups.')
    const usual = parameter('page_size', 'Things.')
    const operations = [rare, rare, rare, usual, usual, usual, usual].map(one => ({ parameters: [one] }))
    expect(shareParameters(operations)).toEqual({ PageSizeParameter: usual })
    const ref = { $ref: '#/components/parameters/PageSizeParameter' }
    expect(operations.map(({ parameters }) => parameters[0])).toEqual([rare, rare, rare, ref, ref, ref, ref])
  })

  test('stay where they are when one or two operations have them, and in paths', () => {
    const parameters = [parameter('page', 'From 1.'), parameter('id', 'The id.', 'path')]
    const operations = [{ parameters }, { parameters }, { parameters: parameters.slice(1) }]
    expect(shareParameters(operations)).toEqual({})
    expect(operations).toEqual([{ parameters }, { parameters }, { parameters: parameters.slice(1) }])
  })
})
