import { type Clock, systemClock } from '../clock.ts'
import { basePathOf } from '../config.ts'
import { messageOf } from '../failure-reason.ts'
import type { LateFaults } from '../faults/late-faults.ts'
import { createApp, type FetchHandler } from '../http/app.ts'
import { authRoutes } from '../http/auth-route.ts'
import { belowBasePath } from '../http/base-path.ts'
import { createCors } from '../http/cors.ts'
import { type MountedRoute, mountRoute } from '../http/mount.ts'
import type { ReadinessParts } from '../http/readiness.ts'
import { createRouteCatalogue, routeCatalogue } from '../http/route-catalogue.ts'
import { operatorRoutes, systemRoutes } from '../http/system-routes.ts'
import type { JobRunner } from '../jobs/runner.ts'
import { mountPages } from '../pages/page-routes.ts'
import { splitList } from '../parts.ts'
import type { AnyPlugin } from '../plugin.ts'
import { bind, type Switchboard } from '../ports.ts'
import { tracedFetch, tracedHttp } from '../tracing/traced.ts'
import { taskNames } from './runner.ts'
import type { PluginSelection } from './select.ts'
import type { Services } from './services.ts'
import type { SetUpPlugin } from './set-up.ts'

export interface HttpParts extends MountParts {
  readonly options: {
    readonly role: 'server' | 'worker' | 'command'
    readonly verifyResponses?: boolean
    readonly clock?: Clock
  }
}

/** Makes the handler of requests: the routes of all plugins and of the kernel on a server, those for operators on a worker, none in a command. */
export function createHttp(parts: HttpParts): FetchHandler {
  const { services, wiring, options } = parts
  const { verifyResponses = false, clock = systemClock } = options
  const { limiter: rateLimiter, metrics, config, tracing } = services
  const routes = routesOf(parts)
  wiring.bind('core', bind(routeCatalogue, createRouteCatalogue(routes)))
  const app = createApp(
    routes,
    { ...services, rateLimiter, wiring, metrics: tracedHttp(tracing, metrics.http), clock, verifyResponses },
    createCors(splitList(config.CORS_ORIGINS), [...new Set(routes.flatMap(({ route }) => route.readsHeaders ?? []))]),
  )
  return tracedFetch(tracing, belowBasePath(basePathOf(config), app))
}

function routesOf(parts: HttpParts): MountedRoute[] {
  switch (parts.options.role) {
    case 'server':
      return mountAll(parts)
    case 'worker':
      return mountForOperators(parts)
    case 'command':
      return []
  }
}

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
