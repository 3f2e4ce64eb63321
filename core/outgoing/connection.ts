import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type ConnectionOptions, checkServerIdentity, connect as connectSecurely } from 'node:tls'
import type { Network } from './network.ts'
import { OutgoingError } from './outgoing-error.ts'
import type { Target } from './target.ts'

/** RFC 8305 (Happy Eyeballs) gives an address so long before the next one is tried beside it. */
const NEXT_ADDRESS_MS = 250

export interface Connecting {
  readonly network: Network
  readonly signal: AbortSignal
  /**
   * For tests. Resolves when the next address is to be tried though none failed yet; rejects when `signal` is aborted.
   */
  pause?(signal: AbortSignal): Promise<unknown>
}

/**
 * Connects to the first address that accepts, TLS included. The addresses stay as they were checked: nothing is looked
 * up again between the check and the connection.
 * @throws what the first address failed with; the reason of `signal` when that is aborted
 */
export async function openConnection(
  target: Target,
  addresses: readonly string[],
  { network, signal, pause = either => delay(NEXT_ADDRESS_MS, undefined, { signal: either }) }: Connecting,
): Promise<Socket> {
  const won = new AbortController()
  const either = AbortSignal.any([signal, won.signal])
  const attempts: Promise<Socket>[] = []
  let turn: Promise<unknown> = Promise.resolve()
  for (const address of addresses) {
    const attempt = turn.then(() => openOne(target, address, network, either, won))
    const failed = attempt.then(never, () => undefined)
    turn = turn.then(() => (either.aborted ? undefined : Promise.race([failed, pause(either).catch(() => undefined)])))
    attempts.push(attempt)
  }
  try {
    return await Promise.any(attempts)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof AggregateError ? error.errors[0] : error
  } finally {
    won.abort()
  }
}

const never = () => new Promise<never>(() => undefined)

/** @param won aborted with the first connection, in the same step in which that opens, so that no second one is left open */
function openOne(
  target: Target,
  address: string,
  network: Network,
  either: AbortSignal,
  won: AbortController,
): Promise<Socket> {
  either.throwIfAborted()
  const { host, port } = network.reach(address, target.port)
  if (!network.proxy) return opened(target, { host, port }, network, either, won)
  return openTunnel(network.proxy, host, port, either).then(socket => {
    if (target.secure) return opened(target, { socket }, network, either, won)
    if (either.aborted) socket.destroy()
    either.throwIfAborted()
    won.abort()
    return socket
  })
}

/** @param over the place to connect to, or a connection that TLS is begun on */
function opened(
  target: Target,
  over: { readonly host: string; readonly port: number } | { readonly socket: Socket },
  network: Network,
  either: AbortSignal,
  won: AbortController,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (either.aborted && 'socket' in over) over.socket.destroy()
    either.throwIfAborted()
    const socket =
      'socket' in over || target.secure
        ? connectSecurely({ ...over, ...tlsOptions(target, network) })
        : connect({ ...over, noDelay: true })
    const abort = () => {
      socket.destroy()
      reject(either.reason)
    }
    either.addEventListener('abort', abort, { once: true })
    // The listener stays for good: a socket that fails without one would end the process.
    socket.on('error', (error: Error) => {
      either.removeEventListener('abort', abort)
      reject(error)
    })
    socket.once('close', () => reject(new Error('the connection was closed before it was open')))
    socket.once(target.secure ? 'secureConnect' : 'connect', () => {
      either.removeEventListener('abort', abort)
      won.abort()
      resolve(socket)
    })
  })
}

function tlsOptions({ host, literal }: Target, { authorities }: Network): ConnectionOptions {
  return {
    // TLS checks the requested name, whatever address it is reached at; for an address there is none to send.
    ...(literal ? {} : { servername: host }),
    checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // This is set explicitly, as NODE_TLS_REJECT_UNAUTHORIZED would switch it off otherwise.
    rejectUnauthorized: true,
    ...(authorities ? { ca: [...authorities] } : {}),
  }
}

const HEAD_BYTES_MAX = 16_384

/**
 * Opens a connection to an address through an HTTP proxy, by CONNECT. It is asked for the address and not for the name, so that it reaches
 * what was checked and nothing else.
 * @throws OutgoingError where the proxy refuses; the reason of `signal` when that is aborted
 */
function openTunnel(proxy: URL, address: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = connect({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: Number(proxy.port || 80),
      noDelay: true,
    })
    const fail = (error: Error) => {
      signal.removeEventListener('abort', abort)
      socket.destroy()
      reject(error)
    }
    const abort = () => fail(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    // The listener stays for good: a socket that fails without one would end the process.
    socket.on('error', fail)
    socket.once('close', () => fail(new Error('the proxy closed the connection')))
    socket.once('connect', () => socket.write(requestTo(proxy, address.includes(':') ? `[${address}]` : address, port)))
    let head = Buffer.alloc(0)
    socket.on('data', function read(chunk: Buffer) {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0 && head.length <= HEAD_BYTES_MAX) return
      socket.off('data', read)
      const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1')) ?? []
      if (end < 0 || status === undefined) return fail(refusal('does not answer as one'))
      if (!status.startsWith('2')) return fail(refusal(`refuses it with ${status}`))
      signal.removeEventListener('abort', abort)
      if (head.length > end + 4) socket.unshift(head.subarray(end + 4))
      resolve(socket)
    })
  })
}

function requestTo({ username, password }: URL, host: string, port: number): string {
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const authorization = username ? `Proxy-Authorization: Basic ${credentials}\r\n` : ''
  return `CONNECT ${host}:${port} HTTP/1.1\r\nHost: ${host}:${port}\r\n${authorization}\r\n`
}

function refusal(what: string): OutgoingError {
  return new OutgoingError('CONNECTION_FAILED', `No connection could be made: the service's proxy ${what}.`)
}
