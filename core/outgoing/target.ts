import { isIP } from 'node:net'
import { OutgoingError } from './outgoing-error.ts'

/** A URL that can be asked, taken apart. */
export interface Target {
  readonly url: URL
  readonly secure: boolean
  /** The host as names are resolved and certificates checked: no brackets, no dot at the end. */
  readonly host: string
  /** Tells whether `host` is an address and no name. */
  readonly literal: boolean
  readonly port: number
}

const URL_LENGTH_MAX = 8192

/** RFC 1035: 253 characters in all, 63 in each label. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/

/**
 * Reads a URL as browsers do (WHATWG), so that every spelling of an address, octal, hexadecimal, with fewer parts, in other digits,
 * is that address from here on. @throws OutgoingError INVALID_URL
 */
export function targetOf(given: string | URL): Target {
  const text = String(given)
  const url = text.length <= URL_LENGTH_MAX && URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw invalid('The URL must be a valid one that begins with http:// or https://.')
  }
  if (url.username || url.password) throw invalid('The URL must not hold a user name or a password.')
  const bracketed = /^\[(.*)\]$/.exec(url.hostname)?.[1]
  const host = bracketed ?? url.hostname.replace(/\.$/, '')
  const literal = isIP(host) !== 0
  if (!literal && !HOST_NAME.test(host)) throw invalid('The host in the URL is not a valid name.')
  if (url.port === '0') throw invalid('The port in the URL must be from 1 to 65535.')
  url.hash = ''
  const secure = url.protocol === 'https:'
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  return { url, secure, host, literal, port }
}

/** Returns the error of a URL that cannot be requested as it is written, wherever its host leads. */
export function urlRefusal(url: string): OutgoingError | undefined {
  try {
    targetOf(url)
    return undefined
  } catch (error) {
    if (error instanceof OutgoingError) return error
    throw error
  }
}

function invalid(message: string): OutgoingError {
  return new OutgoingError('INVALID_URL', message)
}
