import { Buffer } from 'node:buffer'
import type { HopRequest, HopResponse } from './exchange.ts'
import { OutgoingError } from './outgoing-error.ts'
import { type Target, targetOf } from './target.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** These headers say what is wanted and nothing about the sender; no other goes to another origin. */
const KEPT_ACROSS_ORIGINS = ['accept', 'accept-encoding', 'accept-language', 'content-type', 'range', 'user-agent']

/** Returns what a response redirects to; undefined when it does not redirect. */
export function redirectOf(
  target: Target,
  request: HopRequest,
  { status, headers }: HopResponse,
): { target: Target; request: HopRequest } | undefined {
  const location = locationOf(headers)
  if (!REDIRECTS.has(status) || location === null) return undefined
  if (!URL.canParse(location, target.url)) {
    throw new OutgoingError('INVALID_RESPONSE', `${target.host} redirects to something that is no URL.`)
  }
  const next = targetOf(new URL(location, target.url))
  return { target: next, request: redirected(request, status, next.url.origin === target.url.origin) }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** Many servers write addresses in UTF-8, of which headers show each byte as a character. */
function locationOf(headers: Headers): string | null {
  const location = headers.get('location')
  if (location === null) return null
  try {
    return UTF_8.decode(Buffer.from(location, 'latin1'))
  } catch {
    return location
  }
}

/** Method, body and headers as browsers do it (WHATWG Fetch, HTTP-redirect fetch), and fewer headers across origins. */
function redirected({ method, headers, body }: HopRequest, status: number, sameOrigin: boolean): HopRequest {
  const asGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST'
  const kept = new Headers(sameOrigin ? headers : KEPT_ACROSS_ORIGINS.flatMap(name => headerOf(headers, name)))
  if (!asGet) return { method, headers: kept, body }
  kept.delete('content-type')
  return { method: 'GET', headers: kept, body: undefined }
}

function headerOf(headers: Headers, name: string): [string, string][] {
  const value = headers.get(name)
  return value === null ? [] : [[name, value]]
}
