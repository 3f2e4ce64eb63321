/** Documents that a process reads at once: a reader takes a processor and some hundred megabytes. */
const READINGS_MAX = 2
/** A workspace that was refused a place asks again long before; one that does not has nothing left to read. */
const PATIENCE_MS = 5_000

interface Waiting {
  readonly isAlone: boolean
  readonly askedAt: number
}

/**
 * The places for readers in this process. Workspaces that were refused one have the next ones in the order in which they first asked: one
 * with thousands of documents gets behind those that waited for its last.
 */
export class ReadingPlaces {
  #held = 0
  #isHeldAlone = false
  readonly #waiting = new Map<string, Waiting>()

  constructor(
    private readonly places = READINGS_MAX,
    private readonly now = () => performance.now(),
  ) {}

  /**
   * @param isAlone takes the process's only reading, so that what it grows by is the document's doing
   * @returns what gives the place back, once; undefined when the workspace has to ask again
   */
  tryTake(workspaceId: string, isAlone = false): (() => void) | undefined {
    // A document that is to be read alone waits for itself, so that those behind it in its workspace do not take its turn.
    const id = isAlone ? `${workspaceId} alone` : workspaceId
    if (!this.#isFree(id, isAlone)) {
      // A map keeps the place of a key that it has.
      this.#waiting.set(id, { isAlone, askedAt: this.now() })
      return undefined
    }
    this.#waiting.delete(id)
    this.#held++
    this.#isHeldAlone = isAlone
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#held--
      this.#isHeldAlone = false
    }
  }

  #isFree(id: string, isAlone: boolean): boolean {
    const ahead = this.#aheadOf(id)
    if (this.#isHeldAlone || ahead.some(waiting => waiting.isAlone)) return false
    return isAlone ? this.#held + ahead.length === 0 : this.#held + ahead.length < this.places
  }

  #aheadOf(id: string): Waiting[] {
    const ahead: Waiting[] = []
    for (const [other, waiting] of this.#waiting) {
      if (other === id) break
      if (this.now() - waiting.askedAt > PATIENCE_MS) this.#waiting.delete(other)
      else ahead.push(waiting)
    }
    return ahead
  }
}
