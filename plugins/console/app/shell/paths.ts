import { BASE, ROOT } from '../place.ts'
import type { Page } from '../session.ts'

/** Where a page is in the console: those of plugins, which are documents of their own, lie below `/x` inside it. */
export const pathOf = ({ path }: Page): string =>
  path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : path.slice(ROOT.length)

/** Tells whether a place in the console is this page, or lies below it. */
export function isAt(page: Page, parts: readonly string[]): boolean {
  const path = pathOf(page)
  return path === '/' ? parts.length === 0 : `/${parts.join('/')}/`.startsWith(path.replace(/\/?$/, '/'))
}

/** The groups of the menu, by the pages in them; pages of plugins have one of their own. */
const GROUPS: readonly (readonly [title: string, ids: readonly string[]])[] = [
  ['Observe', ['overview', 'context', 'searches']],
  ['Data', ['memories', 'graph', 'knowledge', 'imports', 'templates']],
  ['Connect', ['keys', 'connections', 'webhooks', 'transfers']],
  ['Admin', ['members', 'settings']],
]

export function grouped(pages: readonly Page[]): { title: string; pages: Page[] }[] {
  const named = GROUPS.map(([title, ids]) => ({
    title,
    pages: ids.flatMap(id => pages.filter(page => page.plugin === 'console' && page.id === id)),
  }))
  const others = pages.filter(page => !named.some(group => group.pages.includes(page)))
  return [...named, { title: 'Plugins', pages: others }].filter(group => group.pages.length > 0)
}
