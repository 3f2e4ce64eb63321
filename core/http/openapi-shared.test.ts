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
    const rare = parameter('limit', 'Cups.')
    const usual = parameter('limit', 'Things.')
    const operations = [rare, rare, usual, usual, usual].map(one => ({ parameters: [one] }))
    expect(shareParameters(operations)).toEqual({ limit: usual })
    const ref = { $ref: '#/components/parameters/limit' }
    expect(operations.map(({ parameters }) => parameters)).toEqual([[rare], [rare], [ref], [ref], [ref]])
  })

  test('stay where they are when one operation has them, in paths, and under a name that components cannot have', () => {
    const kept = [parameter('page', 'From 1.')]
    const alike = [parameter('id', 'The id.', 'path'), parameter('filter[name]', 'A name.')]
    const operations = [{ parameters: [...kept, ...alike] }, { parameters: alike }]
    expect(shareParameters(operations)).toEqual({})
    expect(operations).toEqual([{ parameters: [...kept, ...alike] }, { parameters: alike }])
  })
})
