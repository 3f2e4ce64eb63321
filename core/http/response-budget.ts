import type { Clock } from './clock.ts'
import { SharedByteBudget } from './shared-byte-budget.ts'

/** Clients that read at all have read one of several megabytes by then; one that does not holds up its own workspace's requests for no longer. */
const WAIT_MS = 10_000

/**
 * Shares the memory of responses out between those who are to read them. A response that has no room waits for it in its request's place among
 * those of its workspace. So nothing further is read from the database for a workspace whose clients do not read, beyond a response in
 * each of its places, and no work is thrown away for one whose clients do.
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

  /** @returns false where there was no room in time, too much waits for it already, or the client goes away */
  async reserveInTime(holder: string, bytes: number, gone: AbortSignal, clock: Clock): Promise<boolean> {
    if (this.takeIfRoom(holder, bytes)) return true
    if (gone.aborted || !this.waiting.reserve(holder, bytes)) return this.refuse()
    try {
      return (await this.#wait(holder, bytes, gone, clock)) || this.refuse()
    } finally {
      this.waiting.release(holder, bytes)
    }
  }

  override release(holder: string, bytes: number): void {
    super.release(holder, bytes)
    for (const tryAgain of this.#waiters) tryAgain()
  }

  async #wait(holder: string, bytes: number, gone: AbortSignal, clock: Clock): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const end = (isReserved: boolean) => {
      this.#waiters.delete(tryAgain)
      resolve(isReserved)
    }
    const tryAgain = () => {
      if (this.takeIfRoom(holder, bytes)) end(true)
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
