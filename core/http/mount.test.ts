import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { defineExtensionPoint, extend, Switchboard } from '../ports.ts'
import { mountRoute, verifyResponse } from './mount.ts'
import { ok, type Route, routesOf } from './route.ts'

const colours = defineExtensionPoint<string>('things.colours')

const paint = routesOf<undefined>()({
  method: 'POST',
  path: '/v1/things',
  access: 'anyKey',
  summary: 'Paint a thing',
  query: Type.Object({ coats: Type.Optional(Type.Integer()) }),
  body: Type.Object({ name: Type.String() }),
  responses: { 200: Type.Object({ name: Type.String() }) },
  errors: ['TOO_WET'],
  additions: wiring => ({
    query: Object.fromEntries(wiring.extensions(colours).map(name => [name, Type.Boolean()])),
    body: { name: Type.Integer(), gloss: Type.Integer() },
    responses: { 200: Type.Object({ name: Type.String(), colours: Type.Array(Type.String()) }) },
    errors: ['TOO_WET', 'TOO_DRY'],
  }),
  handle: () => ok({}),
}) as Route

test('a body that is one of several objects may select the workspace in each', () => {
  const union = Type.Union([Type.Object({ name: Type.String() }), Type.Object({ code: Type.Integer() })])
  const { body } = mountRoute(
    { ...paint, body: union },
    { id: 'things', enabled: true, scope: undefined },
    new Switchboard(),
  )
  const workspace_id = '00000000-0000-4000-8000-000000000001'
  expect(body?.faults({ name: 'cup', workspace_id })).toEqual([])
  expect(body?.faults({ code: 1, workspace_id })).toEqual([])
  expect(body?.faults({ code: 1, workspace: workspace_id })).toHaveLength(1)
})

describe('what other plugins add to a route', () => {
  const wiring = new Switchboard()
  wiring.extend(extend(colours, 'red'))
  const { route, query, body } = mountRoute(paint, { id: 'things', enabled: true, scope: undefined }, wiring)

  test('may be left out, is checked, and never redefines a field of its own', () => {
    expect(Object.keys(query.schema.properties)).toEqual(['coats', 'red', 'workspace_id'])
    expect(query.validator.faults({})).toEqual([])
    expect(query.validator.faults({ red: 'very' })).toEqual([{ path: 'red', message: 'must be true or false' }])
    expect(body?.faults({ name: 'cup' })).toEqual([])
    expect(body?.faults({ name: 'cup', gloss: 'x' }).map(({ path }) => path)).toEqual(['gloss'])
    expect(body?.faults({ name: 1 }).map(({ path }) => path)).toEqual(['name'])
    expect(body?.faults({ name: 'cup', matt: 1 })).toEqual([{ path: 'matt', message: 'is not a known field' }])
  })

  test('counts for responses and error codes', () => {
    expect(route.errors).toEqual(['TOO_WET', 'TOO_DRY'])
    expect(() => verifyResponse(route, ok({ name: 'cup', colours: ['red'] }))).not.toThrow()
    expect(() => verifyResponse(route, ok({ name: 'cup' }))).toThrow('against its schema')
  })
})
