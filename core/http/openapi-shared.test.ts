import { describe, expect, test } from 'bun:test'
import { sharedParts, shareParameters } from './openapi-shared.ts'

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
