/** Counts those who are inside by name, up to a bound for each name. */
export class Entered {
  readonly #counts = new Map<string, number>()

  constructor(readonly maxEach: number) {}

  /** @returns false where too many of the name are inside already */
  enter(name: string): boolean {
    const count = this.#counts.get(name) ?? 0
    if (count >= this.maxEach) return false
    this.#counts.set(name, count + 1)
    return true
  }

  leave(name: string): void {
    const count = (this.#counts.get(name) ?? 1) - 1
    if (count > 0) this.#counts.set(name, count)
    else this.#counts.delete(name)
  }
}
