import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { Task } from '../jobs/task.ts'
import type { AnyPlugin } from '../plugin.ts'
import { defineExtensionPoint, definePort } from '../ports.ts'
import { checkManifests, ManifestError } from './check.ts'
import { selectPlugins } from './select.ts'

/** A manifest with nothing in it but what the test is about. */
function plugin(id: string, parts: Partial<AnyPlugin> = {}): AnyPlugin {
  return { id, version: '1.0.0', apiVersion: 1, setup: () => ({ scope: undefined }), ...parts } as AnyPlugin
}

function route(method: 'GET' | 'POST', path: string, parts: Record<string, unknown> = {}) {
  return {
    method,
    path,
    access: 'anyKey',
    summary: 'x',
    responses: { 200: null },
    handle: () => ({ status: 200 }),
    ...parts,
  } as never
}

function task(name: string): Task<never> {
  return { name, payload: Type.Object({}), run: async () => undefined }
}

const loadedFrom = (plugin: AnyPlugin) => ({ plugin, origin: `./${plugin.id}.ts` })

function faultsOf(builtIn: AnyPlugin[], disabled: string[] = [], thirdParty: AnyPlugin[] = []): readonly string[] {
  try {
    checkManifests(selectPlugins(builtIn, thirdParty.map(loadedFrom), disabled))
    return []
  } catch (error) {
    if (error instanceof ManifestError) return error.faults
    throw error
  }
}

const group = (...names: string[]) => ({
  name: 'Group',
  permissions: Object.fromEntries(names.map(name => [name, 'May do it.'])),
})

describe('manifests that disagree are refused, and the message names both sides', () => {
  const cases: [what: string, first: Partial<AnyPlugin>, second: Partial<AnyPlugin>, message: string][] = [
    [
      'a route',
      { routes: [route('GET', '/v1/things/:id')] },
      { routes: [route('GET', '/v1/things/:name')] },
      'the route GET /v1/things/: is declared by both alpha and beta',
    ],
    [
      'a permission',
      { permissions: [group('thing.read')] },
      { permissions: [group('thing.read')] },
      'the permission thing.read is declared by both alpha and beta',
    ],
    [
      'an error code',
      { errors: { THING_LOST: { status: 404, message: 'Lost.' } } },
      { errors: { THING_LOST: { status: 410, message: 'Gone.' } } },
      'the error code THING_LOST is declared by both alpha and beta',
    ],
    [
      'an event',
      { emits: [{ kind: 'thing.made', description: '', public: true }] },
      { emits: [{ kind: 'thing.made', description: '', public: false }] },
      'the event thing.made is declared by both alpha and beta',
    ],
    [
      'a port',
      { provides: [definePort('thing.finder')] },
      { provides: [definePort('thing.finder')] },
      'the port thing.finder is declared by both alpha and beta',
    ],
    [
      'an extension point',
      { extensionPoints: [defineExtensionPoint('thing.steps')] },
      { extensionPoints: [defineExtensionPoint('thing.steps')] },
      'the extension point thing.steps is declared by both alpha and beta',
    ],
    [
      'a setting',
      { config: Type.Object({ THING_TTL: Type.String() }) },
      { config: Type.Object({ THING_TTL: Type.Integer() }) },
      'the setting THING_TTL is declared by both alpha and beta',
    ],
    [
      'a task',
      { tasks: [task('beta:sweep')] },
      { tasks: [task('beta:sweep')] },
      'the task beta:sweep is declared by both alpha and beta',
    ],
  ]
  for (const [what, first, second, message] of cases) {
    test(`${what} declared twice`, () => {
      expect(faultsOf([plugin('alpha', first), plugin('beta', second)])).toContain(message)
    })
  }

  test('a plugin id used twice', () => {
    expect(faultsOf([plugin('alpha'), plugin('alpha')])).toEqual([
      'the plugin id alpha is declared by both alpha and alpha',
    ])
  })

  test('a plugin that takes an error code of the core', () => {
    expect(faultsOf([plugin('alpha', { errors: { NOT_FOUND: { status: 404, message: '' } } })])).toEqual([
      'the error code NOT_FOUND is declared by both the core and alpha',
    ])
  })

  test('a plugin that takes a setting of the core', () => {
    expect(faultsOf([plugin('alpha', { config: Type.Object({ PORT: Type.Integer() }) })])).toEqual([
      'the setting PORT is declared by both the core and alpha',
    ])
  })

  test('a plugin that takes a path of the core', () => {
    const routes = [route('GET', '/health'), route('POST', '/v1/auth/sign-in/email')]
    expect(faultsOf([plugin('alpha', { routes })])).toEqual([
      'the route GET /health is declared by both the core and alpha',
      'the route POST /v1/auth/sign-in/email is declared by both the core and alpha',
    ])
  })

  test('two commands of one plugin under one name', () => {
    const command = { name: 'verify', summary: 'Verify.', run: async () => 0 }
    expect(
      faultsOf([plugin('alpha', { commands: [command, command] }), plugin('beta', { commands: [command] })]),
    ).toEqual(['the command alpha verify is declared by both alpha and alpha'])
  })

  test('two reactions of one plugin under one name, whatever they react to', () => {
    const react = { event: 'alpha.made', name: 'index', handle: async () => undefined }
    const emits = [{ kind: 'alpha.made', description: '', public: false }]
    expect(faultsOf([plugin('alpha', { emits, subscriptions: [react, { ...react, event: '*' }] })])).toEqual([
      'the subscription alpha:index is declared by both alpha and alpha',
    ])
  })
})

