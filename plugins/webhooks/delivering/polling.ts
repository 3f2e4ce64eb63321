/** A workspace with this many deliveries a second is polled. */
const BUSY_A_SECOND = 20

const SECOND_MS = 1000

/** Changes need no job for this long after the last renewal, which comes each second while the workspace is busy. */
const POLLED_MS = 3000

/** The dispatcher goes on looking for this long after that: a change that counted on it may commit later. */
const GRACE_MS = 5000

const EVERY_MS = 25

/**
 * Decides for which workspaces this process looks for deliveries by itself, since so many come in that a job for each change would cost
 * more. A change that commits later than all that, or whose process dies, is found by the sweep.
 */
export class Polling {
  /** Changes may count on this process that long after its last look. */
  static readonly polledMs = POLLED_MS

  readonly #busy = new Map<string, Busy>()
  readonly #wake: (workspaceId: string) => void
  readonly #now: () => number

  constructor(wake: (workspaceId: string) => void, now: () => number = () => performance.now()) {
    this.#wake = wake
    this.#now = now
  }

  /**
   * Counts what a look found.
   * @returns for how many milliseconds changes may count on this process from now on; 0 where nothing changes
   */
  renewal(workspaceId: string, found: number): number {
    const now = this.#now()
    const known = this.#busy.get(workspaceId)
    const busy = known ?? { since: now, found: 0, until: Number.NEGATIVE_INFINITY, timer: undefined }
    if (!known && found > 0) this.#busy.set(workspaceId, busy)
    busy.found += found
    if (now - busy.since < SECOND_MS) return 0
    const isBusy = busy.found >= (BUSY_A_SECOND * (now - busy.since)) / SECOND_MS
    busy.since = now
    busy.found = 0
    if (!isBusy) {
      if (now >= busy.until) this.#busy.delete(workspaceId)
      return 0
    }
    busy.until = now + POLLED_MS + GRACE_MS
    return POLLED_MS
  }

  /** Has the workspace looked at again, for as long as changes count on it. */
  looked(workspaceId: string): void {
    const busy = this.#busy.get(workspaceId)
    if (!busy) return
    clearTimeout(busy.timer)
    busy.timer = undefined
    if (this.#now() < busy.until) busy.timer = setTimeout(() => this.#wake(workspaceId), EVERY_MS)
  }

  /** @returns the workspaces whose changes count on this process */
  stop(): string[] {
    const polled = [...this.#busy].filter(([, { until }]) => this.#now() < until).map(([workspaceId]) => workspaceId)
    for (const { timer } of this.#busy.values()) clearTimeout(timer)
    this.#busy.clear()
    return polled
  }
}

interface Busy {
  /** The count of what was found began then. */
  since: number
  found: number
  /** It is polled until then. */
  until: number
  timer: ReturnType<typeof setTimeout> | undefined
}
