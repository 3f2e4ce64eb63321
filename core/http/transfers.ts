/** Bytes that all requests of a process may hold together. */
export class ByteBudget {
  #used = 0

  constructor(readonly maxBytes: number) {}

  /** @returns false when there is no room for as many bytes now */
  reserve(bytes: number): boolean {
    if (this.#used + bytes > this.maxBytes) return false
    this.#used += bytes
    return true
  }

  release(bytes: number): void {
    this.#used -= bytes
  }

  get used(): number {
    return this.#used
  }
}

/** Bodies on their way, up or down: a stop cuts short those that outlast its grace time, and what they hold is bounded. */
export class Transfers {
  readonly #running = new Set<() => void>()
  #stopping = false
  /** Request bodies that are held whole in memory. */
  readonly memory = new ByteBudget(256 * 1024 ** 2)
  /** Uploaded files that lie on disk until their request ends. */
  readonly disk = new ByteBudget(16 * 1024 ** 3)

  /** @param cut ends the transfer early; called at once when a stop has come that far. @returns what to call at its end */
  begin(cut: () => void): () => void {
    if (this.#stopping) cut()
    this.#running.add(cut)
    return () => void this.#running.delete(cut)
  }

  /** Ends all of them, and from now on every further one. */
  cutAll(): void {
    this.#stopping = true
    for (const cut of [...this.#running]) cut()
  }

  get count(): number {
    return this.#running.size
  }
}
