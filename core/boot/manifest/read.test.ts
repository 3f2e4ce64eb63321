import { describe, expect, test } from 'bun:test'
import { Kind, type TSchema, Type } from '@sinclair/typebox'

import { builtInPlugins } from '../../../server/plugins.ts'
import { defineSetting } from '../../auth/settings.ts'
import { runningPlugin } from '../../faults/attribution.ts'
import type { CronEntry } from '../../jobs/task.ts'
import { readManifest, readParts } from './read.ts'
import { type FieldsOf, manifestSchema, type OptionalField, partsSchema } from './schema.ts'

/** Tells whether schemas of these members alone make up those of a cron entry. */
type Accepts<K extends string> = Record<K, TSchema> extends FieldsOf<CronEntry> ? true : false

const MANIFEST = { id: 'weather', version: '1.0.0', apiVersion: 1, setup: () => ({ scope: null }) }
const ROUTE = {
  method: 'GET',
  path: '/v1/x/weather/now',
  access: 'public',
  summary: 'Say what the weather is',
  responses: { 200: Type.Object({}) },
  handle: () => ({ status: 200, body: {} }),
}

function faultsOf(parts: Record<string, unknown>): readonly string[] {
  const reading = readManifest({ ...MANIFEST, ...parts }, './weather.ts')
  return 'faults' in reading ? reading.faults : []
}

const faultOfRoute = (parts: Record<string, unknown>) => faultsOf({ routes: [{ ...ROUTE, ...parts }] })

test('the manifests of the built-in plugins are read without a fault', () => {
  for (const plugin of builtInPlugins) {
    const reading = readManifest(plugin, 'built in')
    expect({ [plugin.id]: 'faults' in reading ? reading.faults : [] }).toEqual({ [plugin.id]: [] })
  }
})

describe('the schema and the types of the contract are one', () => {
  test('a member that only one of them has does not compile', () => {
    // The compiler decides each of these, and refuses the file when it decides otherwise.
    const whole: Accepts<'schedule' | 'task'> = true
    const missing: Accepts<'schedule'> = false
    const notOptional: FieldsOf<CronEntry>['task'] extends OptionalField ? true : false = false
    const isOptional: FieldsOf<Partial<CronEntry>>['task'] extends OptionalField ? true : false = true
    const known: keyof FieldsOf<CronEntry> extends 'schedule' | 'task' ? true : false = true
    expect([whole, missing, notOptional, isOptional, known]).toEqual([true, false, false, true, true])
  })

  test('whatever can be left out of a plugin is left out here', () => {
    expect(manifestSchema.required).toEqual(['id', 'version', 'apiVersion', 'setup'])
    expect(partsSchema.required).toEqual(['scope'])
  })
})

describe('a misspelt key is named with what was meant', () => {
  for (const key of Object.keys(manifestSchema.properties)) {
    if (key in MANIFEST) continue
    test(`of a manifest: ${key}`, () => {
      const misspelt = `${key[1]}${key[0]}${key.slice(2)}`
      expect(faultsOf({ [misspelt]: [] })).toEqual([
        `plugin weather: its manifest has the key \`${misspelt}\`, which nothing reads; did you mean ${key}?`,
      ])
    })
  }

  test('of a route, a part, a task', () => {
    expect(faultOfRoute({ sumary: 'x' })).toEqual([
      'plugin weather: the route GET /v1/x/weather/now has the key `sumary`, which nothing reads; did you mean summary?',
    ])
    const task = { name: 'weather:ask', payload: Type.Object({}), run: () => undefined, exausted: () => undefined }
    expect(faultsOf({ tasks: [task] })).toEqual([
      'plugin weather: the task weather:ask has the key `exausted`, which nothing reads; did you mean exhausted?',
    ])
    const parts = readParts('weather', { scope: null, healthcheck: [] })
    expect(parts).toEqual({
      faults: [
        'plugin weather: what setup handed back has the key `healthcheck`, which nothing reads; did you mean healthChecks?',
      ],
    })
  })

  test('one that is like no other is shown what there is', () => {
    expect(faultsOf({ dashboards: [] })[0]).toStartWith(
      'plugin weather: its manifest has the key `dashboards`, which nothing reads; remove it (known are id, version,',
    )
  })
})

