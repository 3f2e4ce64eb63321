import { messageOf } from '../failure-reason.ts'
import type { LateFaults } from '../faults/late-faults.ts'
import { authRoutes } from '../http/auth-route.ts'
import { type MountedRoute, mountRoute } from '../http/mount.ts'
import type { ReadinessParts } from '../http/readiness.ts'
import { operatorRoutes, systemRoutes } from '../http/system-routes.ts'
import type { JobRunner } from '../jobs/runner.ts'
import { mountPages } from '../pages/page-routes.ts'
import type { AnyPlugin } from '../plugin.ts'
import type { Switchboard } from '../ports.ts'
import { taskNames } from './runner.ts'
import type { PluginSelection } from './select.ts'
import type { Services } from './services.ts'
import type { SetUpPlugin } from './set-up.ts'

export interface MountParts {
  readonly selection: PluginSelection
  readonly setUp: readonly SetUpPlugin[]
  readonly services: Services
  readonly wiring: Switchboard
  readonly runner: JobRunner | undefined
  readonly lateFaults: LateFaults
  readonly isStopping: () => boolean
}

/** Lists the routes of all plugins, those switched off included, and the kernel's own. */
export function mountAll(parts: MountParts): MountedRoute[] {
  const { selection, setUp, services, wiring } = parts
  const plugins = [...selection.loaded, ...selection.disabled]
  const scopes = new Map(setUp.map(({ plugin, parts }) => [plugin.id, parts.scope]))
  const mounted = plugins.flatMap(plugin => mountPlugin(plugin, scopes, wiring))
  const system = [
    ...authRoutes(services.sessions),
    ...systemRoutes({ ...readinessParts(parts), routes: () => mounted, plugins }),
  ]
  mounted.push(...system.map(route => mountRoute(route, OWN, wiring)))
  const pages = plugins.flatMap(({ id, pages = [] }) => mountPages(pages, { id, enabled: scopes.has(id) }, wiring))
  return [...mounted, ...pages]
}

/** Lists the routes of a process that only runs jobs. */
export function mountForOperators(parts: MountParts): MountedRoute[] {
  return operatorRoutes(readinessParts(parts)).map(route => mountRoute(route, OWN, parts.wiring))
}

const OWN = { id: 'core', enabled: true, scope: undefined }

function readinessParts({ setUp, ...parts }: MountParts): ReadinessParts {
  const healthChecks = setUp.flatMap(({ plugin, parts }) =>
    (parts.healthChecks ?? []).map(check => ({ owner: plugin.id, check })),
  )
  return { ...parts, tasks: taskNames(setUp), healthChecks }
}

function mountPlugin(plugin: AnyPlugin, scopes: ReadonlyMap<string, unknown>, wiring: Switchboard): MountedRoute[] {
  const { id, feature, routes = [] } = plugin
  const owner = { id, feature, enabled: scopes.has(id), scope: scopes.get(id) }
  return routes.map(route => {
    try {
      return mountRoute(route, owner, wiring.viewFor(plugin))
    } catch (error) {
      const message = messageOf(error)
      throw new Error(`plugin ${id}: the route ${route.method} ${route.path} cannot be mounted: ${message}`, {
        cause: error,
      })
    }
  })
}
