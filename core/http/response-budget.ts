import type { Clock } from './clock.ts'
import { SharedByteBudget } from './shared-byte-budget.ts'

/** Clients that read at all have read one of several megabytes by then; one that does not holds up its own workspace's requests for no longer. */
const WAIT_MS = 10_000

/**
 * Shares the memory of responses out between those who are to read them. A request whose response will most likely find no room waits for it
 * before it is begun, and one whose response turns out to have none waits with it, both in the request's place among those of its workspace. So
 * nothing further is read from the database for a workspace whose clients do not read, and no work is thrown away for one whose clients do.
 */
export class ResponseBudget extends SharedByteBudget {
  /** Responses that wait are in memory as well. */
  readonly waiting: SharedByteBudget
  /** Each tries again; they are few, since their bytes are bounded. */
  readonly #waiters = new Set<() => void>()

  constructor(maxBytes: number, waitingMaxBytes: number) {
    super(maxBytes)
    this.waiting = new SharedByteBudget(waitingMaxBytes)
  }

  /** Counts the requests that wait, begun or not. */
  get waiters(): number {
    return this.#waiters.size
  }

  /** Waits until so many bytes would have room, without taking it. @returns false where that took too long, or the client goes away */
  async admitsInTime(holder: string, bytes: number, gone: AbortSignal, clock: Clock): Promise<boolean> {
    const admits = () => this.hasRoom(holder, bytes)
    return admits() || (await this.#wait(admits, gone, clock)) || this.refuse()
  }

  /** @returns false where there was no room in time, too much waits for it already, or the client goes away */
  async reserveInTime(holder: string, bytes: number, gone: AbortSignal, clock: Clock): Promise<boolean> {
    if (this.takeIfRoom(holder, bytes)) return true
    if (gone.aborted || !this.waiting.reserve(holder, bytes)) return this.refuse()
    try {
      return (await this.#wait(() => this.takeIfRoom(holder, bytes), gone, clock)) || this.refuse()
    } finally {
      this.waiting.release(holder, bytes)
    }
  }

  override release(holder: string, bytes: number): void {
    super.release(holder, bytes)
    for (const tryAgain of this.#waiters) tryAgain()
  }

  async #wait(succeeds: () => boolean, gone: AbortSignal, clock: Clock): Promise<boolean> {
    if (gone.aborted) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const end = (hasRoom: boolean) => {
      this.#waiters.delete(tryAgain)
      resolve(hasRoom)
    }
    const tryAgain = () => {
      if (succeeds()) end(true)
    }
    const giveUp = () => end(false)
    this.#waiters.add(tryAgain)
    const callOff = clock.after(WAIT_MS, giveUp)
    gone.addEventListener('abort', giveUp, { once: true })
    try {
      return await promise
    } finally {
      callOff()
      gone.removeEventListener('abort', giveUp)
    }
  }
}
