import type { Caller, Workspace } from '../auth/caller.ts'
import { hasFeature } from '../auth/features.ts'
import { type Contribution, type ContributionFault, defineExtensionPoint, type Wiring } from '../ports.ts'
import { isWithin } from './page-folder.ts'

/** An entry of the console's menu. */
export interface ConsolePage {
  /** Unique among all plugins: `guestbook`. */
  readonly id: string
  /** The menu shows this title. */
  readonly title: string
  /** Leads to an absolute path of this service, e.g. below one of the plugin's `pages`. */
  readonly path: string
  /** Name of an icon, which the menu of the console draws beside the title. */
  readonly icon: string
  /** Smaller ones come first; equal ones by title. */
  readonly order: number
  /** Only callers with this permission see it. */
  readonly permission?: string
  /** Only workspaces whose plan has this feature show it, beside the one that the plugin stands for. */
  readonly feature?: string
}

/** The console's menu: contribute with `extensions: [extend(consolePages, …)]` in `setup`. */
export const consolePages = defineExtensionPoint<ConsolePage>('core.consolePages', {
  members: { id: 'string', title: 'string', path: 'string', icon: 'string', order: 'number' },
})

/** An entry as a caller may see it. */
export type VisibleConsolePage = Pick<ConsolePage, 'id' | 'title' | 'path' | 'icon' | 'order'> & {
  /** Id of the plugin it comes from. */
  readonly plugin: string
}

/** Lists the menu's entries for a caller in a workspace, in their order. */
export function visibleConsolePages(
  wiring: Pick<Wiring, 'contributions'>,
  { permissions }: Pick<Caller, 'permissions'>,
  workspace: Pick<Workspace, 'features'>,
): VisibleConsolePage[] {
  return wiring
    .contributions(consolePages)
    .filter(({ feature, value }) => hasFeature(workspace, feature) && hasFeature(workspace, value.feature))
    .filter(({ value: { permission: needed } }) => !needed || permissions === 'all' || permissions.has(needed))
    .map(({ plugin, value: { id, title, path, icon, order } }) => ({ plugin, id, title, path, icon, order }))
    .sort((a, b) => a.order - b.order || a.title.localeCompare(b.title, 'en') || a.id.localeCompare(b.id, 'en'))
}

/** Entries of the menu are checked against this. */
export interface DeclaredNames {
  readonly permissions: ReadonlySet<string>
  readonly features: ReadonlySet<string>
  /** Ids of the plugins that `PLUGINS` added, whose entries lead to places of their own. */
  readonly thirdParty: ReadonlySet<string>
}

/** Says what is wrong with contributions to the menu beyond their members. */
export function consolePageFaults(
  contributions: readonly Contribution<ConsolePage>[],
  { permissions, features, thirdParty }: DeclaredNames,
): ContributionFault[] {
  const owners = new Map<string, { plugin: string; id: string }>()
  return contributions.flatMap(({ plugin, value: { id, path, order, permission, feature } }) => {
    const named = `its console page ${id}`
    const owner = owners.get(path)
    owners.set(path, owner ?? { plugin, id })
    return [
      ...pathFaults(path, thirdParty.has(plugin) ? plugin : undefined).map(fault => `${named} ${fault}`),
      // Duplicate ids are reported elsewhere.
      ...(owner === undefined || owner.id === id
        ? []
        : [`${named} leads to ${path}, as ${owner.id} of ${owner.plugin} does already; leave one out`]),
      ...(Number.isFinite(order) ? [] : [`${named} has the order ${order}, which must be a finite number`]),
      ...(permission === undefined || permissions.has(permission)
        ? []
        : [`${named} wants the permission ${permission}, which no plugin declares; declare it, or leave it out`]),
      ...(feature === undefined || features.has(feature)
        ? []
        : [`${named} wants the feature ${feature}, which no plugin declares; declare it, or leave it out`]),
    ].map(fault => ({ plugin, fault }))
  })
}

const HERE = 'http://localhost'

/** @param stranger the third-party plugin that it is an entry of */
function pathFaults(path: string, stranger: string | undefined): string[] {
  // A browser resolves it so: two slashes, a backslash or a tab between them lead to another host, and dots lead
  // upwards.
  const { origin, pathname } = new URL(path, HERE)
  if (!path.startsWith('/') || origin !== HERE) return [`has the path ${path}, which must begin with one /`]
  if (stranger === undefined || isWithin(pathname, `/x/${stranger}`)) return []
  return [`has the path ${path}, which must be /x/${stranger} or lie below it`]
}
