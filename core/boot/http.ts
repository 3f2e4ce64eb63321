import { type Clock, systemClock } from '../clock.ts'
import { basePathOf } from '../config.ts'
import { createApp, type FetchHandler } from '../http/app.ts'
import { belowBasePath } from '../http/base-path.ts'
import { createCors } from '../http/cors.ts'
import type { MountedRoute } from '../http/mount.ts'
import { createRouteCatalogue, routeCatalogue } from '../http/route-catalogue.ts'
import { splitList } from '../parts.ts'
import { bind } from '../ports.ts'
import { tracedFetch, tracedHttp } from '../tracing/traced.ts'
import { type MountParts, mountAll, mountForOperators } from './mount-all.ts'

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
