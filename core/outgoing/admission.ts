import { isAllowed } from './address.ts'
import type { Network } from './network.ts'
import { OutgoingError } from './outgoing-error.ts'
import { Places } from './places.ts'
import type { Target } from './target.ts'

/** Tried one after the other; more are no use within the time for connecting. */
const ADDRESSES_MAX = 8

/** Look-ups under way: one that its request gave up runs on in the system and keeps its place until it ends. */
const LOOKUPS = { total: 32, perHost: 4, waitingMax: 1000 }

/** Decides which addresses a host may be reached at. */
export interface Admission {
  /**
   * The addresses of the host, all of them allowed. One refused address among them refuses the host: who mixes them wants to be
   * connected to the other one. @throws OutgoingError ADDRESS_REFUSED, DNS_FAILED, BUSY; the reason of `signal`
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

/** The value of `work`, unless the signal is aborted before it is there; then `work` goes on for nobody. */
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
