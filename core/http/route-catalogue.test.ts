import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { Caller } from '../auth/caller.ts'
import { Switchboard } from '../ports.ts'
import { mountRoute } from './mount.ts'
import { ok, type Route, routesOf } from './route.ts'
import { createRouteCatalogue } from './route-catalogue.ts'
import { form } from './upload.ts'

const route = routesOf<undefined>()
const caller = (...permissions: string[]): Caller => ({
  kind: 'key',
  id: 'k',
  accountId: 'a',
  mode: 'live',
  permissions: new Set(permissions),
  workspaceId: 'w',
})

const paint = route({
  method: 'PUT',
  path: '/v1/things/:id',
  access: { permission: 'thing.write' },
  summary: 'Paint',
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ coats: Type.Integer({ default: 1 }) }),
  body: Type.Object({ colour: Type.String(), gloss: Type.Optional(Type.Boolean()) }),
  responses: { 200: Type.Any() },
  handle: () => ok({}),
}) as Route
const send = route({
  method: 'POST',
  path: '/v1/forms',
  access: 'account',
  summary: 'Send',
  body: form({ fields: Type.Object({ name: Type.String() }), files: {} }),
  workspace: 'none',
  responses: { 200: Type.Any() },
  handle: () => ok({}),
}) as Route

const raw = route({
  method: 'GET',
  path: '/v1/raw',
  access: 'anyKey',
  raw: true,
  summary: 'Not JSON',
  responses: { 200: null },
  handle: () => new Response('text'),
}) as Route

function catalogue(owner: { enabled?: boolean; feature?: string } = {}) {
  const mounted = [paint, send, raw].map(item =>
    mountRoute(item, { id: 'things', enabled: true, scope: undefined, ...owner }, new Switchboard()),
  )
  return createRouteCatalogue(mounted)
}

test('a route is found by its declared path, with the fields that it takes and where', () => {
  const found = catalogue().find('PUT', '/v1/things/:id')
  expect(found?.workspace).toBe('select')
  expect(found?.fields.map(({ name, place, isRequired }) => [name, place, isRequired])).toEqual([
    ['id', 'path', true],
    ['colour', 'body', true],
    ['gloss', 'body', false],
    ['coats', 'query', false],
    ['workspace_id', 'query', false],
  ])
  const sent = catalogue().find('POST', '/v1/forms')
  expect([sent?.workspace, sent?.fields.map(({ name, place }) => [name, place])]).toEqual(['none', [['name', 'form']]])
  expect(catalogue().find('GET', '/v1/things/:id')).toBeUndefined()
  expect(catalogue().find('GET', '/v1/raw')).toBeUndefined()
})

test.each([
  ['has the permission', {}, ['thing.write'], [], true],
  ['lacks the permission', {}, ['thing.read'], [], false],
  ['has the feature', { feature: 'paint' }, ['thing.write'], ['paint'], true],
  ['lacks the feature', { feature: 'paint' }, ['thing.write'], [], false],
  ['meets a plugin that is switched off', { enabled: false }, ['thing.write'], [], false],
])('it serves a caller that %s: %p', (_, owner, permissions, features, serves) => {
  const found = catalogue(owner).find('PUT', '/v1/things/:id')
  expect(found?.serves(caller(...permissions), { features: new Set(features) })).toBe(serves)
})

test('what is for accounts serves no key', () => {
  const found = catalogue().find('POST', '/v1/forms')
  expect(found?.serves(caller('thing.write'), { features: new Set() })).toBe(false)
  expect(found?.serves({ ...caller(), kind: 'session' }, { features: new Set() })).toBe(true)
})
