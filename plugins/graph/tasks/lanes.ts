/** One reader of a workspace's queue in this process. */
export interface Lane {
  /** Call it before looking into the queue. */
  look(): void
  /** Whether a job came since the last look: what it came for may have been added after that. */
  askedAgain(): boolean
  leave(): void
}

/** Keeps the readers of one workspace few in a process: they would wait for each other's locks and hold connections meanwhile. */
export class Lanes {
  readonly #max: number
  readonly #readers = new Map<string, { count: number; calls: number }>()

  constructor(max: number) {
    this.#max = max
  }

  /** A lane, or undefined when all are taken; then those who have them are told. */
  enter(workspaceId: string): Lane | undefined {
    const readers = this.#readers.get(workspaceId) ?? { count: 0, calls: 0 }
    this.#readers.set(workspaceId, readers)
    readers.calls++
    if (readers.count >= this.#max) return undefined
    readers.count++
    let seen = 0
    return {
      look: () => {
        seen = readers.calls
      },
      askedAgain: () => readers.calls !== seen,
      leave: () => {
        readers.count--
        if (readers.count === 0) this.#readers.delete(workspaceId)
      },
    }
  }
}
