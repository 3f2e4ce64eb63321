/** Applies cross-origin rules. Off (the default) adds nothing, so browsers refuse other origins. */
export interface Cors {
  /** Returns the response to a preflight request of an allowed origin. */
  preflight(request: Request): Response | undefined
  /** Adds the headers that let an allowed origin read the response. */
  allow(request: Request, response: Response): Response
}

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const ALLOWED_HEADERS = [
  'Content-Type',
  'X-Api-Key',
  'Authorization',
  'X-Request-Id',
  'X-Confirm-Password',
  'Idempotency-Key',
  // A download that broke off is resumed with these.
  'Range',
  'If-Range',
  'If-Match',
  'If-None-Match',
  'traceparent',
  'tracestate',
]
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotent-Replayed',
  'ETag',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
  'WWW-Authenticate',
].join(', ')

/**
 * Tells whether browsers can ever send this as their `Origin`: scheme, host and a port that is not the scheme's own, or
 * `*`.
 */
export function isOrigin(text: string): boolean {
  if (text === '*') return true
  if (!/^https?:/.test(text) || text.includes('*') || !URL.canParse(text)) return false
  return new URL(text).origin === text
}

/**
 * @param origins exact origins, or `*` for any. Credentials are never allowed: API keys travel in a header, and the console's
 * session cookie is for the service's own origin only.
 * @param further names of headers that only some routes read
 */
export function createCors(origins: readonly string[], further: readonly string[] = []): Cors {
  const allowedHeaders = [...ALLOWED_HEADERS, ...further].join(', ')
  const any = origins.includes('*')
  const allowed = (request: Request): string | undefined => {
    const origin = request.headers.get('origin')
    if (!origin) return undefined
    return any ? '*' : origins.includes(origin) ? origin : undefined
  }
  return {
    preflight(request) {
      if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return undefined
      const origin = allowed(request)
      if (!origin) return undefined
      return new Response(null, {
        status: 204,
        headers: {
          'access-control-allow-origin': origin,
          'access-control-allow-methods': ALLOWED_METHODS,
          'access-control-allow-headers': allowedHeaders,
          'access-control-max-age': '7200',
          vary: 'Origin',
        },
      })
    },
    allow(request, response) {
      if (origins.length === 0) return response
      // Every response carries it: a cache must not serve one that was made for no origin to another.
      if (!any) response.headers.append('vary', 'Origin')
      const origin = allowed(request)
      if (!origin) return response
      response.headers.set('access-control-allow-origin', origin)
      response.headers.set('access-control-expose-headers', EXPOSED_HEADERS)
      return response
    },
  }
}
