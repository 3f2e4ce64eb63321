/** Adds up what a workspace uses until that is written. */
export interface Counter {
  readonly workspaceId: string
  readonly metric: string
  readonly operation: string
  input: number
  output: number
}

/** Counters by workspace, then by metric and operation. */
export class Counters {
  readonly #workspaces = new Map<string, Map<string, Counter>>()
  size = 0

  static of(some: Iterable<Counter>): Counters {
    const counters = new Counters()
    for (const counter of some) counters.add(counter)
    return counters
  }

  has({ workspaceId, metric, operation }: Counter): boolean {
    return this.#workspaces.get(workspaceId)?.has(`${metric} ${operation}`) ?? false
  }

  add({ workspaceId, metric, operation, input, output }: Counter): void {
    let counters = this.#workspaces.get(workspaceId)
    if (!counters) {
      counters = new Map()
      this.#workspaces.set(workspaceId, counters)
    }
    const name = `${metric} ${operation}`
    const counter = counters.get(name)
    if (counter) {
      counter.input += input
      counter.output += output
    } else {
      counters.set(name, { workspaceId, metric, operation, input, output })
      this.size++
    }
  }

  *all(): Iterable<Counter> {
    for (const counters of this.#workspaces.values()) yield* counters.values()
  }

  addTo(total: Record<string, number>, workspaceId: string): void {
    for (const { metric, input, output } of this.#workspaces.get(workspaceId)?.values() ?? []) {
      total[metric] = (total[metric] ?? 0) + input + output
    }
  }
}
