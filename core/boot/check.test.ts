import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { Task } from '../jobs/task.ts'
import type { AnyPlugin } from '../plugin.ts'
import { defineExtensionPoint, definePort } from '../ports.ts'
import { checkManifests, ManifestError } from './check.ts'
import { selectPlugins } from './select.ts'

/** Makes a manifest with nothing in it but what the test is about. */
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
      'plugin beta: the route GET /v1/things/:name, the same place as GET /v1/things/:id, is declared by both alpha and beta (alpha: built in, beta: built in); change one of them or leave one out',
    ],
    [
      'a permission',
      { permissions: [group('thing.read')] },
      { permissions: [group('thing.read')] },
      'plugin beta: the permission thing.read is declared by both alpha and beta (alpha: built in, beta: built in); change one of them or leave one out',
    ],
    [
      'an error code',
      { errors: { THING_LOST: { status: 404, message: 'Lost.' } } },
      { errors: { THING_LOST: { status: 410, message: 'Gone.' } } },
      'plugin beta: the error code THING_LOST is declared by both alpha and beta (alpha: built in, beta: built in); change one of them or leave one out',
    ],
    [
      'an event',
      { emits: [{ kind: 'thing.made', description: '', public: true }] },
      { emits: [{ kind: 'thing.made', description: '', public: false }] },
      'plugin beta: the event thing.made is declared by both alpha and beta (alpha: built in, beta: built in); change one of them or leave one out',
    ],
    [
      'a port',
      { provides: [definePort('thing.finder')] },
      { provides: [definePort('thing.finder')] },
      'plugin beta: the port thing.finder is declared by both alpha and beta (alpha: built in, beta: built in); change one of them or leave one out',
    ],
    [
      'an extension point',
      { extensionPoints: [defineExtensionPoint('thing.steps')] },
      { extensionPoints: [defineExtensionPoint('thing.steps')] },
      'plugin beta: the extension point thing.steps is declared by both alpha and beta (alpha: built in, beta: built in); change one of them or leave one out',
    ],
    [
      'a setting',
      { config: Type.Object({ THING_TTL: Type.String() }) },
      { config: Type.Object({ THING_TTL: Type.Integer() }) },
      'plugin beta: the setting THING_TTL is declared by both alpha and beta (alpha: built in, beta: built in); change one of them or leave one out',
    ],
    [
      'a task',
      { tasks: [task('beta:sweep')] },
      { tasks: [task('beta:sweep')] },
      'plugin beta: the task beta:sweep is declared by both alpha and beta (alpha: built in, beta: built in); change one of them or leave one out',
    ],
  ]
  for (const [what, first, second, message] of cases) {
    test(`${what} declared twice`, () => {
      expect(faultsOf([plugin('alpha', first), plugin('beta', second)])).toContain(message)
    })
  }

  test('routes of one plugin at one place, each named', () => {
    const routes = ['id', 'name', 'id'].map(parameter => route('GET', `/v1/things/:${parameter}`))
    expect(faultsOf([plugin('alpha', { routes })])).toEqual([
      'plugin alpha: the route GET /v1/things/:name, the same place as GET /v1/things/:id, is declared twice; remove one',
      'plugin alpha: the route GET /v1/things/:id is declared twice; remove one',
    ])
  })

  test('a plugin id used twice, and nothing that could be of either', () => {
    const parts = { tasks: [task('alpha:sweep')], routes: [route('GET', '/v1/things')] }
    expect(faultsOf([plugin('alpha', parts), plugin('alpha', parts)])).toEqual([
      'plugin alpha: the plugin id alpha is declared by both alpha and alpha (alpha: built in, alpha: built in); change one of them or leave one out',
    ])
  })

  test('the id of a built-in plugin, which is not blamed for the rest', () => {
    const builtIn = plugin('alpha', { routes: [route('GET', '/v1/things')], permissions: [] })
    expect(faultsOf([builtIn], [], [plugin('alpha')])).toEqual([
      'plugin alpha: the plugin id alpha is declared by both alpha and alpha (alpha: built in, alpha: ./alpha.ts); change one of them or leave one out',
    ])
  })

  test('a plugin that takes an error code of the core', () => {
    expect(faultsOf([plugin('alpha', { errors: { NOT_FOUND: { status: 404, message: '' } } })])).toEqual([
      "plugin alpha: the error code NOT_FOUND is the core's own; choose another",
    ])
  })

  test('a plugin that takes a setting of the core', () => {
    expect(faultsOf([plugin('alpha', { config: Type.Object({ PORT: Type.Integer() }) })])).toEqual([
      "plugin alpha: the setting PORT is the core's own; choose another",
    ])
  })

  test('a plugin that takes a path of the core', () => {
    const routes = [route('GET', '/health'), route('POST', '/v1/auth/sign-in/email')]
    expect(faultsOf([plugin('alpha', { routes })])).toEqual([
      "plugin alpha: the route GET /health is the core's own; choose another",
      "plugin alpha: the route POST /v1/auth/sign-in/email is the core's own; choose another",
    ])
  })

  test('two commands of one plugin under one name', () => {
    const command = { name: 'verify', summary: 'Verify.', run: async () => 0 }
    expect(
      faultsOf([plugin('alpha', { commands: [command, command] }), plugin('beta', { commands: [command] })]),
    ).toEqual(['plugin alpha: the command alpha verify is declared twice; remove one'])
  })

  test('two reactions of one plugin under one name, whatever they react to', () => {
    const react = { event: 'alpha.made', name: 'index', handle: async () => undefined }
    const emits = [{ kind: 'alpha.made', description: '', public: false }]
    expect(faultsOf([plugin('alpha', { emits, subscriptions: [react, { ...react, event: '*' }] })])).toEqual([
      'plugin alpha: the subscription alpha:index is declared twice; remove one',
    ])
    const note = { event: 'alpha.made', name: 'index', record: async () => undefined }
    expect(faultsOf([plugin('alpha', { emits, recorders: [note, note] })])).toEqual([
      'plugin alpha: the recorder alpha:index is declared twice; remove one',
    ])
  })
})

