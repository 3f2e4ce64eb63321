import { LRUCache } from 'lru-cache'
import { type Holding, held } from './holdings.ts'

export interface BoundedCacheOptions<V> {
  /** As metrics show it, `<part>.<what>`. */
  readonly name: string
  /** Entries at the most; the least recently used one goes first. */
  readonly max: number
  readonly maxBytes: number
  /** An estimate, of the value alone. Left out, each takes {@link SMALL_BYTES}. */
  bytesOf?(value: V): number
  /** An entry is kept for so many milliseconds. */
  readonly ttlMs?: number
  /** A reading of a clock in milliseconds; tests replace the process's own with it. */
  readonly now?: () => number
}

/** A small object of a few numbers and short texts, with what the cache itself needs for it. */
export const SMALL_BYTES = 512

/** A cache with a bound in bytes, shown in metrics, and emptied when the process has too little memory. */
export class BoundedCache<V extends object | number | string | boolean> implements Holding {
  readonly name: string
  readonly maxBytes: number
  readonly #kept: LRUCache<string, V>

  constructor({ name, max, maxBytes, bytesOf, ttlMs, now }: BoundedCacheOptions<V>) {
    this.name = name
    this.maxBytes = maxBytes
    this.#kept = new LRUCache<string, V>({
      max,
      maxSize: maxBytes,
      // Texts have two bytes a character.
      sizeCalculation: (value, key) => Math.ceil(SMALL_BYTES + 2 * key.length + (bytesOf?.(value) ?? 0)),
      ...(ttlMs === undefined ? {} : { ttl: ttlMs }),
      ...(now ? { perf: { now }, ttlResolution: 0 } : {}),
    })
    held(this)
  }

  get(key: string): V | undefined {
    return this.#kept.get(key)
  }

  has(key: string): boolean {
    return this.#kept.has(key)
  }

  /** A value that alone is over the bound is not kept. @param ttlMs another time for this one */
  set(key: string, value: V, ttlMs?: number): void {
    this.#kept.set(key, value, ttlMs === undefined ? {} : { ttl: ttlMs })
  }

  delete(key: string): void {
    this.#kept.delete(key)
  }

  entries(): readonly [string, V][] {
    return [...this.#kept.entries()]
  }

  bytes(): number {
    return this.#kept.calculatedSize
  }

  drop(): void {
    this.#kept.clear()
  }
}
