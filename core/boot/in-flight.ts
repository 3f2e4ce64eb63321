/** Counts requests under way, so that a stop can wait for them. */
export class InFlight {
  #count = 0
  #idle: (() => void) | undefined

  async track(answer: Promise<Response>): Promise<Response> {
    this.#count++
    try {
      return await answer
    } finally {
      this.#count--
      if (this.#count === 0) this.#idle?.()
    }
  }

  async drained(graceMs: number): Promise<void> {
    if (this.#count === 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>(resolve => {
      this.#idle = resolve
      timer = setTimeout(resolve, graceMs)
    })
    clearTimeout(timer)
  }
}
