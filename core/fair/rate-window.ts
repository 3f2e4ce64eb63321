import { LRUCache } from 'lru-cache'
import { SMALL_BYTES } from '../resources/bounded-cache.ts'
import { type Holding, held } from '../resources/holdings.ts'

/** Tells how a key stands in its window, after the counted request. */
export interface RateState {
  readonly limited: boolean
  /** This process has refused so many requests of the window, the counted one included. */
  readonly refused: number
  /** The window allows so many requests. */
  readonly limit: number
  readonly remaining: number
  /** Whole seconds to the next window, at least 1. */
  readonly resetSeconds: number
}

export interface RateWindowOptions {
  /** As metrics show its counts, `<part>.<what>`. */
  readonly name: string
  /** A window allows so many requests of a key. */
  readonly limit: number
  /** 60 seconds where left out. */
  readonly windowMs?: number
  /** So many keys are counted at once; beyond, the least recently seen one starts again at zero. */
  readonly keysMax?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Counted by this process, and told to nobody yet. */
export interface Counted {
  readonly windowNumber: number
  readonly count: number
}

interface Count {
  windowNumber: number
  unsent: number
  /** Counted elsewhere and told here, as of the last exchange. */
  shared: number
  refused: number
}

/** A fixed window for each key. Several processes count together where they exchange what they counted. */
export class RateWindow {
  readonly #counts: LRUCache<string, Count>
  /** These keys have counts to exchange. */
  readonly #active = new Set<string>()
  /** Its counts, which are never dropped: a key would begin at zero again. */
  readonly holding: Holding

  constructor(readonly options: RateWindowOptions) {
    const { name, keysMax = 100_000 } = options
    this.#counts = new LRUCache({ max: keysMax })
    this.holding = held({ name, maxBytes: keysMax * SMALL_BYTES, bytes: () => this.#counts.size * SMALL_BYTES })
  }

  /**
   * Counts a request. One that is refused is not counted: a key that keeps hammering gets its full allowance in the next window as well.
   * @param times its window allows so many times the limit; 1
   */
  consume(key: string, times = 1): RateState {
    const { limit: limitOfOne, windowMs = 60_000, now = Date.now } = this.options
    const limit = limitOfOne * times
    const at = now()
    const windowNumber = Math.floor(at / windowMs)
    const count = this.#countOf(key, windowNumber)
    const used = count.shared + count.unsent
    const limited = used >= limit
    if (limited) count.refused++
    else {
      count.unsent++
      this.#active.add(key)
    }
    return {
      limited,
      refused: count.refused,
      limit,
      remaining: limited ? 0 : limit - used - 1,
      resetSeconds: Math.max(1, Math.ceil(((windowNumber + 1) * windowMs - at) / 1000)),
    }
  }

  /**
   * Tells others what was counted in the present window since the last call, and learns the sums. Where that fails, it is told the next time.
   * @param tell returns what all have counted of each key
   */
  async exchange(tell: (counted: ReadonlyMap<string, Counted>) => Promise<ReadonlyMap<string, number>>): Promise<void> {
    const { windowMs = 60_000, now = Date.now } = this.options
    const own = new Map<string, Counted>()
    for (const key of this.#active) {
      const count = this.#counts.peek(key)
      if (count?.windowNumber === Math.floor(now() / windowMs))
        own.set(key, { windowNumber: count.windowNumber, count: count.unsent })
    }
    this.#active.clear()
    if (own.size === 0) return
    try {
      for (const [key, sum] of await tell(own)) this.#learn(key, own.get(key), sum)
    } catch (error) {
      for (const key of own.keys()) this.#active.add(key)
      throw error
    }
  }

  #learn(key: string, told: Counted | undefined, sum: number): void {
    const count = this.#counts.peek(key)
    if (!told || count?.windowNumber !== told.windowNumber) return
    count.unsent -= told.count
    // A process whose clock is minutes off begins the sum again and again, while what was counted in a window never gets less.
    count.shared = Math.max(sum, count.shared + told.count)
  }

  #countOf(key: string, windowNumber: number): Count {
    const known = this.#counts.get(key)
    if (known?.windowNumber === windowNumber) return known
    const fresh = { windowNumber, unsent: 0, shared: 0, refused: 0 }
    this.#counts.set(key, fresh)
    return fresh
  }
}
