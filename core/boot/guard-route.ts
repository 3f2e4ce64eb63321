import { blame } from '../faults/attribution.ts'
import { isDownload } from '../http/download.ts'
import type { Route, RouteResponse } from '../http/route.ts'
import type { Logger } from '../log.ts'
import { describe } from './manifest/explain-faults.ts'

type Handler = Route['handle']
type Result = Awaited<ReturnType<Handler>>

/** Wraps a route so that its handler's faults carry its plugin's name, and its results can become a response. */
export function guardRoute(plugin: string, route: Route, log: Logger): Route {
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
