import { splitList } from '../config.ts'
import { createApp, type FetchHandler } from '../http/app.ts'
import { authRoutes } from '../http/auth-route.ts'
import { systemClock } from '../http/clock.ts'
import { createCors } from '../http/cors.ts'
import { type MountedRoute, mountRoute } from '../http/mount.ts'
import { systemRoutes } from '../http/system-routes.ts'
import type { JobRunner } from '../jobs/runner.ts'
import type { KernelOptions } from '../kernel.ts'
import type { Switchboard } from '../ports.ts'
import type { PluginSelection } from './select.ts'
import type { Services } from './services.ts'
import type { SetUpPlugin } from './set-up.ts'

export interface HttpParts {
  readonly selection: PluginSelection
  readonly setUp: readonly SetUpPlugin[]
  readonly services: Services
  readonly wiring: Switchboard
  readonly runner: JobRunner | undefined
  readonly options: Pick<KernelOptions, 'role' | 'verifyAnswers' | 'clock'>
}

/** What answers requests: the routes of all plugins and of the kernel on a server, nothing elsewhere. */
export function createHttp(parts: HttpParts): FetchHandler {
  const { services, wiring, options } = parts
  const { verifyAnswers = false, clock = systemClock, role } = options
  const { limiter: rateLimiter, metrics, config } = services
  return createApp(
    role === 'server' ? mountAll(parts) : [],
    { ...services, rateLimiter, wiring, metrics: metrics.http, clock, verifyAnswers },
    createCors(splitList(config.CORS_ORIGINS)),
  )
}

function mountAll({ selection: { loaded, disabled }, setUp, services, wiring, runner }: HttpParts): MountedRoute[] {
  const scopes = new Map(setUp.map(({ plugin, parts }) => [plugin.id, parts.scope]))
  const plugins = [...loaded, ...disabled]
  const mounted = plugins.flatMap(plugin => {
    const { id, feature, routes = [] } = plugin
    const owner = { id, feature, enabled: scopes.has(id), scope: scopes.get(id) }
    return routes.map(route => mountRoute(route, owner, wiring.viewFor(plugin)))
  })
  const own = { id: 'core', enabled: true, scope: undefined }
  const healthChecks = setUp.flatMap(({ parts }) => parts.healthChecks ?? [])
  const system = [
    ...authRoutes(services.sessions),
    ...systemRoutes({ services, runner, healthChecks, routes: () => mounted, plugins }),
  ]
  mounted.push(...system.map(route => mountRoute(route, own, wiring)))
  return mounted
}
