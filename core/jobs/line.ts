export interface LinedJob {
  readonly id: string
  /** Lower is more urgent. */
  readonly priority: number
}

/** Further jobs are not remembered: they come again by themselves. */
const LINE_MAX = 5000

/** The jobs of a task that this process has put off, by urgency and in the order in which they came. */
export class Line {
  readonly #ids = new Map<number, Set<string>>()
  #length = 0

  isEmpty(): boolean {
    return this.#length === 0
  }

  add({ id, priority }: LinedJob): void {
    if (this.#length >= LINE_MAX) return
    const ids = this.#ids.get(priority) ?? new Set()
    this.#ids.set(priority, ids)
    if (!ids.has(id)) this.#length++
    ids.add(id)
  }

  remove({ id, priority }: LinedJob): void {
    const ids = this.#ids.get(priority)
    if (!ids?.delete(id)) return
    this.#length--
    if (ids.size === 0) this.#ids.delete(priority)
  }

  /** Takes out the first `limit` jobs. */
  next(limit: number): string[] {
    const taken: string[] = []
    for (const priority of [...this.#ids.keys()].toSorted((a, b) => a - b)) {
      for (const id of this.#ids.get(priority) ?? []) {
        if (taken.length >= limit) return taken
        taken.push(id)
        this.remove({ id, priority })
      }
    }
    return taken
  }
}
