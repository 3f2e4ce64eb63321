import { Elysia } from 'elysia'
import { fail } from '../errors.ts'
import type { Logger } from '../log.ts'
import { discardBody } from './body.ts'
import type { Cors } from './cors.ts'
import type { MountedRoute } from './mount.ts'
import { type PipelineParts, serve } from './pipeline.ts'
import { errorResponse, requestIdOf } from './respond.ts'
import { targetOf } from './target.ts'

/** Answers one request; never throws. */
export type FetchHandler = (request: Request) => Promise<Response>

/** Puts every route on one Elysia router and wraps it with what concerns all requests: CORS, unknown paths, wrong methods. */
export function createApp(routes: readonly MountedRoute[], parts: PipelineParts, cors: Cors): FetchHandler {
  // By default the router takes hosts to have four letters or more: with a Host header of `x`, `/aa/metrics` was `/metrics`.
  const app = new Elysia({ name: 'mneme', handler: { standardHostname: false } })
  app.onError(({ request, error, code }) =>
    refuse(code === 'NOT_FOUND' ? fail('NOT_FOUND') : error, request, parts.log),
  )
  for (const mounted of routes) {
    const handler = ({ request, params = {} }: { request: Request; params?: Record<string, string> }) =>
      serve(mounted, request, params, parts)
    // The pipeline reads bodies itself: bounded, after the gate, with our errors.
    app.route(mounted.route.method, mounted.route.path, handler, { parse: 'none' })
  }
  for (const [path, methods] of methodsByPath(routes)) {
    const allow = [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].join(', ')
    const wrongMethod = ({ request }: { request: Request }) =>
      refuse(fail('METHOD_NOT_ALLOWED', { message: `This path answers ${allow}.` }), request, parts.log, { allow })
    app.all(path, wrongMethod, { parse: 'none' })
  }
  app.compile()
  return async request => {
    const preflight = cors.preflight(request)
    if (preflight) {
      preflight.headers.set('x-request-id', requestIdOf(request))
      return preflight
    }
    const response = request.method === 'HEAD' ? await headOf(request, app) : await app.handle(request)
    return cors.allow(request, response)
  }
}

/** HEAD is GET without its body, whose length is told: left out, a server would say 0. */
async function headOf(request: Request, app: { handle(request: Request): Promise<Response> }): Promise<Response> {
  const { path, query } = targetOf(request)
  const address = `http://localhost${path}${query && `?${query}`}`
  const response = await app.handle(new Request(address, { method: 'GET', headers: request.headers }))
  const headers = new Headers(response.headers)
  if (response.body && !headers.has('content-length'))
    headers.set('content-length', String(await lengthOf(response.body)))
  else await response.body?.cancel()
  return new Response(null, { status: response.status, headers })
}

/** Counted as it passes, so that a large body is never held whole. */
async function lengthOf(body: ReadableStream<Uint8Array>): Promise<number> {
  let length = 0
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return length
    length += value.length
  }
}

async function refuse(
  error: unknown,
  request: Request,
  log: Logger,
  headers: Record<string, string> = {},
): Promise<Response> {
  await discardBody(request)
  return errorResponse(error, { 'x-request-id': requestIdOf(request), ...headers }, log)
}

function methodsByPath(routes: readonly MountedRoute[]): Map<string, Set<string>> {
  const paths = new Map<string, Set<string>>()
  for (const { route } of routes) {
    // The router keeps one name for a parameter at a place, whatever each route calls it.
    const known = [...paths.keys()].find(path => sameShape(path, route.path)) ?? route.path
    paths.set(known, (paths.get(known) ?? new Set()).add(route.method))
  }
  return paths
}

function sameShape(a: string, b: string): boolean {
  return a.replace(/:[^/]+/g, ':') === b.replace(/:[^/]+/g, ':')
}
