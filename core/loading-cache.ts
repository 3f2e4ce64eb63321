import { BoundedCache } from './resources/bounded-cache.ts'

export interface LoadingCacheOptions<V> {
  /** As metrics show it, `<part>.<what>`. */
  readonly name: string
  /** Keeps so many values at the most and evicts the least recently used one. */
  readonly max: number
  /** Bytes at the most; 16 MB. */
  readonly maxBytes?: number
  /** An estimate, of a value alone; left out, values are small. */
  bytesOf?(value: V): number
  /** A value is kept for so many milliseconds. */
  readonly ttlMs: number
  /** A reading of a clock in milliseconds; tests replace the process's own with it. */
  readonly now?: () => number
  /**
   * An undefined or rejected result is not kept.
   * @param asker what the first of its callers gave with the key
   */
  load(key: string, asker: string): Promise<V | undefined>
}

/**
 * Loads values on demand and keeps them for a while; concurrent callers share one load. A load whose value is forgotten
 * while it runs still resolves for those who waited, and is not kept. (`fetch` of lru-cache rejects instead, also when
 * it makes room for other values.)
 */
export interface LoadingCache<V> {
  get(key: string, asker?: string): Promise<V | undefined>
  /** Returns the value if it is kept. */
  known(key: string): V | undefined
  /** Replaces a value that is kept. */
  set(key: string, value: V): void
  forget(key: string): void
  /** Forgets the values that match, including any that is being loaded. */
  forgetWhere(matches: (value: V) => boolean): void
  forgetAll(): void
}

const MAX_BYTES = 16 * 1024 ** 2

export function createLoadingCache<V extends object | number>(options: LoadingCacheOptions<V>): LoadingCache<V> {
  const kept = new BoundedCache<V>({ maxBytes: MAX_BYTES, ...options })
  const loads = new Map<string, { readonly result: Promise<V | undefined> }>()

  function load(key: string, asker: string): Promise<V | undefined> {
    const result = options.load(key, asker).then(
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
    /** Ends the load; false when its key was forgotten or loaded again meanwhile. */
    const ends = (key: string) => loads.get(key) === own && loads.delete(key)
    loads.set(key, own)
    return result
  }

  return {
    async get(key, asker = '') {
      return kept.get(key) ?? loads.get(key)?.result ?? load(key, asker)
    },
    known: key => kept.get(key),
    set: (key, value) => void kept.set(key, value),
    forget(key) {
      kept.delete(key)
      loads.delete(key)
    },
    forgetWhere(matches) {
      for (const [key, value] of kept.entries()) if (matches(value)) kept.delete(key)
      loads.clear()
    },
    forgetAll() {
      kept.drop()
      loads.clear()
    },
  }
}
