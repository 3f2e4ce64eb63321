import { Buffer } from 'node:buffer'
import { systemClock } from '../clock.ts'
import { Semaphore } from '../fair/semaphore.ts'
import { VERSION } from '../version.ts'
import { type Admission, createAdmission, type Lookup } from './admission.ts'
import { ACCEPTED_ENCODINGS } from './body.ts'
import { openConnection } from './connection.ts'
import { exchange, type HopRequest, type HopResponse } from './exchange.ts'
import { type Network, systemNetwork } from './network.ts'
import { OutgoingError, toOutgoingError } from './outgoing-error.ts'
import type { OutgoingHttp, OutgoingMethod, OutgoingOptions, OutgoingResponse } from './outgoing-http.ts'
import { openResponse } from './response.ts'
import { type Target, targetOf } from './target.ts'

const TIMEOUT_MS_DEFAULT = 30_000
const TIMEOUT_MS_MAX = 600_000
const CONNECT_TIMEOUT_MS_DEFAULT = 10_000
/** Browsers follow as many; a longer chain is a loop. */
const REDIRECTS_MAX = 20
const BODY_BYTES_MAX_DEFAULT = 10 * 1_048_576

/** These hold for the whole process. A host that is slow on all its places still leaves the others theirs. */
const CONNECTIONS = { total: 128, perKey: 16, waitingMax: 1000 }
const busy = () => new OutgoingError('BUSY', 'Too many requests to other services are under way.')

/** A request waits this long for a connection and for its look-up to be allowed, before its own time begins. */
const TURN_MS = 10_000

/** `refusalOf` has no time limit of its own, so it gets this one. */
const CHECK_TIMEOUT_MS = 10_000

export interface OutgoingClientOptions {
  /** Lets requests reach private networks, for development. */
  readonly allowPrivateNetworks: boolean
  readonly network?: Partial<Network>
  /** For tests. A request waits this long for its turn; 10,000. */
  readonly turnMs?: number
}

export interface OutgoingClient extends OutgoingHttp {
  /** Counts connections that are open or being opened, and requests that wait for one or for their look-up. */
  load(): { readonly open: number; readonly waiting: number }
  /** Ends all requests that are under way. */
  close(): void
}

/**
 * Implements {@link OutgoingHttp}. Each hop of a request resolves its host, checks every address, connects to one of
 * those very addresses and closes the connection after the response: no look-up, no proxy of the environment and no
 * connection that was opened for another host comes between the check and the bytes.
 */
export function createOutgoingClient({
  allowPrivateNetworks,
  network,
  turnMs = TURN_MS,
}: OutgoingClientOptions): OutgoingClient {
  const parts: ClientParts = {
    network: { ...systemNetwork, ...network },
    admission: createAdmission({ ...systemNetwork, ...network }, allowPrivateNetworks),
    connections: new Semaphore({ ...CONNECTIONS, clock: systemClock, refuse: (_, signal) => signal?.reason ?? busy() }),
    closing: new AbortController(),
    turnMs,
  }
  return {
    request: (url, options = {}) => send(parts, url, options),
    refusalOf: (url, options = {}) => refusalOf(parts, url, options),
    load: () => ({ open: parts.connections.running, waiting: parts.connections.waiting + parts.admission.waiting }),
    close: () => parts.closing.abort(new OutgoingError('STOPPING', 'The service is stopping.')),
  }
}

interface ClientParts {
  readonly network: Network
  readonly admission: Admission
  readonly connections: Semaphore
  readonly closing: AbortController
  readonly turnMs: number
}

async function send(parts: ClientParts, url: string | URL, options: OutgoingOptions): Promise<OutgoingResponse> {
  const request = requestOf(options)
  const { timeoutMs = TIMEOUT_MS_DEFAULT, redirectsMax = 0, signal } = options
  const target = targetOf(url)
  const outer = [parts.closing.signal, ...(signal ? [signal] : [])]
  const turn = await takeTurn(parts, target, outer, options)
  options.onTurn?.()
  const startedAt = performance.now()
  const elapsedMs = () => performance.now() - startedAt
  const limitMs = Math.min(timeoutMs, TIMEOUT_MS_MAX)
  const expired = () => new OutgoingError('TIMED_OUT', `${target.host} did not answer within ${limitMs / 1000} s.`)
  const deadline = startDeadline(limitMs, expired, outer)
  try {
    return await follow(parts, {
      target,
      turn,
      request,
      options,
      deadline,
      redirectsLeft: Math.min(redirectsMax, REDIRECTS_MAX),
      elapsedMs,
    })
  } catch (error) {
    deadline.end()
    throw error
  }
}

/** A connection that may be opened, and the look-up for it. */
interface Turn {
  readonly lookup: Lookup
  release(): void
}

/**
 * A request waits for others before its own time runs, as they are no fault of the host; after a redirect it waits within its time. The
 * look-up comes first: whoever waits for one, as for a domain that does not answer, keeps no connection from others meanwhile.
 */
async function takeTurn(
  { connections, admission, turnMs }: ClientParts,
  target: Target,
  outer: readonly AbortSignal[],
  { holder }: Pick<OutgoingOptions, 'holder'>,
): Promise<Turn> {
  const waiting = startDeadline(turnMs, busy, outer)
  let lookup: Lookup | undefined
  try {
    lookup = await admission.turn(target, waiting.signal, holder)
    waiting.signal.throwIfAborted()
    return { lookup, release: await connections.acquire(target.host, { signal: () => waiting.signal }) }
  } catch (error) {
    lookup?.release()
    throw error
  } finally {
    waiting.end()
  }
}

