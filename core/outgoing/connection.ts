import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type ConnectionOptions, checkServerIdentity, connect as connectSecurely } from 'node:tls'
import type { Network } from './network.ts'
import type { Target } from './target.ts'
import { openTunnel } from './tunnel.ts'

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
