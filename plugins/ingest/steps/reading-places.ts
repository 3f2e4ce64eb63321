/** Documents that a process reads at once: a reader takes a processor and some hundred megabytes. */
export const READINGS_MAX = 2

/** The places for readers in this process. */
export class ReadingPlaces {
  #free: number

  constructor(places = READINGS_MAX) {
    this.#free = places
  }

  /** @returns what gives the place back, once; undefined when none is free */
  tryTake(): (() => void) | undefined {
    if (this.#free === 0) return undefined
    this.#free--
    let isHeld = true
    return () => {
      if (isHeld) this.#free++
      isHeld = false
    }
  }
}
