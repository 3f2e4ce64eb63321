import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isWithin, type PageFolder } from '../pages/page-folder.ts'
import type { AnyPlugin } from '../plugin.ts'
import { conflict, type PluginSelection } from './select.ts'

/** Paths with these first segments are the kernel's, the API's or those of third parties. */
const TAKEN = new Set(['v1', 'x', 'health', 'ready', 'metrics', 'openapi.json', 'docs'])

/** Checks the pages of manifests against the disk, each other and all routes. */
export function checkPages(selection: PluginSelection): string[] {
  const { loaded, disabled, thirdParty } = selection
  const all = [...loaded, ...disabled]
  return [
    ...all.flatMap(plugin => (plugin.pages ?? []).flatMap(page => pathFaults(plugin, page, thirdParty.has(plugin.id)))),
    ...loaded.flatMap(plugin => (plugin.pages ?? []).flatMap(page => folderFaults(plugin, page))),
    ...overlaps(all, selection),
    ...homes(all, selection),
    ...all.flatMap(owner => (owner.pages ?? []).flatMap(page => routesWithin(owner, page, all, selection))),
  ]
}

function pathFaults({ id }: AnyPlugin, { path }: PageFolder, isThirdParty: boolean): string[] {
  const named = `plugin ${id}: the page ${path}`
  if (isThirdParty) return isWithin(path, `/x/${id}`) ? [] : [`${named} must be /x/${id} or lie below it`]
  const [, first = ''] = path.split('/')
  return TAKEN.has(first) ? [`${named} lies below /${first}, which is taken; choose another path`] : []
}

function folderFaults({ id }: AnyPlugin, { path, folder, fallback }: PageFolder): string[] {
  const place = fileURLToPath(folder)
  const named = `plugin ${id}: the page ${path}`
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) {
    return [`${named} has the folder ${place}, which does not exist; build it, or name another`]
  }
  if (fallback === undefined) return []
  const file = new URL(fallback, folder.href.endsWith('/') ? folder : `${folder.href}/`)
  return statSync(fileURLToPath(file), { throwIfNoEntry: false })?.isFile()
    ? []
    : [`${named} has the fallback ${fallback}, which is no file of ${place}; add it, or leave it out`]
}

/** Only one page is what people begin with, and it is the service's own. */
function homes(all: readonly AnyPlugin[], selection: PluginSelection): string[] {
  const withHome = all.filter(({ pages = [] }) => pages.some(({ isHome }) => isHome))
  const [first, ...others] = withHome.filter(({ id }) => !selection.thirdParty.has(id))
  return [
    ...withHome
      .filter(({ id }) => selection.thirdParty.has(id))
      .map(({ id }) => `plugin ${id}: a page of a third party cannot have isHome; leave it out`),
    ...others.flatMap(other => (first ? [conflict('the page at /', other, first, selection)] : [])),
  ]
}

/** One page inside another would hide files of it. */
function overlaps(all: readonly AnyPlugin[], selection: PluginSelection): string[] {
  const pages = all.flatMap(owner => (owner.pages ?? []).map(({ path }) => ({ owner, path })))
  return pages.flatMap(({ owner: plugin, path }, index) =>
    pages
      .slice(0, index)
      .filter(other => isWithin(path, other.path) || isWithin(other.path, path))
      .map(other => {
        const what = path === other.path ? `the page ${path}` : `a page at or below ${shorter(path, other.path)}`
        return other.owner === plugin
          ? `plugin ${plugin.id}: ${what} is declared twice; remove one`
          : conflict(what, plugin, other.owner, selection)
      }),
  )
}

function shorter(a: string, b: string): string {
  return a.length < b.length ? a : b
}

function routesWithin(owner: AnyPlugin, page: PageFolder, all: readonly AnyPlugin[], selection: PluginSelection) {
  return all.flatMap(plugin =>
    (plugin.routes ?? [])
      .filter(route => isWithin(route.path, page.path))
      .map(route => {
        const what = `${route.path}, a route and a place below the page ${page.path},`
        return plugin === owner
          ? `plugin ${plugin.id}: ${what} is declared twice; move one of them`
          : conflict(what, plugin, owner, selection)
      }),
  )
}