test('the same path with another method is no conflict', () => {
  const first = plugin('alpha', { routes: [route('GET', '/v1/things')] })
  expect(faultsOf([first, plugin('beta', { routes: [route('POST', '/v1/things')] })])).toEqual([])
})

test('a parameter may have names of its own on the way to other places, and one name at one place', () => {
  const [id, thing, parts] = ['/v1/things/:id', '/v1/things/:thing', '/v1/things/:thing_id/parts']
  const routes = (...own: ReturnType<typeof route>[]) => faultsOf([plugin('alpha', { routes: own })])
  expect(routes(route('GET', id), route('POST', id), route('POST', parts))).toEqual([])
  expect(routes(route('GET', id), route('GET', parts), route('POST', thing))).toEqual([
    'plugin alpha: the routes GET /v1/things/:id and POST /v1/things/:thing are at one place; give its parameters the same names',
  ])
})

test('a plugin that is switched off still holds its names, since its paths still answer', () => {
  const first = plugin('alpha', { routes: [route('GET', '/v1/things')] })
  const second = plugin('beta', { routes: [route('GET', '/v1/things')] })
  expect(faultsOf([first, second], ['alpha'])).toEqual([
    'plugin alpha: the route GET /v1/things is declared by both beta and alpha (beta: built in, alpha: built in); change one of them or leave one out',
  ])
})

test('two third parties of one name are told apart by where they were loaded from', () => {
  const entry = route('GET', '/v1/x/alpha/things')
  expect(faultsOf([], [], [plugin('alpha', { routes: [entry] }), plugin('beta', { routes: [entry] })])).toContain(
    'plugin beta: the route GET /v1/x/alpha/things is declared by both alpha and beta (alpha: ./alpha.ts, beta: ./beta.ts); change one of them or leave one out',
  )
})

