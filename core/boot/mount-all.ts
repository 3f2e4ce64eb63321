import { messageOf } from '../failure-reason.ts'
import { blame } from '../faults/attribution.ts'
import type { LateFaults } from '../faults/late-faults.ts'
import { authRoutes } from '../http/auth-route.ts'
import { isDownload } from '../http/download.ts'
import { type MountedRoute, mountRoute } from '../http/mount.ts'
import type { ReadinessParts } from '../http/readiness.ts'
import type { Route, RouteResponse } from '../http/route.ts'
import { operatorRoutes, systemRoutes } from '../http/system-routes.ts'
import type { JobRunner } from '../jobs/runner.ts'
import type { Logger } from '../log.ts'
import { mountPages } from '../pages/page-routes.ts'
import type { AnyPlugin } from '../plugin.ts'
import type { Switchboard } from '../ports.ts'
import { describe } from './manifest/read.ts'
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
  const mounted = plugins.flatMap(plugin => mountPlugin(plugin, scopes, services, wiring))
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

function mountPlugin(
  plugin: AnyPlugin,
  scopes: ReadonlyMap<string, unknown>,
  { log }: Services,
  wiring: Switchboard,
): MountedRoute[] {
  const { id, feature, routes = [] } = plugin
  const owner = { id, feature, enabled: scopes.has(id), scope: scopes.get(id) }
  return routes.map(route => {
    try {
      const mounted = mountRoute(route, owner, wiring.viewFor(plugin))
      return { ...mounted, route: guardRoute(id, mounted.route, log) }
    } catch (error) {
      const message = messageOf(error)
      throw new Error(`plugin ${id}: the route ${route.method} ${route.path} cannot be mounted: ${message}`, {
        cause: error,
      })
    }
  })
}

type Handler = Route['handle']

type Result = Awaited<ReturnType<Handler>>

/** Wraps a route so that its handler's faults carry its plugin's name, and its results can become a response. */
function guardRoute(plugin: string, route: Route, log: Logger): Route {
  const named = `plugin ${plugin}: the handler of ${route.method} ${route.path}`
  const told = new Set<number>()
  const check = (result: Result): Result => {
    if (result instanceof Response || isDownloadResult(result)) return result
    if (!isRouteResponse(result)) {
      throw new Error(`${named} returned ${describe(result)}; return ok(body), created(body), noContent or the like`)
    }
    if (route.responses[result.status] === undefined && !told.has(result.status)) {
      told.add(result.status)
      log.warn(`${named} responds with ${result.status}, which its \`responses\` do not list`)
    }
    return result
  }
  const failed = (thrown: unknown): never => {
    const error = thrown instanceof Error ? thrown : new Error(`${named} threw ${describe(thrown)}, which is no Error`)
    blame(error, plugin)
    throw error
  }
  const guarded =
    (handler: Handler): Handler =>
    input => {
      try {
        const result = handler(input)
        return result instanceof Promise ? result.then(check).catch(failed) : check(result)
      } catch (error) {
        return failed(error)
      }
    }
  const { head } = route
  return { ...route, handle: guarded(route.handle), ...(head ? { head: guarded(head) } : {}) }
}

function isDownloadResult(result: unknown): boolean {
  return typeof result === 'object' && result !== null && isDownload(result)
}

/** A response with a body can have these statuses. */
function isRouteResponse(result: unknown): result is RouteResponse {
  if (typeof result !== 'object' || result === null) return false
  const status: unknown = Reflect.get(result, 'status')
  return typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599
}
