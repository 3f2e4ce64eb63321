export interface PlacesOptions {
  /** There are so many places in all, and so many for one host. */
  readonly total: number
  readonly perHost: number
  /** So many may wait for a place; later ones are turned away. */
  readonly waitingMax: number
}

interface Waiting {
  readonly asked: Asked
  admit(): void
}

interface Asked {
  readonly host: string
  readonly holder: string | undefined
}

/**
 * Bounds concurrent requests, in all, for each host and for each holder, so that a slow host never takes every place, nor whoever asks for
 * many hosts. First come, first served.
 */
export class Places {
  readonly #options: PlacesOptions
  readonly #taken = new Map<string, number>()
  readonly #held = new Map<string, number>()
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

  /** Counts the places taken for a host. */
  takenFor(host: string): number {
    return this.#taken.get(host) ?? 0
  }

  /**
   * Resolves with a function that gives the place back, to be called once.
   * @param holder has less than half of the places that are free; undefined for no such bound
   * @returns undefined where too many wait.
   * @throws the reason of `signal` when that is aborted first
   */
  async take(host: string, signal: AbortSignal, holder?: string): Promise<(() => void) | undefined> {
    signal.throwIfAborted()
    const asked: Asked = { host, holder }
    if (!this.#isFree(asked)) {
      if (this.#waiting.length >= this.#options.waitingMax) return undefined
      await this.#turn(asked, signal)
    } else this.#occupy(asked)
    let given = false
    return () => {
      if (given) return
      given = true
      this.#release(asked)
    }
  }

  #isFree({ host, holder }: Asked): boolean {
    const { total, perHost } = this.#options
    const held = holder === undefined ? 0 : (this.#held.get(holder) ?? 0)
    return held < (total - this.#total) / 2 && this.takenFor(host) < perHost
  }

  #occupy({ host, holder }: Asked): void {
    this.#total++
    add(this.#taken, host, 1)
    if (holder !== undefined) add(this.#held, holder, 1)
  }

  #release(asked: Asked): void {
    this.#total--
    add(this.#taken, asked.host, -1)
    if (asked.holder !== undefined) add(this.#held, asked.holder, -1)
    // One place given back may let several go: a holder's share grows with every place that is free.
    for (let next = this.#firstFree(); next >= 0; next = this.#firstFree()) this.#waiting.splice(next, 1)[0]?.admit()
  }

  #firstFree(): number {
    return this.#waiting.findIndex(({ asked }) => this.#isFree(asked))
  }

  #turn(asked: Asked, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        const place = this.#waiting.indexOf(waiting)
        if (place >= 0) this.#waiting.splice(place, 1)
        reject(signal.reason)
      }
      const waiting: Waiting = {
        asked,
        admit: () => {
          signal.removeEventListener('abort', leave)
          this.#occupy(asked)
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiting)
    })
  }
}

function add(counts: Map<string, number>, name: string, change: number): void {
  const count = (counts.get(name) ?? 0) + change
  if (count > 0) counts.set(name, count)
  else counts.delete(name)
}
