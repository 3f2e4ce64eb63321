/** Documents that a process reads at once: a reader takes a processor and some hundred megabytes. */
const READINGS_MAX = 2
/** Small documents that are read beside these, in no time and in next to no memory: others may take two minutes each. */
const SMALL_READINGS_MAX = 1
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
  #heldBySmall = 0
  readonly #waiting = new Map<string, Waiting>()

  constructor(
    private readonly places = READINGS_MAX,
    private readonly now = () => performance.now(),
  ) {}

  /**
   * @param isAlone takes the process's only reading, so that what it grows by is the document's doing
   * @param isSmall has a place of its own where there is no other
   * @returns what gives the place back, once; undefined when the workspace has to ask again
   */
  tryTake(workspaceId: string, isAlone = false, isSmall = false): (() => void) | undefined {
    // A document that is to be read alone waits for itself, so that those behind it in its workspace do not take its turn.
    const id = isAlone ? `${workspaceId} alone` : workspaceId
    if (!this.#isFree(id, isAlone)) {
      if (isSmall && this.#heldBySmall < SMALL_READINGS_MAX) return this.#takeSmall()
      // A map keeps the place of a key that it has.
      this.#waiting.set(id, { isAlone, askedAt: this.now() })
      return undefined
    }
    this.#waiting.delete(id)
    this.#held++
    this.#isHeldAlone = isAlone
    return once(() => {
      this.#held--
      this.#isHeldAlone = false
    })
  }

  #takeSmall(): () => void {
    this.#heldBySmall++
    return once(() => {
      this.#heldBySmall--
    })
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

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
