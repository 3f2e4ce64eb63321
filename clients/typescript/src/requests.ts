import { type ErrorParts, MnemeError, TimedOutError, UnreachableError } from './errors.ts'
import { ERRORS, type Operations, ROUTES } from './generated/api.ts'

export interface ClientOptions {
  /** Where the service is; `MNEME_URL` or `http://127.0.0.1:3000` when left out. */
  readonly url?: string | URL | undefined
  /** An API key; `MNEME_API_KEY` when left out. */
  readonly key?: string | undefined
  /** Works on this workspace instead of the key's own. */
  readonly workspace?: string | undefined
  /** A try takes no longer, 90 seconds when left out: the service lets a request wait for up to 60. */
  readonly timeoutMs?: number | undefined
  /** A failed request is repeated so often where that helps, 4 times when left out. */
  readonly retries?: number | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  readonly retries?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Repetitions of a `POST` with the same key are carried out once, also by another process; a random one when left out. */
  readonly idempotencyKey?: string | undefined
}

type Values = Readonly<Record<string, unknown>>

/** A longer wait is the caller's to decide on. */
const RETRY_AFTER_MS_MAX = 60_000
const PAUSE_MS_MAX = 30_000

/** Sends operations to a service, and repeats what it is asked to repeat. */
export class Requests {
  readonly #options: ClientOptions
  readonly #url: string

  constructor(options: ClientOptions = {}) {
    this.#options = options
    this.#url = String(options.url ?? setting('MNEME_URL') ?? 'http://127.0.0.1:3000').replace(/\/+$/, '')
  }

  /**
   * Calls any operation by its name. Its input is one object, whatever of it goes into the path, the query, a header or the body.
   * @throws MnemeError with the class of its code
   */
  async request<Name extends keyof Operations>(
    name: Name,
    input?: Operations[Name]['input'],
    options: RequestOptions = {},
  ): Promise<Operations[Name]['output']> {
    return this.call(name, { ...input }, options)
  }

  /** Calls an operation whose input no type has checked. */
  protected async call(name: keyof Operations, input: Values, options: RequestOptions) {
    const route = readRoute(ROUTES[name])
    const idempotencyKey = options.idempotencyKey ?? (route.method === 'POST' ? randomKey() : undefined)
    for (let tries = 0; ; tries++) {
      const outcome = await this.#attempt(route, input, { ...options, idempotencyKey })
      if (!(outcome instanceof MnemeError)) return outcome.value
      // The first try deleted it, and its response was lost.
      if (tries > 0 && route.method === 'DELETE' && outcome.status === 404) return undefined
      if (tries >= (options.retries ?? this.#options.retries ?? 4) || !helpsToRepeat(outcome, tries)) throw outcome
      const pause = outcome.retryAfterMs ?? Math.min(PAUSE_MS_MAX, 500 * 2 ** tries * (0.75 + Math.random() / 2))
      await wait(pause, options.signal)
    }
  }

  async #attempt(route: Route, input: Values, options: RequestOptions) {
    const { url, init } = this.#requestOf(route, input, options)
    const { fetch: send = fetch } = this.#options
    const { signal } = options
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? 90_000
    signal?.throwIfAborted()
    const controller = new AbortController()
    const abort = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', abort)
    let isLate = false
    let isDownload = false
    const timer = setTimeout(() => {
      isLate = true
      controller.abort()
    }, timeoutMs)
    try {
      const response = await send(url, { ...init, signal: controller.signal })
      if (!response.ok) return await refusalOf(response, this.#url)
      isDownload = route.isBytes
      return { value: isDownload ? response : await readValue(response) }
    } catch (cause) {
      signal?.throwIfAborted()
      if (isLate) return new TimedOutError(`No response within ${timeoutMs} ms`, { code: 'TIMED_OUT', cause })
      return new UnreachableError(`No response from ${this.#url}: ${cause}`, { code: 'UNREACHABLE', cause })
    } finally {
      clearTimeout(timer)
      // The caller can end a download while its body is read, which may take longer than a try.
      if (!isDownload) signal?.removeEventListener('abort', abort)
    }
  }

  #requestOf(route: Route, input: Values, options: RequestOptions) {
    const { workspace, key = setting('MNEME_API_KEY'), headers } = this.#options
    const fields = { ...input }
    if (workspace !== undefined && route.query.includes('workspace_id')) fields.workspace_id ??= workspace
    const take = (name: string) => {
      const value = fields[name]
      delete fields[name]
      return value
    }
    const path = route.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(text(take(name))))
    const query = new URLSearchParams()
    for (const name of route.query) {
      const value = take(name)
      if (value !== undefined && value !== null) query.set(name, text(value))
    }
    const sent = new Headers(headers)
    if (key) sent.set('X-Api-Key', key)
    if (options.idempotencyKey) sent.set('Idempotency-Key', options.idempotencyKey)
    for (const name of route.headers)
      sent.set(name, text(take(name.replace(/^X-/, '').replaceAll('-', '_').toLowerCase())))
    for (const [name, value] of Object.entries(options.headers ?? {})) sent.set(name, value)
    const body = bodyOf(route, fields)
    if (typeof body === 'string') sent.set('Content-Type', 'application/json')
    // A redirect would take the key elsewhere, and turn a POST into a GET.
    const init = { method: route.method, headers: sent, body, redirect: 'manual' } as const
    const search = query.size > 0 ? `?${query}` : ''
    return { url: `${this.#url}${path}${search}`, init }
  }
}

