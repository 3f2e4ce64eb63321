import { setTimeout as wait } from 'node:timers/promises'
import { retryAfterMs } from '../core/models/http/post-json.ts'

/** The service cannot be used as it is set up: the message says what to do. */
export class ServiceError extends Error {}

/** There is no response of the service; `mayHaveArrived` says whether the service may have the request all the same. */
export class UnreachableError extends ServiceError {
  constructor(
    message: string,
    readonly mayHaveArrived: boolean,
  ) {
    super(message)
  }
}

/** With these a connection fails before anything is sent. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

export interface ServiceOptions {
  /** `http://127.0.0.1:3000` */
  readonly url: string
  readonly key: string
  readonly fetch?: typeof fetch
  /** Waits between tries; tests give one that does not wait. */
  readonly pause?: (ms: number) => Promise<void>
}

/** A request has these beside its address. */
export interface Content {
  readonly headers?: Readonly<Record<string, string>>
  /** A function makes the body of each try, as a stream can be read once. */
  readonly body?: string | FormData | (() => ReadableStream<Uint8Array>)
}

/** A response that was no success. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

const TRIES = 6
const PAUSE_MS_MAX = 30_000
/** A response that asks for a later try than this is final: all tries together take no longer. */
const LATER_MS_MAX = TRIES * PAUSE_MS_MAX

/** Speaks to a running service. What it is asked to try later, and what did not reach it, is tried again a few times. */
export class Service {
  readonly #options: ServiceOptions

  constructor(options: ServiceOptions) {
    this.#options = options
  }

  get url(): string {
    return this.#options.url
  }

  /** @throws RequestError, and ServiceError where the service is not there or does not know the key */
  async json(method: string, path: string, content: Content = {}): Promise<Record<string, unknown>> {
    return bodyOf(await this.send(method, path, content))
  }

  /** @throws as {@link json} */
  async send(method: string, path: string, content: Content = {}): Promise<Response> {
    const { url, key, fetch: send = fetch } = this.#options
    let mayHaveArrived = false
    for (let tries = 1; ; tries++) {
      const response = await send(`${url.replace(/\/+$/, '')}${path}`, {
        ...bodyIn(content),
        method,
        headers: { 'X-Api-Key': key, ...content.headers },
        // A redirect would take the key elsewhere, and turn a POST into a GET.
        redirect: 'manual',
      }).catch((error: unknown) => {
        mayHaveArrived ||= !NOT_CONNECTED.has(codeOf(error))
        if (tries < TRIES) return undefined
        throw new UnreachableError(`The service at ${url} cannot be reached: ${messageOf(error)}`, mayHaveArrived)
      })
      if (response?.ok) return response
      if (response && response.status >= 300 && response.status < 400) throw redirection(url, path, response)
      const isLater = response === undefined || (asksAgain(response) && askedMs(response) <= LATER_MS_MAX)
      if (response && (!isLater || tries === TRIES)) throw await refusal(response)
      await this.pause(waitOf(response, tries))
    }
  }

  pause(ms: number): Promise<void> {
    const { pause = wait } = this.#options
    return pause(ms)
  }
}

/** Node sends a stream only where it is told that the response comes after it. */
function bodyIn({ body }: Content): RequestInit & { readonly duplex?: 'half' } {
  if (body === undefined) return {}
  return typeof body === 'function' ? { body: body(), duplex: 'half' } : { body }
}

/** Names the workspace of a request by its query; without one, the service takes the key's own. */
export function inWorkspace(path: string, workspace: string | undefined): string {
  return workspace === undefined ? path : `${path}?workspace_id=${encodeURIComponent(workspace)}`
}

export async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json()
  return typeof body === 'object' && body !== null ? { ...body } : {}
}

/** The service may lie below a path there, which ends where the path of the request begins. */
function redirection(url: string, path: string, { headers }: Response): ServiceError {
  const target = headers.get('location') ?? ''
  const { origin = 'another address', pathname = '' } = URL.canParse(target, url) ? new URL(target, url) : {}
  const [own = ''] = path.split('?')
  const where = origin + (pathname.endsWith(own) ? pathname.slice(0, pathname.length - own.length) : '')
  return new ServiceError(`The service at ${url} redirects to ${where}: set MNEME_URL to where it is.`)
}

async function refusal(response: Response): Promise<Error> {
  const body: unknown = await response.json().catch(() => undefined)
  const field = (name: string) => (typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined)
  const message = String(field('message') ?? `${response.status} ${response.statusText}`.trim())
  if (AWAY.has(response.status)) return new UnreachableError(`The service does not serve now: ${message}`, true)
  if (response.status === 401) return new ServiceError('The service does not know this key: set MNEME_API_KEY.')
  return new RequestError(response.status, String(field('error_code') ?? ''), message)
}

/** The service, or a proxy before it, is there and does not serve: as while it starts. */
const AWAY = new Set([502, 503, 504])

/** A conflict that will pass names a time: the first request with its key is under way, or died with its server. */
function asksAgain(response: Response): boolean {
  const { status } = response
  return status === 429 || AWAY.has(status) || (status === 409 && askedMs(response) > 0)
}

function waitOf(response: Response | undefined, tries: number): number {
  const asked = response ? askedMs(response) : 0
  return Math.min(PAUSE_MS_MAX, asked > 0 ? asked : 500 * 2 ** (tries - 1))
}

function askedMs({ headers }: Response): number {
  return retryAfterMs(headers.get('retry-after')) ?? 0
}

/** Bun has the code at the error itself, Node at its cause. */
function codeOf(error: unknown): string {
  const { code, cause } = Object(error)
  return String(code ?? Object(cause).code)
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
