import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Switchboard } from '../ports.ts'
import { mountRoute } from './mount.ts'
import { ok, type Route } from './route.ts'
import { fillSubject, heldFields, permissionsOfSubjects, servesSubject } from './subject.ts'
import { form, formStream } from './upload.ts'

const plain = { method: 'POST', path: '/v1/x', access: 'anyKey', summary: 'x', responses: { 200: null } } as const
const route = (more: Partial<Route>): Route => ({ ...plain, handle: () => ok({}), ...more })
const user = Type.Object({ user_id: Type.Optional(Type.String()), agent_id: Type.Optional(Type.String()) })
const ada = { userId: 'ada', agentId: 'helper' }
const missing = () => new Error('none') as never

test.each<[string, Partial<Route>]>([
  ['query', { subject: { user: 'person' }, query: user }],
  ['body', { subject: { user: 'user_id', agent: 'agent' }, body: user }],
  ['items of a list', { subject: { user: 'user_id', each: 'notes' }, body: user }],
  [
    'a form that is read as it arrives',
    {
      subject: { user: 'user_id' },
      body: formStream({ fields: user, files: { file: { description: 'A file.', maxBytes: 10 } } }),
    },
  ],
])('a route that is held by a field which is not in its %s ends the start', (_, more) => {
  const mount = () => mountRoute(route(more), { id: 'things', enabled: true, scope: null }, new Switchboard())
  expect(mount).toThrow(/^its `subject` names the field \w+, which its input does not have$/)
})

describe('whom a bound caller leaves out', () => {
  const filled = (more: Partial<Route>, part: 'query' | 'body', value: unknown) => {
    fillSubject(heldFields(route(more)), part, value, ada)
    return value
  }
  const subject = { user: 'user_id', agent: 'agent_id' }

  test('is filled in where the route has the field, and nothing that was said is changed', () => {
    expect(filled({ subject, query: user }, 'query', {})).toEqual({ user_id: 'ada', agent_id: 'helper' })
    expect(filled({ subject, query: user }, 'body', {})).toEqual({})
    expect(filled({ subject, body: user }, 'body', { user_id: null, agent_id: '' })).toEqual({
      user_id: 'ada',
      agent_id: '',
    })
    const file = { description: 'A file.', maxBytes: 10 }
    const upload = form({ fields: user, files: { file } })
    expect(filled({ subject: { user: 'user_id' }, body: upload }, 'body', {})).toEqual({ user_id: 'ada' })
    expect(filled({ subject: { handler: 'agent' }, body: user }, 'body', {})).toEqual({})
  })

  test('is filled into each item of a list, and what is no such list is left for validation', () => {
    const more = { subject: { ...subject, each: 'notes' }, body: Type.Object({ notes: Type.Array(user) }) }
    const own = { user_id: 'ada', agent_id: 'helper' }
    expect(filled(more, 'body', { notes: [{}, 'x', null, { user_id: 'bob' }] })).toEqual({
      notes: [own, 'x', null, { user_id: 'bob', agent_id: 'helper' }],
    })
    for (const odd of [null, 'x', [], { notes: 'x' }, { notes: {} }])
      expect(filled(more, 'body', structuredClone(odd))).toEqual(odd)
  })
})

test.each<[Partial<Route>, boolean, boolean]>([
  [{}, false, false],
  [{ subject: 'nobody' }, true, true],
  [{ subject: { user: 'user_id' } }, true, false],
  [{ subject: { user: 'user_id', agent: 'agent_id' } }, true, true],
  [{ subject: { rows: [{ table: 'x.y', missing }] } }, true, false],
  [{ subject: { rows: [{ table: 'x.y', hasAgent: true, missing }] } }, true, true],
  [{ subject: { handler: 'user' } }, true, false],
  [{ subject: { handler: 'agent' } }, true, true],
  [{ subject: { user: 'user_id' }, relays: true }, true, true],
])('a route with %j serves a caller of a user: %p, and of an agent: %p', (more, ofUser, ofAgent) => {
  expect([servesSubject(route(more), { userId: 'ada' }), servesSubject(route(more), ada)]).toEqual([ofUser, ofAgent])
})

test('a bound key may have the permissions of routes that serve it, and no others', () => {
  const routes = [
    route({ access: { permission: 'a.read' }, subject: 'nobody' }),
    route({ access: { permission: 'b.read' } }),
    route({ access: 'anyKey', subject: 'nobody' }),
  ]
  expect([...permissionsOfSubjects(routes)]).toEqual(['a.read'])
})
