import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isWithin, type PageFolder } from '../pages/page-folder.ts'
import { conflict, type PluginSelection } from './select.ts'

/** Paths with these first segments are the kernel's, the API's or those of third parties. */
const TAKEN = new Set(['v1', 'x', 'health', 'ready', 'metrics', 'openapi.json', 'docs'])

/** Checks the pages of manifests against the disk, each other and all routes. */
export function checkPages(selection: PluginSelection): string[] {
  const { loaded, disabled, thirdParty } = selection
  const all = [...loaded, ...disabled]
  const pages = all.flatMap(owner => (owner.pages ?? []).map(page => ({ owner, page })))
  const [home, ...homes] = pages.filter(({ owner, page }) => page.isHome && !thirdParty.has(owner.id))
  return [
    ...pages.flatMap(({ owner, page }) =>
      [
        ...pathFaults(owner.id, page, thirdParty.has(owner.id)),
        ...(loaded.includes(owner) ? folderFaults(page) : []),
      ].map(fault => `plugin ${owner.id}: ${fault}`),
    ),
    // One page is what people begin with.
    ...homes.flatMap(({ owner }) => (home ? [conflict('the page at /', owner, home.owner, selection)] : [])),
    ...pages.flatMap(({ owner, page: { path } }, index) => [
      // One page inside another would hide files of it, and so would a route.
      ...pages
        .slice(0, index)
        .filter(({ page: other }) => isWithin(path, other.path) || isWithin(other.path, path))
        .map(({ owner: first, page: other }) => {
          const upper = path.length < other.path.length ? path : other.path
          const what = path === other.path ? `the page ${path}` : `a page at or below ${upper}`
          return conflict(what, owner, first, selection)
        }),
      ...all.flatMap(plugin =>
        (plugin.routes ?? [])
          .filter(route => isWithin(route.path, path))
          .map(route =>
            conflict(`${route.path}, a route and a place below the page ${path},`, plugin, owner, selection),
          ),
      ),
    ]),
  ]
}

function pathFaults(id: string, { path, isHome }: PageFolder, isThirdParty: boolean): string[] {
  const [, first = ''] = path.split('/')
  if (!isThirdParty)
    return TAKEN.has(first) ? [`the page ${path} lies below /${first}, which is taken; choose another path`] : []
  return [
    ...(isWithin(path, `/x/${id}`) ? [] : [`the page ${path} must be /x/${id} or lie below it`]),
    ...(isHome ? ['a page of a third party cannot have isHome; leave it out'] : []),
  ]
}

function folderFaults({ path, folder, fallback }: PageFolder): string[] {
  const place = fileURLToPath(folder)
  const at = (url: string | URL) => statSync(url, { throwIfNoEntry: false })
  if (!at(place)?.isDirectory())
    return [`the page ${path} has the folder ${place}, which does not exist; build it, or name another`]
  if (fallback === undefined || at(new URL(fallback, folder.href.replace(/\/?$/, '/')))?.isFile()) return []
  return [`the page ${path} has the fallback ${fallback}, which is no file of ${place}; add it, or leave it out`]
}