interface Route {
  readonly method: string
  readonly path: string
  readonly query: readonly string[]
  readonly headers: readonly string[]
  readonly isForm: boolean
  readonly isBytes: boolean
}

/** Reads `POST /v1/things/{id}{?kind,color}{!X-Header} form`. */
function readRoute(route: string): Route {
  const [method = '', template = '', ...marks] = route.split(' ')
  return {
    method,
    path: template.replace(/\{[?!].*/, ''),
    query: /\{\?([^}]+)\}/.exec(template)?.[1]?.split(',') ?? [],
    headers: [...template.matchAll(/\{!([^}]+)\}/g)].map(([, name = '']) => name),
    isForm: marks.includes('form'),
    isBytes: marks.includes('bytes'),
  }
}

function bodyOf({ method, isForm }: Route, fields: Values): string | FormData | null {
  if (isForm) {
    const form = new FormData()
    // The service reads fields before it takes a file.
    for (const [name, value] of Object.entries(fields)) {
      if (!(value instanceof Blob) && value !== undefined && value !== null) form.append(name, text(value))
    }
    for (const [name, value] of Object.entries(fields)) if (value instanceof Blob) form.append(name, value)
    return form
  }
  const isEmpty = method === 'GET' || method === 'DELETE' || Object.keys(fields).length === 0
  return isEmpty ? null : JSON.stringify(fields)
}

/** Lists are written with commas, as the service reads them in a query and in a form. */
function text(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

async function readValue(response: Response) {
  const body = await response.text()
  if (body === '') return undefined
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(body) : body
}

async function refusalOf(response: Response, url: string): Promise<MnemeError> {
  const { status, headers } = response
  // A browser hides the status of a redirect that it did not follow.
  if (status < 400) {
    return new MnemeError(`${url} redirects elsewhere: set \`url\` to where the service is`, {
      code: 'REDIRECTED',
      status,
    })
  }
  const body = await response.json().catch(() => ({}))
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const parts: ErrorParts = {
    code: body?.error_code ?? 'UNKNOWN',
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    details: body?.details ?? [],
    retryAfterMs: seconds >= 0 ? seconds * 1000 : undefined,
  }
  return new (ERRORS[parts.code] ?? MnemeError)(body?.message ?? `HTTP status ${status}`, parts)
}

/** A conflict that will pass names a time: the first request with its key is under way. */
function helpsToRepeat({ status, code, retryAfterMs = 0 }: MnemeError, tries: number): boolean {
  if (retryAfterMs > RETRY_AFTER_MS_MAX || code === 'QUOTA_EXCEEDED' || code === 'REDIRECTED') return false
  if (status === 409) return retryAfterMs > 0
  if (status === 500) return tries === 0 && code !== 'RESPONSE_TOO_LARGE'
  return [0, 408, 429, 502, 503, 504].includes(status)
}

/** Waits, and rejects as soon as the caller ends it. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Browsers have no environment, and `crypto.randomUUID` on pages from https and this machine alone. */
function setting(name: string): string | undefined {
  return globalThis.process?.env?.[name]
}

function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')
}