test('the same path with another method is no conflict', () => {
  const first = plugin('alpha', { routes: [route('GET', '/v1/things')] })
  expect(faultsOf([first, plugin('beta', { routes: [route('POST', '/v1/things')] })])).toEqual([])
})

test('a plugin that is switched off still holds its names, since its paths still answer', () => {
  const first = plugin('alpha', { routes: [route('GET', '/v1/things')] })
  const second = plugin('beta', { routes: [route('GET', '/v1/things')] })
  expect(faultsOf([first, second], ['alpha'])).toEqual(['the route GET /v1/things is declared by both beta and alpha'])
})

test('every fault is reported at once', () => {
  const faults = faultsOf([
    plugin('Alpha', { apiVersion: 2 as 1 }),
    plugin('core'),
    plugin('gamma', {
      routes: [route('GET', 'v1/things'), route('POST', '/v1/things', { access: undefined })],
      tasks: [task('delta:sweep')],
      cron: [{ schedule: '* * * * *', task: 'gamma:gone' }],
      subscriptions: [{ event: 'nobody.said', name: 'hear', handle: async () => undefined }],
    }),
  ])
  expect(faults).toEqual([
    'plugin Alpha: an id is 2 to 41 lower-case letters, digits or _',
    'plugin Alpha is written for plugin API 2, this server has 1',
    'plugin core: this id is reserved',
    'plugin gamma: the task delta:sweep must begin with gamma:',
    'plugin gamma: the route v1/things must begin with /',
    'plugin gamma: the route POST /v1/things names no permission',
    'plugin gamma: hear subscribes to nobody.said, which no plugin emits',
    'plugin gamma: its schedule names the task gamma:gone, which it does not have',
  ])
})

test('a route may only name permissions and error codes that somebody declares', () => {
  const routes = [route('GET', '/v1/things', { access: { permission: 'thing.read' }, errors: ['THING_LOST'] })]
  expect(faultsOf([plugin('alpha', { routes })])).toEqual([
    'plugin alpha: the route GET /v1/things wants the permission thing.read, which no plugin declares',
    'plugin alpha: the route GET /v1/things names the error THING_LOST, which no plugin declares',
  ])
})

test('a subscription names kinds that somebody emits, or all public ones', () => {
  const emits = [{ kind: 'alpha.made', description: '', public: true }]
  const hear = (name: string, event: string | string[]) => ({ name, event, handle: async () => undefined })
  const subscriptions = [
    hear('one', 'alpha.made'),
    hear('all', '*'),
    hear('two', ['alpha.made', 'alpha.maed']),
    hear('none', []),
  ]
  expect(faultsOf([plugin('alpha', { emits, subscriptions })])).toEqual([
    'plugin alpha: two subscribes to alpha.maed, which no plugin emits',
    'plugin alpha: none subscribes to no event',
  ])
})

test('an event has a name in the form of the others, and an example that is true', () => {
  const schema = Type.Object({ id: Type.String() })
  const emits = [
    { kind: 'Made', description: '', public: true },
    { kind: 'alpha.made', description: '', public: true, schema, example: { id: 7 } },
  ]
  expect(faultsOf([plugin('alpha', { emits })])).toEqual([
    'plugin alpha: the event Made must be named noun.pastTense, in letters and digits',
    'plugin alpha: the example of the event alpha.made does not fit its schema',
  ])
})

test('a third-party plugin keeps to its own paths, permissions and events', () => {
  const weather = plugin('weather', {
    routes: [
      route('GET', '/v1/x/weather/now'),
      route('GET', '/v1/memories/weather'),
      route('GET', '/v1/x/weathers/now'),
    ],
    permissions: [group('weather.read', 'memory.everything')],
    emits: ['weather.turned', 'memory.rained'].map(kind => ({ kind, description: '', public: true })),
  })
  expect(faultsOf([], [], [weather])).toEqual([
    'plugin weather: the event memory.rained must begin with weather.',
    'plugin weather: the route /v1/memories/weather must begin with /v1/x/weather/',
    'plugin weather: the route /v1/x/weathers/now must begin with /v1/x/weather/',
    'plugin weather: the permission memory.everything must begin with weather.',
  ])
})

test('PLUGINS_DISABLED takes along what requires the plugins it names, however far', () => {
  const plugins = [plugin('alpha'), plugin('delta', { requires: ['beta'] }), plugin('beta', { requires: ['alpha'] })]
  const free = plugin('free', { optional: ['alpha'] })
  const { loaded, disabled } = selectPlugins([...plugins, free], [], ['alpha'])
  expect([loaded, disabled].map(list => list.map(({ id }) => id))).toEqual([['free'], ['alpha', 'delta', 'beta']])
})

test('PLUGINS_DISABLED with a word that names no plugin says which there are', () => {
  expect(() => selectPlugins([plugin('alpha'), plugin('beta')], [], ['gamma'])).toThrow(
    'PLUGINS_DISABLED names gamma, which is no built-in plugin (they are: alpha, beta)',
  )
})
