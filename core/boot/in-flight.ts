import { endOf } from '../http/delivery.ts'
import { endsInTime } from '../in-time.ts'

/** Counts requests under way, up to the last byte of their responses, so that a stop can wait for them. */
export class InFlight {
  #count = 0
  #idle: (() => void) | undefined

  async track(answering: Promise<Response>): Promise<Response> {
    this.#count++
    let response: Response | undefined
    try {
      response = await answering
      return response
    } finally {
      const ended = response && endOf(response)
      if (ended) void ended.then(() => this.#leave())
      else this.#leave()
    }
  }

  /** Waits until no request is under way, for `graceMs` at the most. */
  async drained(graceMs: number): Promise<void> {
    if (this.#count === 0) return
    const idle = new Promise<void>(resolve => {
      this.#idle = resolve
    })
    await endsInTime(idle, graceMs)
  }

  #leave(): void {
    this.#count--
    if (this.#count === 0) this.#idle?.()
  }
}
