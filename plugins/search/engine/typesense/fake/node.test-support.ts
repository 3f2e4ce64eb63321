import { FakeFault } from './filter.test-support.ts'
import { Store } from './store.test-support.ts'

/** A change of the data, as one entry of the log that all nodes apply in order. An import of any size is one entry. */
export type Entry = (store: Store) => unknown

/** The defaults of `--healthy-read-lag` and `--healthy-write-lag`, in entries. */
const READ_LAG_MAX = 1000
const WRITE_LAG_MAX = 500

/** The log that the leader has accepted. */
export class Log {
  readonly entries: Entry[] = []
}

/** One node with the data of the entries that it has applied. */
export class FakeNode {
  readonly store = new Store()
  #applied = 0
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  /** A held node applies entries only on {@link apply}. */
  held = false

  constructor(private readonly log: Log) {}

  /** The number of entries that it has yet to apply. */
  get lag(): number {
    return this.log.entries.length - this.#applied
  }

  /** A node serves reads while it lags by few entries, however many documents these contain. */
  checkReadLag(): void {
    if (this.lag > READ_LAG_MAX) throw new FakeFault(503, 'Not Ready or Lagging')
  }

  checkWriteLag(): void {
    if (this.lag > WRITE_LAG_MAX) throw new FakeFault(503, 'Not Ready or Lagging')
  }

  /** Loses what is in memory; the log is then replayed from its beginning. */
  restart(): void {
    this.store.clear()
    this.#applied = 0
    this.held = true
  }

  /** Applies the next entries, by default all. */
  apply(count = Number.POSITIVE_INFINITY): void {
    for (let left = count; left > 0 && this.lag > 0; left--) {
      const at = this.#applied++
      const waiting = this.#waiting.get(at)
      this.#waiting.delete(at)
      try {
        const result = this.log.entries[at]?.(this.store)
        waiting?.resolve(result)
      } catch (error) {
        // Other nodes fail at the same entry in the same way, and only its sender learns of it.
        waiting?.reject(error)
      }
    }
  }

  /** Resolves with the result of the entry at this place once it is applied. */
  resultOf<T>(at: number): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(at, { resolve: value => resolve(value as T), reject })
    })
  }
}
