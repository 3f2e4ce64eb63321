import { describe, expect, test } from 'bun:test'
import { type TSchema, Type } from '@sinclair/typebox'
import { runningPlugin } from '../faults/attribution.ts'
import type { AnyPlugin } from '../plugin.ts'
import { defineExtensionPoint, type ExtensionPoint, extend } from '../ports.ts'
import { checkContributions, contributed } from './contributions.ts'
import { selectPlugins } from './select.ts'

interface Step {
  readonly id: string
  run(): Promise<string | undefined>
}

const steps = defineExtensionPoint<Step>('kitchen.steps', {
  members: { id: 'string', run: 'function' },
  check: contributions =>
    contributions
      .filter(({ value }) => value.id === 'burn')
      .map(({ plugin }) => ({ plugin, fault: 'nothing may burn; choose another step' })),
})
const run = async () => undefined

function plugin(id: string, parts: Partial<AnyPlugin> = {}): AnyPlugin {
  return { id, version: '1.0.0', apiVersion: 1, setup: () => ({ scope: undefined }), ...parts } as AnyPlugin
}

const kitchen = plugin('kitchen', { extensionPoints: [steps] })

function faultsOf(contributor: AnyPlugin, point: ExtensionPoint<unknown>, ...values: unknown[]): string[] {
  const extensions = values.map(value => ({ plugin: contributor, extension: { point, value } }))
  return checkContributions(extensions, selectPlugins([kitchen, contributor], [], []))
}

describe('a contribution is refused', () => {
  const cook = plugin('cook', { requires: ['kitchen'] })

  test('to a point that no plugin has, with what was meant', () => {
    expect(faultsOf(cook, defineExtensionPoint('kitchen.step'), { id: 'chop', run })).toEqual([
      'plugin cook: contributes to the extension point kitchen.step, which no plugin has; did you mean kitchen.steps?',
    ])
  })

  test('to a plugin that the contributor does not name', () => {
    expect(faultsOf(plugin('cook'), steps, { id: 'chop', run })).toEqual([
      'plugin cook: contributes to the extension point kitchen.steps of kitchen, which it neither requires nor names as optional; add kitchen to `requires`',
    ])
  })

  test('without what the point wants of each', () => {
    expect(faultsOf(cook, steps, { id: 'chop' })).toEqual([
      'plugin cook: what it adds to the extension point kitchen.steps lacks `run`, which must be a function, not undefined',
    ])
    expect(faultsOf(cook, steps, 'chop')).toEqual([
      "plugin cook: what it adds to the extension point kitchen.steps must be an object, not 'chop'",
    ])
  })

  test('with a schema that is none, or does not compile', () => {
    const labels = defineExtensionPoint<{ schema: TSchema }>('kitchen.labels', { members: { schema: 'schema' } })
    const owner = plugin('kitchen', { extensionPoints: [labels] })
    const faultOf = (value: unknown) =>
      checkContributions([{ plugin: owner, extension: { point: labels, value } }], selectPlugins([owner], [], []))
    const named = 'plugin kitchen: what it adds to the extension point kitchen.labels'
    expect(faultOf({ schema: Type.String() })).toEqual([])
    expect(faultOf({})).toEqual([`${named} has a \`schema\` that is not a TypeBox schema`])
    expect(faultOf({ schema: Type.Object({ name: { type: 'string' } as never }) })).toEqual([
      `${named} has a \`schema\` that is not a TypeBox schema: build it with Type, plain JSON Schema is not enough`,
    ])
    expect(faultOf({ schema: Type.Ref('label') })).toEqual([
      `${named} has a \`schema\` that does not compile: Ref is no type that is known here`,
    ])
  })

  test('under an id that is taken', () => {
    expect(faultsOf(cook, steps, { id: 'chop', run }, { id: 'chop', run })).toEqual([
      'plugin cook: chop is added to the extension point kitchen.steps twice; give one another id',
    ])
  })

  test('that the owner of the point finds fault with', () => {
    expect(faultsOf(cook, steps, { id: 'burn', run })).toEqual(['plugin cook: nothing may burn; choose another step'])
  })

  test('when the owner cannot even look at it, with the owner named', () => {
    const broken = defineExtensionPoint('cellar.racks', {
      check() {
        throw new Error('too dark')
      },
    })
    const cellar = plugin('cellar', { extensionPoints: [broken] })
    const extensions = [{ plugin: cellar, extension: extend(broken, 1) }]
    expect(checkContributions(extensions, selectPlugins([cellar], [], []))).toEqual([
      'plugin cellar: its check of the extension point cellar.racks failed: too dark',
    ])
  })
})

test('a contribution to a plugin that is optional and away, or switched off, is no fault', () => {
  const cook = plugin('cook', { optional: ['kitchen', 'garden'] })
  expect(faultsOf(cook, defineExtensionPoint('garden.beds'), 1)).toEqual([])
  const extensions = [{ plugin: cook, extension: extend(steps, { id: 'chop', run }) }]
  expect(checkContributions(extensions, selectPlugins([kitchen, cook], [], ['kitchen']))).toEqual([])
})

describe('what is contributed', () => {
  test("runs as its plugin's, with its private state, whoever calls it", async () => {
    class Chop implements Step {
      readonly id = 'chop'
      #count = 0
      async run() {
        this.#count++
        await null
        return `${runningPlugin()} ${this.#count}`
      }
    }
    const step = contributed('cook', new Chop()) as Step
    expect([await step.run(), await step.run()]).toEqual(['cook 1', 'cook 2'])
    expect(step.run).toBe(step.run)
    expect(runningPlugin()).toBeUndefined()
  })

  test('may be frozen, by who adds it or by itself', async () => {
    class Boil implements Step {
      readonly id = 'boil'
      readonly run = async () => runningPlugin()
      constructor() {
        Object.freeze(this)
      }
    }
    const frozen = Object.freeze({ id: 'chop', run: async () => runningPlugin() })
    for (const given of [frozen, new Boil()]) {
      const step = contributed('cook', given) as Step
      expect([step.id, await step.run(), step.run]).toEqual([given.id, 'cook', step.run])
      expect(['run' in step, Object.keys(step).toSorted()]).toEqual([true, ['id', 'run']])
      expect(await { ...step }.run()).toBe('cook')
    }
    expect(contributed('cook', new Boil())).toBeInstanceOf(Boil)
  })

  test('may be a list, frozen or not, and is read as it is at the time', () => {
    const spices = ['salt']
    const shelf = contributed('cook', spices) as string[]
    spices.push('mace')
    expect([Array.isArray(shelf), [...shelf], JSON.stringify(shelf)]).toEqual([
      true,
      ['salt', 'mace'],
      '["salt","mace"]',
    ])
    shelf[0] = 'pepper'
    expect(spices).toEqual(['pepper', 'mace'])
    const works = contributed('cook', Object.freeze([runningPlugin])) as (() => unknown)[]
    expect(works.map(work => work())).toEqual(['cook'])
    expect(Object.keys(works)).toEqual(['0'])
  })

  test('may be a function or a plain value', () => {
    expect((contributed('cook', runningPlugin) as () => unknown)()).toBe('cook')
    expect(contributed('cook', 'salt')).toBe('salt')
  })
})
