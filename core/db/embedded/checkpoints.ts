/** After so many bytes of WAL a checkpoint is made in a quiet moment, or at once. */
const quietBytes = 32 * 1024 * 1024
const atOnceBytes = 256 * 1024 * 1024
/** Any WAL is checkpointed in a quiet moment when the last checkpoint is this long ago, in milliseconds. */
const quietMs = 5 * 60_000

/**
 * Says when a checkpoint is due. PGlite has no checkpointer: without this the WAL would grow, and recovery take longer
 * and longer, until the database is closed.
 */
export class CheckpointSchedule {
  #lastAt: number

  /** Times are those of `performance.now()`. */
  constructor(now: number) {
    this.#lastAt = now
  }

  /** `walBytes` have been written since the last checkpoint; `quiet` means that no client waits. */
  isDue(walBytes: number, quiet: boolean, now: number): boolean {
    if (!quiet) return walBytes >= atOnceBytes
    return walBytes >= quietBytes || (walBytes > 0 && now - this.#lastAt >= quietMs)
  }

  done(now: number): void {
    this.#lastAt = now
  }
}
