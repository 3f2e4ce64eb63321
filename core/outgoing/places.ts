export interface PlacesOptions {
  /** There are so many places in all, and so many for one host. */
  readonly total: number
  readonly perHost: number
  /** So many may wait for a place; later ones are turned away. */
  readonly waitingMax: number
}

interface Waiting {
  readonly host: string
  admit(): void
}

/**
 * Bounds concurrent requests, in all and for each host, so that a slow host never takes every place. First come, first
 * served.
 */
export class Places {
  readonly #options: PlacesOptions
  readonly #taken = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  #total = 0

  constructor(options: PlacesOptions) {
    this.#options = options
  }

  get taken(): number {
    return this.#total
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Resolves with a function that gives the place back, to be called once.
   * @returns undefined where too many wait.
   * @throws the reason of `signal` when that is aborted first
   */
  async take(host: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    signal.throwIfAborted()
    if (!this.#isFree(host)) {
      if (this.#waiting.length >= this.#options.waitingMax) return undefined
      await this.#turn(host, signal)
    } else this.#occupy(host)
    let given = false
    return () => {
      if (given) return
      given = true
      this.#release(host)
    }
  }

  #isFree(host: string): boolean {
    return this.#total < this.#options.total && (this.#taken.get(host) ?? 0) < this.#options.perHost
  }

  #occupy(host: string): void {
    this.#total++
    this.#taken.set(host, (this.#taken.get(host) ?? 0) + 1)
  }

  #release(host: string): void {
    this.#total--
    const left = (this.#taken.get(host) ?? 1) - 1
    if (left > 0) this.#taken.set(host, left)
    else this.#taken.delete(host)
    const next = this.#waiting.findIndex(waiting => this.#isFree(waiting.host))
    if (next >= 0) this.#waiting.splice(next, 1)[0]?.admit()
  }

  #turn(host: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        const place = this.#waiting.indexOf(waiting)
        if (place >= 0) this.#waiting.splice(place, 1)
        reject(signal.reason)
      }
      const waiting: Waiting = {
        host,
        admit: () => {
          signal.removeEventListener('abort', leave)
          this.#occupy(host)
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiting)
    })
  }
}
