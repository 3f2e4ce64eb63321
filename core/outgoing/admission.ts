import { getDomain } from 'tldts'
import { isAllowed } from './address.ts'
import type { Network } from './network.ts'
import { OutgoingError } from './outgoing-error.ts'
import { Places } from './places.ts'
import type { Target } from './target.ts'

/** So many addresses are tried one after the other; the time for connecting allows no more. */
const ADDRESSES_MAX = 8

/**
 * So many look-ups may run, and so many of names below one domain: one that its request gave up goes on in the system and keeps its
 * place until it ends, and names cost nothing to whoever has a domain whose name servers do not answer.
 */
const LOOKUPS = { total: 32, perHost: 4, waitingMax: 1000 }

/** Decides at which addresses a host may be reached. */
export interface Admission {
  /**
   * Waits until the host may be looked up. Whoever has the turn looks up at once.
   * @throws OutgoingError BUSY; the reason of `signal`
   */
  turn(target: Target, signal: AbortSignal): Promise<Lookup>
}

/**
 * Returns the addresses of the host if all of them are allowed. One refused address refuses the host: whoever mixes
 * them hopes for a connection to the refused one. To be called once.
 * @throws OutgoingError ADDRESS_REFUSED, DNS_FAILED; the reason of `signal`
 */
export type Lookup = (signal: AbortSignal) => Promise<readonly string[]>

export function createAdmission(network: Network, allowPrivateNetworks: boolean): Admission {
  const lookups = new Places(LOOKUPS)
  return {
    async turn({ host, literal }, signal) {
      const release = literal ? undefined : await lookups.take(domainOf(host), signal)
      if (!literal && !release) throw new OutgoingError('BUSY', 'Too many host names are being looked up.')
      return async looking => {
        const addresses = release ? await resolve(network, release, host, looking) : [host]
        if (addresses.length === 0) throw unresolved(host)
        if (!addresses.every(address => isAllowed(address, allowPrivateNetworks))) {
          const leads = literal ? 'is not' : 'does not lead to'
          throw new OutgoingError('ADDRESS_REFUSED', `${host} ${leads} a public address.`)
        }
        return addresses.slice(0, ADDRESSES_MAX)
      }
    },
  }
}

/** The domain that somebody registered, or got of a provider that gives out names, by the Public Suffix List. */
function domainOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true, validateHostname: false }) ?? host
}

async function resolve(
  network: Network,
  release: () => void,
  host: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (signal.aborted) {
    release()
    throw signal.reason
  }
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
