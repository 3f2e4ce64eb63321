export interface LinedJob {
  readonly id: string
  /** Lower is more urgent. */
  readonly priority: number
}

export interface PutOffJob {
  readonly id: string
  /** The time until which it was put off, as the database writes it; whoever puts it off again sets another. */
  readonly runAt: string
}

/** Further jobs are not remembered: they come again by themselves. */
const LINE_MAX = 5000

/** The jobs of a task that this process has put off, by urgency and in the order in which they came. */
export class Line {
  readonly #ids = new Map<number, Map<string, string>>()
  #length = 0

  isEmpty(): boolean {
    return this.#length === 0
  }

  add({ id, priority }: LinedJob, runAt: string): void {
    if (this.#length >= LINE_MAX) return
    const ids = this.#ids.get(priority) ?? new Map<string, string>()
    this.#ids.set(priority, ids)
    if (!ids.has(id)) this.#length++
    ids.set(id, runAt)
  }

  remove({ id, priority }: LinedJob): void {
    const ids = this.#ids.get(priority)
    if (!ids?.delete(id)) return
    this.#length--
    if (ids.size === 0) this.#ids.delete(priority)
  }

  /** Takes out the first `limit` jobs. */
  next(limit: number): PutOffJob[] {
    const taken: PutOffJob[] = []
    for (const priority of [...this.#ids.keys()].toSorted((a, b) => a - b)) {
      for (const [id, runAt] of this.#ids.get(priority) ?? []) {
        if (taken.length >= limit) return taken
        taken.push({ id, runAt })
        this.remove({ id, priority })
      }
    }
    return taken
  }
}
