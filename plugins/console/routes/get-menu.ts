import {
  ok,
  type RouteDescription,
  routeCatalogue,
  routesOf,
  Type,
  type VisibleConsolePage,
  visibleConsolePages,
  type Wiring,
} from 'mneme/plugin'
import { PLUGIN, VIEWS } from '../pages.ts'

/** Routes are called with this. */
export interface ConsoleScope {
  readonly wiring: Wiring
}

const page = Type.Object(
  {
    plugin: Type.String({ description: 'Id of the plugin that the page is of.' }),
    id: Type.String({ description: 'Id of the page.' }),
    title: Type.String({ description: 'Shown in the menu.' }),
    path: Type.String({ description: 'Where the page is on this service.' }),
    icon: Type.String({ description: 'Name of an icon.' }),
    order: Type.Number({ description: 'Smaller ones come first.' }),
  },
  { description: 'An entry of the menu.' },
)

export const getMenuRoute = routesOf<ConsoleScope>()({
  method: 'GET',
  path: '/v1/console/menu',
  operationId: 'getConsoleMenu',
  access: 'anyKey',
  tag: 'Console',
  summary: "List the console's pages",
  description:
    'Lists what the menu of the console shows to the caller in a workspace: pages of parts that are switched on, that the plan has and that the caller may use, in their order.',
  responses: { 200: Type.Object({ pages: Type.Array(page, { description: 'Entries of the menu.' }) }) },
  examples: {
    response: {
      pages: [
        { plugin: 'console', id: 'memories', title: 'Memories', path: '/console/memories', icon: 'notes', order: 10 },
      ],
    },
  },
  handle({ caller, tenant: { workspace }, scope: { wiring } }) {
    const visible = visibleConsolePages(wiring, caller, workspace)
    return ok({ pages: visible.filter(page => isForeign(page) || firstRoute(page, wiring)?.serves(caller, workspace)) })
  },
})

/** Pages of other plugins say themselves who may see them. */
function isForeign({ plugin }: VisibleConsolePage): boolean {
  return plugin !== PLUGIN
}

/** Returns what a view of the console begins with, as far as the server has it. */
function firstRoute(page: VisibleConsolePage, wiring: Wiring): RouteDescription | undefined {
  const view = VIEWS.find(({ page: { id } }) => id === page.id)
  return view && wiring.use(routeCatalogue).find(view.begins.method, view.begins.path)
}
