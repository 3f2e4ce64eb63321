import { fail } from '../errors.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses a change that a browser sends along with its cookie on behalf of another site. Takes no token: browsers say
 * where a request comes from. The rules are those of Go's http.CrossOriginProtection
 * (https://pkg.go.dev/net/http#CrossOriginProtection):
 * safe methods pass; `Sec-Fetch-Site` decides where there is one; else `Origin` must name this host; a request with neither
 * comes from no browser (or one older than 2020), which cannot be made to send someone's cookie.
 * Throws FORBIDDEN.
 */
export function assertSameOrigin(request: Request, publicUrl?: string): void {
  if (SAFE_METHODS.has(request.method)) return
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return
  const origin = request.headers.get('origin')
  if (site === null && (origin === null || namesThisHost(origin, request, publicUrl))) return
  // A proxy that drops the port or the scheme may make the page and the service look different to the browser.
  if (site !== null && publicUrl && origin === new URL(publicUrl).origin) return
  throw fail('FORBIDDEN', { message: 'A change with a session cookie must come from the pages of this service.' })
}

function namesThisHost(origin: string, request: Request, publicUrl: string | undefined): boolean {
  const host = hostOf(origin)
  if (host === undefined) return false
  if (publicUrl) return host === hostOf(publicUrl)
  return host === (request.headers.get('host') ?? new URL(request.url).host).toLowerCase()
}

/** Undefined for the opaque origin `null` and for what is no address. */
function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined
}
