export interface QuietTrimOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Milliseconds of processor time that the process has used so far, on all its threads. */
  readonly processorMs: () => number
  /** Has the runtime give back what it keeps for later. */
  readonly trim: () => void
}

/** A process is quiet when it used less than a tenth of a processor for this long. */
const QUIET_MS = 10_000
const QUIET_SHARE = 0.1

/**
 * After a trim the process grows again as it compiles what it runs. Only a process that has grown by more than that, and
 * more than a few requests need, is trimmed again: the first of the requests after a trim take twice as long.
 */
const GROWTH = 1.1

/**
 * Trims the process once it has grown and has nothing to do. After hours of use a runtime holds compiled code that nobody
 * runs any more, and heap blocks with a few objects each. No collection of garbage frees either, and the memory of the
 * process would grow with each wave of requests.
 */
export class QuietTrim {
  readonly #options: QuietTrimOptions
  /** The least that the process had since the last trim. */
  #least = Number.POSITIVE_INFINITY
  #windowFrom: number
  #usedBefore: number

  constructor(options: QuietTrimOptions) {
    this.#options = options
    this.#windowFrom = options.now()
    this.#usedBefore = options.processorMs()
  }

  /** Takes note of the bytes that the process has now, and trims it if it is time. Call it often. */
  look(bytes: number): void {
    this.#least = Math.min(this.#least, bytes)
    const { now, processorMs, trim } = this.#options
    const lasted = now() - this.#windowFrom
    if (lasted < QUIET_MS) return
    const used = processorMs()
    const isQuiet = used - this.#usedBefore < QUIET_SHARE * lasted
    this.#windowFrom = now()
    this.#usedBefore = used
    if (!isQuiet || bytes <= GROWTH * this.#least) return
    trim()
    this.#least = Number.POSITIVE_INFINITY
  }
}
