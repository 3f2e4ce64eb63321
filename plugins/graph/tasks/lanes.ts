/** One reader of a workspace's queue in this process. */
export interface Lane {
  /** Call it before looking into the queue. */
  look(): void
  /** Tells whether a job came since the last look, whose memory may have been added after that. */
  askedAgain(): boolean
  leave(): void
}

/**
 * Keeps readers few in a process: those of one workspace would wait for each other's locks and hold connections meanwhile, and many
 * would hold all the places that jobs run in, which memories that somebody waits for need.
 */
export class Lanes {
  readonly #maxOfWorkspace: number
  readonly #max: number
  readonly #readers = new Map<string, { count: number; calls: number }>()
  #count = 0

  constructor(maxOfWorkspace: number, max: number) {
    this.#maxOfWorkspace = maxOfWorkspace
    this.#max = max
  }

  /** A lane; `told` when those of the workspace are taken, who will look once more; `full` when there is none for anybody. */
  enter(workspaceId: string): Lane | 'told' | 'full' {
    const readers = this.#readers.get(workspaceId) ?? { count: 0, calls: 0 }
    readers.calls++
    if (readers.count >= this.#maxOfWorkspace) return 'told'
    if (this.#count >= this.#max) return readers.count > 0 ? 'told' : 'full'
    this.#readers.set(workspaceId, readers)
    readers.count++
    this.#count++
    let seen = 0
    return {
      look: () => {
        seen = readers.calls
      },
      askedAgain: () => readers.calls !== seen,
      leave: () => {
        this.#count--
        readers.count--
        if (readers.count === 0) this.#readers.delete(workspaceId)
      },
    }
  }
}
