import type { FetchHandler } from './app.ts'
import { inPlaceOf, targetOf } from './request.ts'

/** Those who watch a process ask it directly, without the proxy that gave the path. */
const AT_ROOT: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics'])

/** No route has this path. */
const NOWHERE = '/not-below-base-path'

/**
 * Serves everything below a path, `/below/v1/things`, and nothing beside it but what watchers of the process ask for. Routes, pages and
 * handlers know nothing of it: the path is taken off requests, and put before what responses tell browsers to go to.
 */
export function belowBasePath(basePath: string, fetch: FetchHandler): FetchHandler {
  if (basePath === '') return fetch
  return async request => {
    const { path, query } = targetOf(request)
    if (AT_ROOT.has(path)) return fetch(request)
    const inside = pathInside(basePath, path)
    return withBasePath(basePath, await fetch(inPlaceOf(request, request, `${inside}${query && `?${query}`}`)))
  }
}

/** Documents that describe something below a path lie beside it (RFC 8615, as RFC 8414 and 9728 use it): `/.well-known/<name>/below/…`. */
const WELL_KNOWN = /^\/\.well-known\/[^/]+/

function pathInside(basePath: string, path: string): string {
  const [document] = WELL_KNOWN.exec(path) ?? []
  if (document !== undefined) return document + pathInside(basePath, path.slice(document.length)).replace(/^\/$/, '')
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : NOWHERE
}

async function withBasePath(basePath: string, response: Response): Promise<Response> {
  const { headers } = response
  const location = headers.get('location')
  if (location?.startsWith('/') && !location.startsWith('//')) headers.set('location', `${basePath}${location}`)
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) {
    headers.delete('set-cookie')
    for (const cookie of cookies)
      headers.append('set-cookie', cookie.replace(/;\s*path=\/(?=;|$)/i, `; Path=${basePath}`))
  }
  return headers.get('content-type')?.startsWith('text/html') ? pageBelow(basePath, response) : response
}

/** Pages are few and short, and name their scripts and styles by their paths. */
async function pageBelow(basePath: string, response: Response): Promise<Response> {
  const { headers, status } = response
  // Both are of the page as it was.
  headers.delete('etag')
  headers.delete('content-length')
  if (response.body === null) return response
  const page = await response.text()
  return new Response(
    page.replace(/\b(href|src|action)="\/(?!\/)/g, (_, name: string) => `${name}="${basePath}/`),
    { status, headers },
  )
}
