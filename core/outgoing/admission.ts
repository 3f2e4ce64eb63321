import { getDomain } from 'tldts'
import { systemClock } from '../clock.ts'
import { Semaphore } from '../fair/semaphore.ts'
import { isAllowed } from './address.ts'
import type { Network } from './network.ts'
import { OutgoingError } from './outgoing-error.ts'
import type { Target } from './target.ts'

/** So many addresses are tried one after the other; the time for connecting allows no more. */
const ADDRESSES_MAX = 8

/**
 * So many look-ups may run, and so many of names below one domain: one that its request gave up goes on in the system and keeps its
 * place until it ends, and names cost nothing to whoever has a domain whose name servers do not answer.
 */
const LOOKUPS = { total: 32, perPlace: 4, waitingMax: 1000 }

/** Look-ups for no holder have this key. */
const NOBODY = ''

/** Decides at which addresses a host may be reached. */
export interface Admission {
  /**
   * Waits until the host may be looked up. Whoever has the turn looks up at once.
   * @param holder has less than half of the look-ups that are free; undefined for no such bound
   * @throws OutgoingError BUSY; DNS_FAILED where look-ups of the same domain have no end; the reason of `signal`
   */
  turn(target: Target, signal: AbortSignal, holder?: string): Promise<Lookup>
  /** Counts requests that wait for their turn. */
  readonly waiting: number
}

/** A host that may be looked up, once, or given back. */
export interface Lookup {
  /**
   * Returns the addresses of the host if all of them are allowed. One refused address refuses the host: whoever mixes
   * them hopes for a connection to the refused one.
   * @throws OutgoingError ADDRESS_REFUSED, DNS_FAILED; the reason of `signal`
   */
  addresses(signal: AbortSignal): Promise<readonly string[]>
  /** Gives the turn back that nobody looked up in. */
  release(): void
}

export function createAdmission(network: Network, allowPrivateNetworks: boolean): Admission {
  const lookups = new LookUps(network)
  return {
    async turn({ host, literal }, signal, holder) {
      const lookup = literal ? itself(host) : await lookups.turn(host, signal, holder)
      return {
        ...lookup,
        async addresses(looking) {
          const addresses = await lookup.addresses(looking)
          if (addresses.length === 0) throw unresolved(host)
          if (!addresses.every(address => isAllowed(address, allowPrivateNetworks))) {
            const leads = literal ? 'is not' : 'does not lead to'
            throw new OutgoingError('ADDRESS_REFUSED', `${host} ${leads} a public address.`)
          }
          return addresses.slice(0, ADDRESSES_MAX)
        },
      }
    },
    get waiting() {
      return lookups.waiting
    },
  }
}

function itself(host: string): Lookup {
  return { addresses: async () => [host], release: () => undefined }
}

/** The domain that somebody registered, or got of a provider that gives out names, by the Public Suffix List. */
function domainOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true, validateHostname: false }) ?? host
}

class LookUps {
  readonly #network: Network
  readonly #permits = new Semaphore({
    ...LOOKUPS,
    clock: systemClock,
    admits: ({ key, own, all }) => key === NOBODY || own < (LOOKUPS.total - all) / 2,
    refuse: (_, signal) => signal?.reason ?? new OutgoingError('BUSY', 'Too many host names are being looked up.'),
  })
  /** Domains of which a look-up outlived its request and none has found a name since. */
  readonly #silent = new Set<string>()

  constructor(network: Network) {
    this.#network = network
  }

  get waiting(): number {
    return this.#permits.waiting
  }

  /** Whoever waits for a domain that does not answer fails as those before have failed: by no fault of this process. */
  async turn(host: string, signal: AbortSignal, holder = NOBODY): Promise<Lookup> {
    const place = domainOf(host)
    signal.throwIfAborted()
    if (this.#silent.has(place) && this.#permits.runningAt(place) >= LOOKUPS.perPlace) throw unresolved(host)
    try {
      const release = await this.#permits.acquire(holder, { place, signal: () => signal })
      return { release, addresses: looking => this.#resolve(host, place, release, looking) }
    } catch (error) {
      const isBusy = error instanceof OutgoingError && error.code === 'BUSY'
      throw isBusy && this.#silent.has(place) ? unresolved(host, error) : error
    }
  }

  async #resolve(host: string, domain: string, release: () => void, signal: AbortSignal): Promise<readonly string[]> {
    if (signal.aborted) {
      release()
      throw signal.reason
    }
    const looking = this.#network.resolve(host)
    const ended = (found: boolean) => {
      release()
      if (found || this.#permits.runningAt(domain) === 0) this.#silent.delete(domain)
    }
    looking.then(
      () => ended(true),
      () => ended(false),
    )
    try {
      return await orAborted(looking, signal)
    } catch (error) {
      if (!signal.aborted) throw unresolved(host, error)
      const isLate = signal.reason instanceof OutgoingError && this.#permits.runningAt(domain) > 0
      if (isLate) this.#silent.add(domain)
      throw signal.reason
    }
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