describe('every part has its form', () => {
  const cases: [what: string, faults: readonly string[], message: string][] = [
    [
      'a route without responses',
      faultOfRoute({ responses: undefined }),
      'the route GET /v1/x/weather/now lacks `responses`, which must be an object of at least one status with its schema, e.g. { 200: Type.Object({ … }) }',
    ],
    [
      'a route with no response',
      faultOfRoute({ responses: {} }),
      '`responses` of the route GET /v1/x/weather/now must be an object of at least one status with its schema, e.g. { 200: Type.Object({ … }) }, not an empty object',
    ],
    [
      'a response under no status',
      faultOfRoute({ responses: { ok: Type.Object({}) } }),
      'the route GET /v1/x/weather/now has the key `responses.ok`: keys must be a status from 200 to 599',
    ],
    [
      'a route without access',
      faultOfRoute({ access: undefined }),
      "the route GET /v1/x/weather/now lacks `access`, which must be { permission: '…' }, 'anyKey', 'account', 'person' or 'public'",
    ],
    [
      'plain JSON Schema',
      faultOfRoute({ body: { type: 'object', properties: {} } }),
      '`body` of the route GET /v1/x/weather/now is not a TypeBox schema: build it with Type, plain JSON Schema is not enough',
    ],
    [
      'a format that is not known',
      faultOfRoute({ body: Type.Object({ to: Type.String({ format: 'pressure' }) }) }),
      '`body` of the route GET /v1/x/weather/now names the format pressure, which is not known here: use a pattern',
    ],
    [
      'a broken pattern',
      faultOfRoute({ body: Type.Object({ to: Type.Array(Type.String({ pattern: '(' })) }) }),
      '`body` of the route GET /v1/x/weather/now has a pattern that is no regular expression',
    ],
    [
      'a type that nobody registered',
      faultOfRoute({ responses: { 200: Type.Unsafe({ ...Type.Object({}), [Kind]: 'Cloud' }) } }),
      '`responses.200` of the route GET /v1/x/weather/now does not compile: Cloud is no type that is known here',
    ],
    [
      'a list that is none',
      faultsOf({ requires: 'memories' }),
      "`requires` of its manifest must be a list of plugin ids, not 'memories'",
    ],
    [
      'a path instead of a URL',
      faultsOf({ migrations: './sql' }),
      "`migrations` of its manifest must be a file URL, e.g. new URL('./sql/', import.meta.url), not './sql'",
    ],
    [
      'a status that is no failure',
      faultsOf({ errors: { SUN_LOST: { status: 200, message: 'Lost.' } } }),
      '`errors.SUN_LOST.status` of its manifest must be a whole number from 400 to 599, not 200',
    ],
    [
      'more attempts than a task can have',
      faultsOf({ tasks: [{ name: 'weather:ask', payload: Type.Object({}), maxAttempts: 50, run: () => undefined }] }),
      '`maxAttempts` of the task weather:ask must be a whole number from 1 to 20, not 50',
    ],
    [
      'an event without the form of the others',
      faultsOf({ emits: [{ kind: 'Rained', description: '', public: true }] }),
      "`kind` of the event Rained must be a name of the form noun.pastTense, not 'Rained'",
    ],
    [
      'a subscription to nothing',
      faultsOf({ subscriptions: [{ event: [], name: 'hear', handle: () => undefined }] }),
      "`event` of the subscription hear must be a kind, a list of at least one, or '*' for all public events, not an empty list",
    ],
    [
      'a plan that there is not',
      faultsOf({ features: [{ name: 'storms', description: 'Storms.', plans: ['gold'] }] }),
      "`plans.0` of the feature storms must be one of free, pro, scale, not 'gold'",
    ],
    [
      'a quota that is no whole number for a plan',
      faultsOf({ quotas: [{ name: 'storms', description: 'Storms.', limits: { free: 1, pro: 1.5, scale: 3 } }] }),
      '`limits.pro` of the quota storms must be a whole number of at least 0, not 1.5',
    ],
    [
      'a setting whose key no document could hold',
      faultsOf({ workspaceSettings: [defineSetting({ key: 'Aims..cups', schema: Type.Integer() })] }),
      "`key` of the workspace setting Aims..cups must be up to four names of lower-case letters, digits and _, with dots between them, not 'Aims..cups'",
    ],
    ['an item that is none', faultsOf({ routes: [ROUTE, null] }), 'the route number 2 must be an object, not null'],
    [
      'no function',
      faultOfRoute({ handle: 'now' }),
      "`handle` of the route GET /v1/x/weather/now must be a function, not 'now'",
    ],
  ]
  for (const [what, faults, message] of cases) {
    test(what, () => expect(faults).toEqual([`plugin weather: ${message}`]))
  }

  test('an export that is no plugin is named by where it was loaded from', () => {
    expect(readManifest(undefined, './x.ts')).toEqual({
      faults: ['plugin ./x.ts: its manifest must be an object, not undefined'],
    })
    const throwing = Object.defineProperty({}, 'routes', {
      enumerable: true,
      get() {
        throw new Error('no')
      },
    })
    expect(readManifest(throwing, './x.ts')).toEqual({ faults: ['plugin ./x.ts: its manifest cannot be read: no'] })
  })

  test('of a manifest for another API nothing else is said', () => {
    expect(faultsOf({ apiVersion: 2, rotues: [] })).toEqual([
      'plugin weather is written for plugin API 2, this server has 1',
    ])
  })

  test('very many faults are cut off', () => {
    const faults = faultsOf({ routes: Array.from({ length: 50 }, () => ({})) })
    expect(faults).toHaveLength(21)
    expect(faults.at(-1)).toBe('plugin weather: its manifest has more faults than these')
  })

  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['parts', "'parts'"],
  ])('setup that hands back %p', (given, named) => {
    expect(readParts('weather', given)).toEqual({
      faults: [
        `plugin weather: setup handed back ${named}; it must hand back an object with the scope, e.g. { scope: null }`,
      ],
    })
  })
})

