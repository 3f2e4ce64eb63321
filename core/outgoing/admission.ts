import { isAllowed } from './address.ts'
import type { Network } from './network.ts'
import { OutgoingError } from './outgoing-error.ts'
import { Places } from './places.ts'
import type { Target } from './target.ts'

/** So many addresses are tried one after the other; the time for connecting allows no more. */
const ADDRESSES_MAX = 8

/** So many look-ups may run: one that its request gave up goes on in the system and keeps its place until it ends. */
const LOOKUPS = { total: 32, perHost: 4, waitingMax: 1000 }

/** Decides at which addresses a host may be reached. */
export interface Admission {
  /**
   * Returns the addresses of the host if all of them are allowed. One refused address refuses the host: whoever mixes
   * them hopes for a connection to the refused one.
   * @throws OutgoingError ADDRESS_REFUSED, DNS_FAILED, BUSY; the reason of `signal`
   */
  addressesOf(target: Target, signal: AbortSignal): Promise<readonly string[]>
}

export function createAdmission(network: Network, allowPrivateNetworks: boolean): Admission {
  const lookups = new Places(LOOKUPS)
  return {
    async addressesOf({ host, literal }, signal) {
      const addresses = literal ? [host] : await resolve(network, lookups, host, signal)
      if (addresses.length === 0) throw unresolved(host)
      if (!addresses.every(address => isAllowed(address, allowPrivateNetworks))) {
        const leads = literal ? 'is not' : 'does not lead to'
        throw new OutgoingError('ADDRESS_REFUSED', `${host} ${leads} a public address.`)
      }
      return addresses.slice(0, ADDRESSES_MAX)
    },
  }
}

async function resolve(
  network: Network,
  lookups: Places,
  host: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const release = await lookups.take(host, signal)
  if (!release) throw new OutgoingError('BUSY', 'Too many host names are being looked up.')
  const looking = network.resolve(host)
  looking.then(release, release)
  try {
    return await orAborted(looking, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw unresolved(host, error)
  }
}

function unresolved(host: string, cause?: unknown): OutgoingError {
  return new OutgoingError('DNS_FAILED', `The host name ${host} could not be resolved.`, { cause })
}

/** Resolves with the value of `work`, unless the signal is aborted first; then the result of `work` is dropped. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
