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
 * After a trim the process compiles anew what it runs, and the first request takes two to five times as long. So only a process that has
 * worked for this much processor time since then is trimmed again, and only if it has grown at all.
 */
const WORK_MS = 20_000
const GROWTH = 1.02

/**
 * Trims the process when it has worked, has grown, and now has nothing to do. After hours of use a runtime holds compiled code that nobody
 * runs any more, and heap blocks with a few objects each. No collection of garbage frees either, and the memory of the
 * process would grow with each wave of requests.
 */
export class QuietTrim {
  readonly #options: QuietTrimOptions
  /** The least that the process had since the last trim. */
  #least = Number.POSITIVE_INFINITY
  /** The processor time that was used at the last trim. */
  #trimmedAt: number
  #windowFrom: number
  #usedBefore: number

  constructor(options: QuietTrimOptions) {
    this.#options = options
    this.#windowFrom = options.now()
    this.#usedBefore = options.processorMs()
    this.#trimmedAt = this.#usedBefore
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
    if (!isQuiet || used - this.#trimmedAt < WORK_MS || bytes <= GROWTH * this.#least) return
    trim()
    this.#trimmedAt = used
    this.#least = Number.POSITIVE_INFINITY
  }
}
