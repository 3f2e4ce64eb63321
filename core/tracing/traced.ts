import type { Database, OpenDatabase } from '../db/database.ts'
import type { FetchHandler } from '../http/app.ts'
import { endOf } from '../http/deliver.ts'
import type { MountedTask } from '../jobs/attempt.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { Tracing } from './tracing.ts'

/** Each of these hands back what it was given when nothing is traced, so that tracing costs nothing then. */
type Maybe = Tracing | undefined

/** A span for each request, below the caller's if it names one, until the last byte of the response. */
export function tracedFetch(tracing: Maybe, fetch: FetchHandler): FetchHandler {
  if (!tracing) return fetch
  return request =>
    tracing.span(
      {
        name: request.method,
        kind: 'server',
        headers: request.headers,
        // A client's Host header can make the address as a whole unreadable.
        attributes: {
          'http.request.method': request.method,
          'url.scheme': request.url.startsWith('https:') ? 'https' : 'http',
        },
      },
      async span => {
        const response = await fetch(request)
        span.setAttribute('http.response.status_code', response.status)
        span.setAttribute('mneme.request_id', response.headers.get('x-request-id') ?? '')
        if (response.status >= 500) span.setAttribute('error.type', String(response.status))
        return response
      },
      endOf,
    )
}

/** Names the request's span by its route, which is known where requests are measured. */
export function tracedHttp(tracing: Maybe, metrics: HttpMetrics): HttpMetrics {
  if (!tracing) return metrics
  return {
    observe(method, route, status, seconds) {
      tracing.current()?.updateName(`${method} ${route}`).setAttribute('http.route', route)
      metrics.observe(method, route, status, seconds)
    },
  }
}

/** A span for each transaction, without the time that it waits for its turn. */
export function tracedDatabase(tracing: Maybe, database: OpenDatabase): OpenDatabase {
  if (!tracing) return database
  const start = (name: string) =>
    ({ name, kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.operation.name': name } }) as const
  const system: Database['system'] = (work, options) =>
    tracing.span(start('system transaction'), () => database.system(work, options))
  const workspace: Database['workspace'] = (id, work, options) =>
    tracing.span(start('workspace transaction'), () => database.workspace(id, work, options))
  return { ...database, system, workspace }
}

/** A span for each attempt at a job, the beginning of a trace. */
export function tracedTask(tracing: Maybe, mounted: MountedTask): MountedTask {
  if (!tracing) return mounted
  const { task } = mounted
  const start = {
    name: `job ${task.name}`,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'graphile_worker',
      'messaging.operation.type': 'process',
      'messaging.destination.name': task.name,
    },
  } as const
  return { ...mounted, task: { ...task, run: input => tracing.span(start, async () => task.run(input)) } }
}
