import { splitList } from '../config.ts'
import { createApp, type FetchHandler } from '../http/app.ts'
import { type Clock, systemClock } from '../http/clock.ts'
import { createCors } from '../http/cors.ts'
import { tracedFetch, tracedHttp } from '../tracing/traced.ts'
import { type MountParts, mountAll, mountForOperators } from './mount-all.ts'

export interface HttpParts extends MountParts {
  readonly options: {
    readonly role: 'server' | 'worker' | 'command'
    readonly verifyResponses?: boolean
    readonly clock?: Clock
  }
}

/** Makes the handler of requests: the routes of all plugins and of the kernel on a server, those for operators elsewhere. */
export function createHttp(parts: HttpParts): FetchHandler {
  const { services, wiring, options } = parts
  const { verifyResponses = false, clock = systemClock, role } = options
  const { limiter: rateLimiter, metrics, config, tracing } = services
  const app = createApp(
    role === 'server' ? mountAll(parts) : mountForOperators(parts),
    { ...services, rateLimiter, wiring, metrics: tracedHttp(tracing, metrics.http), clock, verifyResponses },
    createCors(splitList(config.CORS_ORIGINS)),
  )
  return tracedFetch(tracing, app)
}
