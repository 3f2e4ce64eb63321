export type OutgoingErrorCode =
  /** The URL is not an absolute http or https one, or holds a user name or password. */
  | 'INVALID_URL'
  /** The host is, or leads to, an address that is not public. */
  | 'ADDRESS_REFUSED'
  | 'DNS_FAILED'
  /** The time for connecting, or for the whole, ran out. */
  | 'TIMED_OUT'
  /** The body or the headers are too large. */
  | 'TOO_LARGE'
  | 'TOO_MANY_REDIRECTS'
  /** The connection was refused, unreachable, or closed before the response was complete. */
  | 'CONNECTION_FAILED'
  | 'TLS_FAILED'
  /** The response is not HTTP, or its compression is broken or not known. */
  | 'INVALID_RESPONSE'
  /** So many requests are under way, or wait, that this one had no turn: nothing is known of the host. */
  | 'BUSY'
  /** This process is stopping, which says nothing of the receiver: another one may send the request again. */
  | 'STOPPING'

/**
 * Says why a request to a user's URL failed. The message is a sentence for the user who gave it, and names the host at
 * the most: never the address that it resolved to. `cause` holds more, for the log.
 */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError'

  constructor(
    readonly code: OutgoingErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Both runtimes report TLS so, by the codes of OpenSSL and of Node's own check of names. */
const TLS_CODE = /^(ERR_(TLS|SSL)_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_MISMATCH)/

/** undici uses these codes for a response that is not HTTP, or not as it announced itself. */
const NOT_HTTP = /^(HPE_|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/

/** Turns errors of a socket, TLS or the parser of HTTP into the error that callers know. */
export function toOutgoingError(error: unknown, host: string): OutgoingError {
  if (error instanceof OutgoingError) return error
  const code = error instanceof Error ? String(Reflect.get(error, 'code') ?? '') : ''
  const name = error instanceof Error ? error.name : ''
  const cause = { cause: error }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new OutgoingError('TOO_LARGE', `The headers of the response of ${host} are too large.`, cause)
  }
  if (TLS_CODE.test(code)) return new OutgoingError('TLS_FAILED', tlsSentence(code, host), cause)
  if (name === 'HTTPParserError' || NOT_HTTP.test(code) || isUnexpected(error)) {
    return new OutgoingError('INVALID_RESPONSE', `What ${host} sent is not a valid HTTP response.`, cause)
  }
  const sentence = UNREACHED.has(code)
    ? `No connection to ${host} could be made.`
    : `${host} closed the connection before the response was complete.`
  return new OutgoingError('CONNECTION_FAILED', sentence, cause)
}

const UNREACHED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT', 'EACCES'])

/**
 * The server switched protocols unasked, or sent an interim response out of place: undici names neither by a code of
 * its own.
 */
function isUnexpected(error: unknown): boolean {
  return error instanceof Error && /^bad (response|upgrade)$/.test(error.message)
}

function tlsSentence(code: string, host: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') {
    return `The certificate of ${host} is for another name.`
  }
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${host} has expired.`
  if (/^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA)/.test(code)) {
    return `The certificate of ${host} is not one that can be trusted.`
  }
  return `No secure connection to ${host} could be made.`
}
