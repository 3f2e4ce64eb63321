import { describe, expect, test } from 'bun:test'
import {
  administration,
  definePlugin,
  type Embedder,
  type NewJob,
  type Plugin,
  type PluginContext,
  passwordConfirmation,
  Type,
  tasksOf,
} from 'mneme/plugin'
import { failure } from '../../test/support/control-plane.ts'
import { startService } from '../../test/support/service.ts'
import { eraseTypes } from '../plugin.ts'

async function contextOf(
  uses: NonNullable<Plugin['uses']> = [],
  tasks: NonNullable<Plugin['tasks']> = [],
): Promise<PluginContext<unknown>> {
  let lent: PluginContext<unknown> | undefined
  const plugin = definePlugin({
    id: 'aa',
    version: '1',
    apiVersion: 1,
    uses,
    tasks,
    setup(context) {
      lent = context
      return { scope: null }
    },
  })
  await startService({}, { builtIn: [eraseTypes(plugin)] })
  if (!lent) throw new Error('the plugin was not set up')
  return lent
}

describe('what a plugin is lent', () => {
  test('is this and no more: adding to it is a decision on the plugin contract', async () => {
    const context = await contextOf()
    const names = Object.entries(context).map(([name, value]) => [
      name,
      LISTED.has(name) ? Object.keys(value) : 'whole',
    ])
    expect(Object.fromEntries(names)).toEqual({
      database: ['isConcurrent', 'system', 'workspace', 'maintain'],
      tenants: ['find', 'tenant'],
      events: ['kinds', 'publish'],
      jobs: ['enqueue'],
      usage: ['tokens', 'tokensIn', 'request'],
      quotas: ['room', 'take', 'exceeded', 'list'],
      outgoing: ['request', 'refusalOf'],
      secrets: ['seal', 'open'],
      background: ['run'],
      embedder: ['modelId', 'dimensions', 'embed', 'ready'],
      embedders: ['configured', 'open'],
      language: ['modelId', 'available', 'generate'],
      reranker: ['modelId', 'available', 'score'],
      quarantine: 'whole',
      metrics: 'whole',
      config: 'whole',
      log: 'whole',
      wiring: ['use', 'find', 'extensions', 'contributions'],
    })
  })

  test('cannot be changed for the plugin or for others', async () => {
    const context = await contextOf()
    expect(Object.isFrozen(context)).toBe(true)
    for (const name of LISTED)
      expect({ name, frozen: Object.isFrozen(Reflect.get(context, name)) }).toEqual({ name, frozen: true })
  })

  test('works as the service itself does', async () => {
    const { database, embedder, language } = await contextOf()
    expect(await database.system(tx => tx<{ one: number }[]>`select 1 as one`)).toMatchObject([{ one: 1 }])
    const [embedding] = await (embedder satisfies Embedder).embed(['a lamp'])
    expect(embedding?.vector).toHaveLength(embedder.dimensions)
    expect([language.modelId, language.available()]).toEqual(['none', false])
  })
})

test('jobs of a plugin have keys of its own, since all plugins share them', async () => {
  const fold = tasksOf()({ name: 'aa:fold', payload: Type.Object({}), run: async () => undefined })
  const { database, jobs } = await contextOf([], [fold])
  const adding = (job: Partial<NewJob>) =>
    failure(database.system(tx => jobs.enqueue(tx, [{ task: 'aa:fold', payload: {}, ...job }])))
  for (const key of ['user-1', 'aa', 'ab:user-1']) {
    const refusal = `plugin aa: enqueues aa:fold with the key ${key}, which other plugins may use too; begin it with aa:`
    expect((await adding({ key }))?.message).toBe(refusal)
    expect((await adding({ limit: { key, max: 1 } }))?.message).toBe(refusal)
  }
  expect(await adding({ key: 'aa:user-1', limit: { key: 'aa:user-1', max: 1 } })).toBeUndefined()
})

describe('ports of the kernel', () => {
  test('that administer accounts are for plugins alone that list them', async () => {
    const { wiring } = await contextOf()
    const refusal = 'plugin aa: list the port core.administration in the manifest\'s "uses" to use it'
    expect(() => wiring.use(administration)).toThrow(refusal)
    expect(() => wiring.find(administration)).toThrow(refusal)
    // A port is found by its id, so a hand-made one is no way around.
    expect(() => wiring.find({ id: 'core.administration' })).toThrow(refusal)
    expect((await contextOf([administration])).wiring.use(administration).keys).toHaveProperty('rotate')
  })

  test('that ask something of the caller are for all', async () => {
    expect((await contextOf()).wiring.use(passwordConfirmation)).toHaveProperty('confirm')
  })
})

/** Only a part of these is lent; the others are the plugin's own or a library's. */
const LISTED = new Set([
  'database',
  'tenants',
  'events',
  'outgoing',
  'secrets',
  'jobs',
  'usage',
  'quotas',
  'background',
  'embedder',
  'embedders',
  'language',
  'reranker',
  'wiring',
])
