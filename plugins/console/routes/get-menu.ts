import { ok, routesOf, Type, visibleConsolePages, type Wiring } from 'mneme/plugin'

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
  handle({ caller, tenant, scope }) {
    return ok({ pages: visibleConsolePages(scope.wiring, caller, tenant.workspace) })
  },
})
