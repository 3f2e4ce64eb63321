export interface PostOptions {
  /** Sent as a bearer token; `''` counts as none. */
  readonly apiKey?: string | undefined
  /** Bounds the request, from sending to the last byte that is read. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** The request led to a response that could be read, or it failed for a reason to log, which holds no address and no key. */
export type Posted<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'failed'; readonly message: string; readonly isAway: boolean }

/**
 * Posts JSON to an endpoint that the operator has configured, which may be on this machine or in a private network, and
 * hands the response to `read` within the same time limit.
 */
export async function postJson<T>(
  url: URL,
  body: unknown,
  { apiKey, timeoutMs, signal }: PostOptions,
  read: (response: Response) => T | Promise<T>,
): Promise<Posted<T>> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: apiKey ? { ...headers, authorization: `Bearer ${apiKey}` } : headers,
      body: JSON.stringify(body),
      // A redirect would take the key elsewhere.
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    return { kind: 'read', value: await read(response) }
  } catch (error) {
    return {
      kind: 'failed',
      isAway: isUnconnected(error),
      message: timeout.aborted ? 'did not answer in time' : `cannot be reached (${errorCode(error)})`,
    }
  }
}

/** Says why a request led to nothing. No message holds a text, a key or anything the endpoint said in words. */
export interface Failure {
  /** Worth another try soon; the input or our settings are to blame; nothing changes until an operator does something. */
  readonly kind: 'transient' | 'rejected' | 'misconfigured'
  readonly message: string
  /** That of a response. */
  readonly status?: number
  readonly retryAfterMs?: number | undefined
  /** Nobody is there at all. */
  readonly isAway?: boolean
}

/**
 * Posts JSON and reads the text of a success. The words of a failure are not read, since endpoints quote the input in them.
 */
export async function askJson<T extends { readonly kind: string }>(
  url: URL,
  body: unknown,
  options: PostOptions & { readonly bytesMax: number },
  read: (text: string) => T,
): Promise<T | Failure> {
  const posted = await postJson(url, body, options, async (response): Promise<T | Failure> => {
    const { ok, status, headers } = response
    if (ok) return read(await readBounded(response, options.bytesMax))
    await response.body?.cancel()
    const waitMs = retryAfterMs(headers.get('retry-after'))
    return { kind: failureKind(status), status, message: `answered with status ${status}`, retryAfterMs: waitMs }
  })
  if (posted.kind === 'read') return posted.value
  return { kind: 'transient', message: posted.message, isAway: posted.isAway }
}

/**
 * Reads an address as operators write it: `path` is added unless it is there.
 * @param what names the address in errors, e.g. `LANGUAGE_MODEL_URL`
 * @param base stands before the path where the address is a bare host
 * @throws Error in a sentence for an operator, without the address
 */
export function endpointUrl(setting: string, path: string, what: string, base = '/v1'): URL {
  const url = plainUrl(setting, what)
  const given = url.pathname.replace(/\/+$/, '')
  if (!given.endsWith(path)) url.pathname = `${given || base}${path}`
  return url
}

/**
 * Reads an address that holds no password.
 * @throws Error in a sentence for an operator, without the address
 */
export function plainUrl(setting: string, what: string): URL {
  if (!URL.canParse(setting)) throw new Error(`${what} is not a URL`)
  const url = new URL(setting)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`${what} must begin with http:// or https://`)
  }
  if (url.username || url.password) throw new Error(`${what} must not hold a user name or password`)
  return url
}

/**
 * Refuses a key that no header can carry, because a runtime's own error about it quotes the header.
 * @throws Error in a sentence for an operator, without the key
 */
export function checkApiKey(apiKey: string | undefined, what: string): void {
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey)) throw new Error(`${what} holds characters that a header cannot carry`)
}

/**
 * Reads the body as text.
 * @throws Error when it is larger than that
 */
export async function readBounded(response: Response, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Error('the response is too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Returns undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Tells whether a status asks for another try, blames the input or the settings, or says that an operator has to do something. */
export function failureKind(status: number): 'transient' | 'rejected' | 'misconfigured' {
  if (status >= 500 || TRANSIENT_STATUSES.has(status)) return 'transient'
  return REJECTING_STATUSES.has(status) ? 'rejected' : 'misconfigured'
}

const TRANSIENT_STATUSES = new Set([408, 409, 425, 429])
const REJECTING_STATUSES = new Set([400, 413, 422])

/** The pause before a retry doubles each time; the jitter keeps many servers from coming back in step. @param retries those made before */
export function retryPauseMs(retries: number, firstMs: number, maxMs: number): number {
  return Math.min(firstMs * 2 ** retries, maxMs) * (0.5 + Math.random() / 2)
}

/** RFC 9110, section 10.2.3, has both forms: seconds, or a date. */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  const waitMs = header.trim() === '' || Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1_000
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}

/** These codes say that no connection could be made. */
const UNCONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Tells whether a failed `fetch` found nobody at the address. Deno has no code for that, and says it in words. */
export function isUnconnected(error: unknown): boolean {
  for (let link = error, depth = 0; link instanceof Error && depth < 4; link = link.cause, depth++) {
    if (UNCONNECTED.has(Reflect.get(link, 'code')) || link.message.includes('client error (Connect)')) return true
  }
  return false
}

/** Returns `ECONNREFUSED` and the like; never the message, which may hold the address or a header. */
function errorCode(error: unknown): string {
  const { code, name, cause } = Object(error)
  const known = [code, Object(cause).code, name].find(value => typeof value === 'string' && /^\w{1,40}$/.test(value))
  return known ?? 'unknown reason'
}
