import type { Clock } from '../../core/clock.ts'

/** Stands still until a test moves it. */
export class ManualClock implements Clock {
  #now = 0
  readonly #waiting = new Set<{ at: number; work: () => void }>()

  now(): number {
    return this.#now
  }

  /** Counts all waits that ever began. */
  begun = 0

  after(ms: number, work: () => void): () => void {
    this.begun++
    const entry = { at: this.#now + ms, work }
    this.#waiting.add(entry)
    return () => void this.#waiting.delete(entry)
  }

  /** Runs the waits that fall due meanwhile, in their order. */
  advance(ms: number): void {
    this.#now += ms
    const due = [...this.#waiting].filter(({ at }) => at <= this.#now).toSorted((a, b) => a.at - b.at)
    for (const entry of due) {
      this.#waiting.delete(entry)
      entry.work()
    }
  }

  /** Counts the waits under way. */
  get waiting(): number {
    return this.#waiting.size
  }
}