describe('what was read', () => {
  test('is a copy that the plugin cannot change any more', () => {
    const route = { ...ROUTE, access: { permission: 'weather.read' }, responses: { 200: Type.Object({}) } }
    const given = { ...MANIFEST, routes: [route], emits: [] as unknown[] }
    const reading = readManifest(given, './weather.ts')
    route.access.permission = 'memory.read'
    Object.assign(route, { access: 'public', handle: undefined })
    Object.assign(route.responses, { 299: Type.Object({}) })
    given.emits.push({ kind: 'memory.created' })
    given.routes.push(route)
    const read = 'value' in reading ? reading.value : undefined
    expect(read?.routes).toHaveLength(1)
    expect(read?.routes?.[0]?.access).toEqual({ permission: 'weather.read' })
    expect(Object.keys(read?.routes?.[0]?.responses ?? {})).toEqual(['200'])
    expect(read?.routes?.[0]?.handle).toBeFunction()
    expect(read?.emits).toEqual([])
  })

  test("has functions that run as the plugin's, on the object they belong to", async () => {
    class Barometer {
      readonly name = 'barometer'
      readonly #pressure = 1013
      /** The member is no part of the contract, and none of the kernel's business. */
      readonly unit = 'hPa'
      seen: unknown[] = []
      async check(): Promise<void> {
        await null
        this.seen = [this.#pressure, this.unit, runningPlugin()]
      }
    }
    const barometer = new Barometer()
    const reading = readParts('weather', { scope: barometer, healthChecks: [barometer] })
    const parts = 'value' in reading ? reading.value : undefined
    await parts?.healthChecks?.[0]?.check()
    expect(barometer.seen).toEqual([1013, 'hPa', 'weather'])
    expect(parts?.scope).toBe(barometer)
    expect(runningPlugin()).toBeUndefined()
  })
})
