import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type AnyPlugin, eraseTypes } from '../plugin.ts'
import { inOrder } from './plan.ts'

function plugin(id: string, requires: string[] = [], optional: string[] = []): AnyPlugin {
  return eraseTypes({ id, version: '1', apiVersion: 1, requires, optional, setup: () => ({ scope: undefined }) })
}

const ids = (plugins: AnyPlugin[]) => inOrder(plugins).map(({ id }) => id)

describe('plugins are set up after what they need', () => {
  test('and otherwise in the order given', () => {
    expect(ids([plugin('aa'), plugin('bb'), plugin('cc')])).toEqual(['aa', 'bb', 'cc'])
    expect(ids([plugin('aa', ['cc']), plugin('bb'), plugin('cc', ['bb'])])).toEqual(['bb', 'cc', 'aa'])
  })

  test('an optional one comes first when it is there and is not missed when it is not', () => {
    expect(ids([plugin('aa', [], ['bb']), plugin('bb')])).toEqual(['bb', 'aa'])
    expect(ids([plugin('aa', [], ['bb'])])).toEqual(['aa'])
  })

  test('whatever the order of the list', () => {
    // Plugin n may only need plugins with a smaller number, so there is always an order.
    const graph = fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(graph, fc.infiniteStream(fc.nat()), (needs, random) => {
        const plugins = needs.map((list, n) =>
          plugin(
            `p${n}`,
            [...new Set(list.filter(m => m < n))].map(m => `p${m}`),
          ),
        )
        const shuffled = plugins
          .map(item => ({ item, key: random.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item)
        const order = ids(shuffled)
        expect(order.toSorted()).toEqual(plugins.map(({ id }) => id).toSorted())
        for (const { id, requires = [] } of plugins) {
          for (const needed of requires) expect(order.indexOf(needed)).toBeLessThan(order.indexOf(id))
        }
      }),
      { numRuns: 200 },
    )
  })
})

test('a missing requirement names the plugin and what it wants, all at once', () => {
  const hint = 'add it to PLUGINS'
  expect(() => inOrder([plugin('aa', ['bb']), plugin('cc', ['dd'])])).toThrow(
    `plugin aa requires the plugin bb, which is not loaded; ${hint}\nplugin cc requires the plugin dd, which is not loaded; ${hint}`,
  )
})

test('a circle is shown from its beginning to its end, without those that only lead into it', () => {
  const circle = [plugin('start', ['aa']), plugin('aa', ['bb']), plugin('bb', ['cc']), plugin('cc', ['aa'])]
  expect(() => inOrder(circle)).toThrow('plugins require one another in a circle: aa -> bb -> cc -> aa')
  expect(() => inOrder([plugin('aa', ['aa'])])).toThrow('in a circle: aa -> aa')
})
