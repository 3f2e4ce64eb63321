import { LRUCache } from 'lru-cache'

export interface LoadingCacheOptions<V> {
  /** Values kept at the most; the one not asked for the longest goes first. */
  readonly max: number
  /** How long a value is kept, in milliseconds. */
  readonly ttlMs: number
  /** A reading of a clock in milliseconds, where the process's own will not do. */
  readonly now?: () => number
  /** What is undefined is not kept, and what is rejected neither. */
  load(key: string): Promise<V | undefined>
}

/**
 * Values that are loaded when they are asked for and kept for a while; all who ask for one meanwhile share one load. A load that is
 * under way when its value is forgotten answers those who waited for it, and is not kept. (`fetch` of lru-cache rejects
 * instead, also when it makes room for other values.)
 */
export interface LoadingCache<V> {
  get(key: string): Promise<V | undefined>
  /** The value, if it is kept. */
  known(key: string): V | undefined
  /** Replaces a value that is kept. */
  set(key: string, value: V): void
  forget(key: string): void
  /** Forgets the values that match; what is being loaded may be one of them. */
  forgetWhere(matches: (value: V) => boolean): void
  forgetAll(): void
}

export function createLoadingCache<V extends object | number>(options: LoadingCacheOptions<V>): LoadingCache<V> {
  const { max, ttlMs, now } = options
  const kept = new LRUCache<string, V>({ max, ttl: ttlMs, ...(now ? { perf: { now }, ttlResolution: 0 } : {}) })
  const loads = new Map<string, { readonly result: Promise<V | undefined> }>()

  function load(key: string): Promise<V | undefined> {
    const result = options.load(key).then(
      value => {
        if (ends(key) && value !== undefined) kept.set(key, value)
        return value
      },
      error => {
        ends(key)
        throw error
      },
    )
    const own = { result }
    /** Whether this load was the key's to the end. */
    const ends = (key: string) => loads.get(key) === own && loads.delete(key)
    loads.set(key, own)
    return result
  }

  return {
    async get(key) {
      return kept.get(key) ?? loads.get(key)?.result ?? load(key)
    },
    known: key => kept.get(key),
    set: (key, value) => void kept.set(key, value),
    forget(key) {
      kept.delete(key)
      loads.delete(key)
    },
    forgetWhere(matches) {
      for (const [key, value] of [...kept.entries()]) if (matches(value)) kept.delete(key)
      loads.clear()
    },
    forgetAll() {
      kept.clear()
      loads.clear()
    },
  }
}