interface Hop {
  readonly target: Target
  readonly turn: Turn
  readonly request: HopRequest
  readonly options: OutgoingOptions
  readonly deadline: Deadline
  readonly redirectsLeft: number
  elapsedMs(): number
}

/** Sends one hop, and those that its response leads to. */
async function follow(parts: ClientParts, hop: Hop): Promise<OutgoingResponse> {
  const { target, turn, request, options, deadline, elapsedMs } = hop
  const { response, connectedMs } = await sendHop(parts, hop)
  const firstByteMs = elapsedMs()
  const { redirectsMax = 0, bodyBytesMax = BODY_BYTES_MAX_DEFAULT } = options
  try {
    const next = redirectsMax > 0 ? redirectOf(target, request, response) : undefined
    if (!next) {
      return openResponse({
        target,
        response,
        hasBody: request.method !== 'HEAD' && response.status !== 304,
        bodyBytesMax,
        signal: deadline.signal,
        timings: { connectedMs, firstByteMs },
        elapsedMs,
        finished() {
          deadline.end()
          turn.release()
        },
      })
    }
    giveUp(response)
    turn.release()
    if (hop.redirectsLeft === 0) {
      throw new OutgoingError('TOO_MANY_REDIRECTS', `${target.host} redirects further than ${redirectsMax} times.`)
    }
    const nextTurn = await takeTurn(parts, next.target, [deadline.signal], options)
    return await follow(parts, { ...hop, ...next, turn: nextTurn, redirectsLeft: hop.redirectsLeft - 1 })
  } catch (error) {
    giveUp(response)
    turn.release()
    throw error
  }
}

function giveUp({ raw }: HopResponse): void {
  raw.on('error', () => undefined).destroy()
}

/** Checks the host, connects and exchanges heads. @returns with the turn still taken */
async function sendHop({ network }: ClientParts, { target, turn, request, options, deadline, elapsedMs }: Hop) {
  const { host } = target
  const { signal } = deadline
  const connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS_DEFAULT
  const late = `No connection to ${host} could be made within ${connectTimeoutMs / 1000} s.`
  const connecting = startDeadline(connectTimeoutMs, () => new OutgoingError('TIMED_OUT', late), [signal])
  try {
    const addresses = await turn.lookup.addresses(connecting.signal)
    const socket = await openConnection(target, addresses, { network, signal: connecting.signal })
    connecting.end()
    const connectedMs = elapsedMs()
    const response = await exchange(target, socket, request, signal)
    return { response, connectedMs }
  } catch (error) {
    turn.release()
    connecting.end()
    connecting.signal.throwIfAborted()
    signal.throwIfAborted()
    throw toOutgoingError(error, host)
  }
}

async function refusalOf(
  { admission, closing }: ClientParts,
  url: string | URL,
  { holder }: Pick<OutgoingOptions, 'holder'>,
): Promise<OutgoingError | undefined> {
  const expired = () => new OutgoingError('DNS_FAILED', 'The host name in the URL could not be resolved in time.')
  const deadline = startDeadline(CHECK_TIMEOUT_MS, expired, [closing.signal])
  try {
    const lookup = await admission.turn(targetOf(url), deadline.signal, holder)
    await lookup.addresses(deadline.signal)
    return undefined
  } catch (error) {
    if (error instanceof OutgoingError) return error
    throw error
  } finally {
    deadline.end()
  }
}

const METHODS: readonly OutgoingMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The client itself sets these headers of the connection. */
const OWN_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

function requestOf({ method = 'GET', headers: given = {}, body }: OutgoingOptions): HopRequest {
  if (!METHODS.includes(method)) throw new TypeError(`${method} is not a method that can be sent`)
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) throw new TypeError(`${method} has no body`)
  const headers = new Headers(given)
  const own = OWN_HEADERS.find(name => headers.has(name))
  if (own !== undefined) throw new TypeError(`the header ${own} is set by the client`)
  const defaults = { accept: '*/*', 'accept-encoding': ACCEPTED_ENCODINGS, 'user-agent': `Mneme/${VERSION}` }
  for (const [name, value] of Object.entries(defaults)) if (!headers.has(name)) headers.set(name, value)
  return { method, headers, body }
}

/** Joins all that can end a piece of work into one signal: its time, and the work that it is part of. */
interface Deadline {
  readonly signal: AbortSignal
  /** Call it once the work is done: it stops the clock and detaches from the outer signals. */
  end(): void
}

/**
 * @param expired makes the reason of the signal when the time is over
 * @param outer signals that end the work too, with their own reason. They may live much longer: nothing of the work stays with them,
 *   as it would with `AbortSignal.any`
 */
function startDeadline(timeoutMs: number, expired: () => OutgoingError, outer: readonly AbortSignal[]): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(expired()), timeoutMs)
  const listeners = outer.map(signal => ({ signal, abort: () => controller.abort(signal.reason) }))
  for (const { signal, abort } of listeners) {
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  }
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      for (const { signal, abort } of listeners) signal.removeEventListener('abort', abort)
    },
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** These headers say what is wanted and nothing about the sender; no other goes to another origin. */
const KEPT_ACROSS_ORIGINS = ['accept', 'accept-encoding', 'accept-language', 'content-type', 'range', 'user-agent']

/** Returns what a response redirects to; undefined when it does not redirect. */
function redirectOf(
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
