import { describe, expect, test } from 'bun:test'
import { checkContributions } from '../boot/contributions.ts'
import { selectPlugins } from '../boot/select.ts'
import type { AnyPlugin } from '../plugin.ts'
import { extend, Switchboard } from '../ports.ts'
import { type ConsolePage, consolePages, visibleConsolePages } from './console-pages.ts'

const page = (id: string, parts: Partial<ConsolePage> = {}): ConsolePage => ({
  id,
  title: id,
  path: `/x/alpha/${id}`,
  icon: 'book',
  order: 10,
  ...parts,
})

describe("the console's menu", () => {
  const wiring = new Switchboard()
  const add = (plugin: string, feature: string | undefined, ...pages: ConsolePage[]) => {
    for (const each of pages) wiring.extend(extend(consolePages, each), { id: plugin, feature })
  }
  add('alpha', undefined, page('last', { order: 20 }), page('b'), page('secret', { permission: 'alpha.read' }))
  add('alpha', undefined, page('a', { feature: 'ovens' }), page('zero', { order: 0 }))
  add('beta', 'kilns', page('fired'), page('glazed', { feature: 'ovens' }))

  const seen = (permissions: Set<string> | 'all', ...features: string[]) =>
    visibleConsolePages(wiring, { permissions }, { features: new Set(features) }).map(({ id }) => id)

  test('holds what the caller may do and the plan includes, by order and title', () => {
    expect(seen('all', 'ovens', 'kilns')).toEqual(['zero', 'a', 'b', 'fired', 'glazed', 'secret', 'last'])
    expect(seen(new Set(), 'ovens', 'kilns')).toEqual(['zero', 'a', 'b', 'fired', 'glazed', 'last'])
    expect(seen(new Set(['alpha.read']))).toEqual(['zero', 'b', 'secret', 'last'])
    expect(seen('all', 'kilns')).toEqual(['zero', 'b', 'fired', 'secret', 'last'])
    expect(seen('all', 'ovens')).toEqual(['zero', 'a', 'b', 'secret', 'last'])
  })

  test('says whose each page is, and nothing that only the kernel needs', () => {
    expect(visibleConsolePages(wiring, { permissions: 'all' }, { features: new Set() })[0]).toEqual({
      plugin: 'alpha',
      id: 'zero',
      title: 'zero',
      path: '/x/alpha/zero',
      icon: 'book',
      order: 0,
    })
  })
})

test('what cannot be a page of the menu is refused at the start', () => {
  const alpha = { id: 'alpha', version: '1', apiVersion: 1, setup: () => ({ scope: null }) } as unknown as AnyPlugin
  const beta = { ...alpha, id: 'beta' }
  const faults = (...pages: unknown[]) =>
    checkContributions(
      pages.map(value => ({ plugin: alpha, extension: { point: consolePages, value } })),
      selectPlugins([alpha, beta], [], []),
    )
  expect(faults(page('a'))).toEqual([])
  expect(faults(page('a', { path: '/\t/evil.example' }))).toEqual([
    'plugin alpha: its console page a has the path /\t/evil.example, which must begin with one /',
  ])
  expect(faults(page('a', { path: '//evil.example' }), page('b', { path: '/\\evil.example' }))).toEqual([
    'plugin alpha: its console page a has the path //evil.example, which must begin with one /',
    'plugin alpha: its console page b has the path /\\evil.example, which must begin with one /',
  ])
  expect(faults(page('a', { permission: 'alpha.raed' }), page('b', { feature: 'ovens', order: Number.NaN }))).toEqual([
    'plugin alpha: its console page a wants the permission alpha.raed, which no plugin declares; declare it, or leave it out',
    'plugin alpha: its console page b has the order NaN, which must be a finite number',
    'plugin alpha: its console page b wants the feature ovens, which no plugin declares; declare it, or leave it out',
  ])
  expect(faults(page('a'), page('a'))).toEqual([
    'plugin alpha: a is added to the extension point core.consolePages twice; give one another id',
  ])
  expect(faults({ ...page('a'), icon: undefined })[0]).toContain('lacks `icon`')
})

describe('an entry of the menu', () => {
  const plugin = (id: string) =>
    ({ id, version: '1', apiVersion: 1, setup: () => ({ scope: null }) }) as unknown as AnyPlugin
  const [desk, alpha] = [plugin('desk'), plugin('alpha')]
  const faults = (...entries: [AnyPlugin, ConsolePage][]) =>
    checkContributions(
      entries.map(([owner, value]) => ({ plugin: owner, extension: { point: consolePages, value } })),
      selectPlugins([desk], [{ plugin: alpha, origin: './alpha.ts' }], []),
    )

  test('of a third party leads to a place of its own, however it is written', () => {
    const own = ['/x/alpha', '/x/alpha/', '/x/alpha/book', '/x/alpha?tab=1#top', '/x/alpha/a/../b']
    expect(faults(...own.map((path, n): [AnyPlugin, ConsolePage] => [alpha, page(`p${n}`, { path })]))).toEqual([])
    for (const path of ['/desk', '/', '/x/alphabet', '/x/alpha/../../desk', '/x/alpha/%2e%2e/beta', '/x/alpha/..']) {
      expect(faults([alpha, page('a', { path })])).toEqual([
        `plugin alpha: its console page a has the path ${path}, which must be /x/alpha or lie below it`,
      ])
    }
    expect(faults([desk, page('a', { path: '/desk' })])).toEqual([])
  })

  test('leads where no other does', () => {
    expect(faults([desk, page('a')], [alpha, page('b')], [alpha, page('c', { path: '/x/alpha/a' })])).toEqual([
      'plugin alpha: its console page c leads to /x/alpha/a, as a of desk does already; leave one out',
    ])
  })
})
