import { endOf } from '../http/deliver.ts'
import { endsInTime } from '../in-time.ts'

/** Counts requests under way, up to the last byte of their responses, so that a stop can wait for them. */
export class InFlight {
  #count = 0
  #idle: (() => void) | undefined
  #isEnding = false

  /** A stop has begun: each connection ends with its next response, so that its client makes the next one elsewhere. */
  get isEnding(): boolean {
    return this.#isEnding
  }

  endConnections(): void {
    this.#isEnding = true
  }

  async track(answering: Promise<Response>): Promise<Response> {
    this.#count++
    let response: Response | undefined
    try {
      response = await answering
      if (this.#isEnding) response.headers.set('connection', 'close')
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