test('every fault is reported at once, and each names its plugin and what to do', () => {
  const faults = faultsOf([
    plugin('core'),
    plugin('gamma', {
      config: Type.Object({ gammaTtl: Type.String() }),
      extensionPoints: [defineExtensionPoint('delta.steps')],
      routes: [route('GET', '/v1/things', { params: Type.Object({ id: Type.String() }) })],
      tasks: [task('delta:sweep'), task('gamma:fold')],
      cron: [
        { schedule: '* * * *', task: 'gamma:fold' },
        { schedule: '* * * * *', task: 'gamma:flod' },
        { schedule: '7 * * * *', task: 'gamma:fold' },
        { schedule: '7 * * * *', task: 'gamma:fold' },
      ],
      subscriptions: [{ event: 'nobody.said', name: 'hear', handle: async () => undefined }],
    }),
  ])
  expect(faults).toEqual([
    'plugin core: the id core is reserved; choose another',
    'plugin gamma: the extension point delta.steps must begin with gamma.',
    'plugin gamma: the task delta:sweep must begin with gamma:',
    'plugin gamma: the setting gammaTtl must be UPPER_SNAKE, as variables of the environment are',
    "plugin gamma: its cron entry '* * * *' for gamma:fold is not a cron expression of five fields (minute, hour, day, month, weekday, in UTC), e.g. 17 3 * * *",
    'plugin gamma: the route GET /v1/things wants the parameter id, which its path does not have (as :id)',
    'plugin gamma: hear subscribes to nobody.said, which no plugin emits; declare it, or load the plugin that does',
    "plugin gamma: its cron entry '* * * * *' names the task gamma:flod, which the plugin does not have; did you mean gamma:fold?",
    "plugin gamma: the cron entry '7 * * * *' for gamma:fold is declared twice; remove one",
  ])
})

test('a route may only name permissions and error codes that somebody declares', () => {
  const routes = [route('GET', '/v1/things', { access: { permission: 'thing.read' }, errors: ['THING_LOST'] })]
  expect(faultsOf([plugin('alpha', { routes })])).toEqual([
    'plugin alpha: the route GET /v1/things wants the permission thing.read, which no plugin declares; declare it, or load the plugin that does',
    'plugin alpha: the route GET /v1/things names the error THING_LOST, which no plugin declares; declare it, or load the plugin that does',
  ])
})

test('a subscription or recorder names kinds that somebody emits, or all public ones', () => {
  const emits = [{ kind: 'alpha.made', description: '', public: true }]
  const hear = (name: string, event: string | string[]) => ({ name, event, handle: async () => undefined })
  const subscriptions = [hear('one', 'alpha.made'), hear('all', '*'), hear('two', ['alpha.made', 'alpha.maed'])]
  expect(faultsOf([plugin('alpha', { emits, subscriptions })])).toEqual([
    'plugin alpha: two subscribes to alpha.maed, which no plugin emits; did you mean alpha.made?',
  ])
  const recorders = [{ name: 'note', event: 'alpha.maed', record: async () => undefined }]
  expect(faultsOf([plugin('alpha', { emits, recorders })])).toEqual([
    'plugin alpha: note records alpha.maed, which no plugin emits; did you mean alpha.made?',
  ])
})

test('an event has an example that is true', () => {
  const schema = Type.Object({ id: Type.String() })
  const emits = [{ kind: 'alpha.made', description: '', public: true, schema, example: { id: 7 } }]
  expect(faultsOf([plugin('alpha', { emits })])).toEqual([
    'plugin alpha: the example of the event alpha.made does not fit its schema',
  ])
})

test('a third-party plugin keeps to its own paths, operations, permissions and events', () => {
  const weather = plugin('weather', {
    routes: [
      route('GET', '/v1/x/weather/now', { operationId: 'weatherNow' }),
      route('POST', '/v1/x/weather/now', { operationId: 'createWeather' }),
      route('GET', '/v1/memories/weather'),
      route('GET', '/v1/x/weathers/now'),
    ],
    permissions: [group('weather.read', 'memory.everything')],
    emits: ['weather.turned', 'memory.rained'].map(kind => ({ kind, description: '', public: true })),
  })
  expect(faultsOf([], [], [weather])).toEqual([
    'plugin weather: the route GET /v1/memories/weather must begin with /v1/x/weather/',
    'plugin weather: the route GET /v1/x/weathers/now must begin with /v1/x/weather/',
    'plugin weather: the operation createWeather must begin with weather',
    'plugin weather: the permission memory.everything must begin with weather.',
    'plugin weather: the event memory.rained must begin with weather.',
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
