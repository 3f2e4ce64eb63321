import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AnyPlugin } from '../plugin.ts'
import { checkPages } from './check.ts'
import { readManifest } from './manifest/read.ts'
import { selectPlugins } from './select.ts'

let place: string
let folder: URL

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'mneme-pages-'))
  folder = pathToFileURL(`${place}/`)
  await writeFile(join(place, 'index.html'), 'x')
})

afterAll(() => rm(place, { recursive: true, force: true }))

function plugin(id: string, parts: Partial<AnyPlugin> = {}): AnyPlugin {
  return { id, version: '1.0.0', apiVersion: 1, setup: () => ({ scope: undefined }), ...parts } as AnyPlugin
}

const withPages = (id: string, ...paths: string[]) => plugin(id, { pages: paths.map(path => ({ path, folder })) })

function faultsOf(builtIn: AnyPlugin[], strangers: AnyPlugin[] = []): string[] {
  const thirdParty = strangers.map(stranger => ({ plugin: stranger, origin: `./${stranger.id}.ts` }))
  return checkPages(selectPlugins(builtIn, thirdParty, []))
}

describe('pages of manifests', () => {
  test('of third parties lie below their own path, and those of built-in plugins outside of what is taken', () => {
    const good = faultsOf(
      [withPages('desk', '/desk')],
      [withPages('alpha', '/x/alpha'), withPages('beta', '/x/beta/a')],
    )
    expect(good).toEqual([])
    expect(faultsOf([], [withPages('alpha', '/desk', '/x/beta', '/x/alphabet')])).toEqual([
      'plugin alpha: the page /desk must be /x/alpha or lie below it',
      'plugin alpha: the page /x/beta must be /x/alpha or lie below it',
      'plugin alpha: the page /x/alphabet must be /x/alpha or lie below it',
    ])
    expect(faultsOf([withPages('desk', '/v1/desk', '/x/desk', '/docs')])).toEqual([
      'plugin desk: the page /v1/desk lies below /v1, which is taken; choose another path',
      'plugin desk: the page /x/desk lies below /x, which is taken; choose another path',
      'plugin desk: the page /docs lies below /docs, which is taken; choose another path',
    ])
  })

  test('at one path, or one inside another, are refused with both names', () => {
    const rest = (what: string) =>
      `plugin beta: ${what} is declared by both alpha and beta (alpha: built in, beta: built in); change one of them or leave one out`
    const both = (first: string, second: string) => faultsOf([withPages('alpha', first), withPages('beta', second)])
    expect(both('/desk', '/desk')).toEqual([rest('the page /desk')])
    expect(both('/desk', '/desk/top')).toEqual([rest('a page at or below /desk')])
    expect(both('/desk/top', '/desk')).toEqual([rest('a page at or below /desk')])
    expect(both('/desk', '/desktop')).toEqual([])
    expect(faultsOf([withPages('alpha', '/desk', '/desk')])).toEqual([
      'plugin alpha: the page /desk is declared twice; remove one',
    ])
  })

  test('with isHome are built in, and there is one', () => {
    const home = (id: string, path: string) => plugin(id, { pages: [{ path, folder, isHome: true }] })
    expect(faultsOf([home('desk', '/desk'), withPages('alpha', '/alpha')])).toEqual([])
    expect(faultsOf([home('desk', '/desk'), home('alpha', '/alpha')])).toEqual([
      'plugin alpha: the page at / is declared by both desk and alpha (desk: built in, alpha: built in); change one of them or leave one out',
    ])
    expect(faultsOf([], [home('alpha', '/x/alpha')])).toEqual([
      'plugin alpha: a page of a third party cannot have isHome; leave it out',
    ])
  })

  test('that hold a route are refused', () => {
    const route = { method: 'GET', path: '/desk/api/:id' }
    const beta = plugin('beta', { routes: [route] } as object)
    expect(faultsOf([withPages('alpha', '/desk'), beta])[0]).toStartWith(
      'plugin beta: /desk/api/:id, a route and a place below the page /desk, is declared by both alpha and beta',
    )
  })

  test('without their folder or fallback are refused', () => {
    const missing = new URL('nowhere/', folder)
    const lost = plugin('alpha', { pages: [{ path: '/desk', folder: missing }] })
    expect(faultsOf([lost])).toEqual([
      `plugin alpha: the page /desk has the folder ${join(place, 'nowhere/')}, which does not exist; build it, or name another`,
    ])
    const page = (fallback: string) => plugin('alpha', { pages: [{ path: '/desk', folder, fallback }] })
    expect(faultsOf([page('index.html')])).toEqual([])
    expect(faultsOf([page('app.html')])).toEqual([
      `plugin alpha: the page /desk has the fallback app.html, which is no file of ${place}/; add it, or leave it out`,
    ])
  })

  test.each(['/desk/', 'desk', '/desk/:id', '/desk/*', '/desk/../v1', '/'])('have no path such as %s', path => {
    const reading = readManifest(plugin('alpha', { pages: [{ path, folder }] }), 'built in')
    expect(reading).toEqual({ faults: [expect.stringMatching(/^plugin alpha: .*must be a path such as/)] })
  })
})
