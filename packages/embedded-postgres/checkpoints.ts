/** After so many bytes of WAL a checkpoint is made in a quiet moment, or at once. */
const quietBytes = 32 * 1024 * 1024
const atOnceBytes = 256 * 1024 * 1024
/** So much is checkpointed in a quiet moment when the last checkpoint is this long ago, in milliseconds. */
const staleBytes = 4 * 1024 * 1024
const staleMs = 5 * 60_000
/**
 * And any WAL after this long. Less of it is replayed in a moment, and each checkpoint has every page that is changed after it written
 * to the WAL as a whole, so an idle database would write little else.
 */
const quietMs = 6 * 3_600_000
/** So many buffers of 8 kB are written at a time, which takes a few milliseconds. */
const piece = 1000

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
    const age = now - this.#lastAt
    return walBytes >= quietBytes || (walBytes >= staleBytes && age >= staleMs) || (walBytes > 0 && age >= quietMs)
  }

  done(now: number): void {
    this.#lastAt = now
  }
}

/** The database, as far as checkpoints go. */
export interface Checkpointed {
  readonly walBytes: number
  /** Numbers of the buffers that hold changes which are in no file yet. */
  changedBuffers(): number[]
  /** Writes buffers to their files, which leaves them to the system to bring to the disk. */
  writeBuffers(buffers: readonly number[]): void
  /** Brings written files to the disk beside the backend's work. Rejects when the disk refuses. */
  syncFiles(): Promise<void>
  /** Makes the checkpoint: it writes and syncs what is left, and the WAL before it is not needed any more. */
  checkpoint(): void
}

type Phase = 'idle' | 'writing' | 'syncing' | 'synced'

/**
 * Makes a checkpoint when one is due. All clients wait for it, and half a second for one that has 64 MB to write and to sync; so most of
 * that is done before it, in pieces between transactions and beside them. What is safe does not depend on that: the checkpoint itself
 * syncs every file that was written since the one before.
 */
export class Checkpointer {
  readonly #database: Checkpointed
  readonly #schedule: CheckpointSchedule
  readonly #onSynced: () => void
  #phase: Phase = 'idle'
  #left: number[] = []
  #syncing: Promise<void> = Promise.resolve()
  #failure: Error | undefined

  /** @param onSynced is called when `step` has something to do again */
  constructor(database: Checkpointed, now: number, onSynced: () => void) {
    this.#database = database
    this.#schedule = new CheckpointSchedule(now)
    this.#onSynced = onSynced
  }

  /**
   * Does one piece of what is due, between two transactions. Returns false when there is none for now. Throws when the disk has refused:
   * what is on it is then uncertain, until the database was recovered from its WAL.
   */
  step(quiet: boolean, now: number): boolean {
    if (this.#failure) throw this.#failure
    switch (this.#phase) {
      case 'idle':
        if (!this.#schedule.isDue(this.#database.walBytes, quiet, now)) return false
        this.#left = this.#database.changedBuffers()
        this.#phase = 'writing'
        return true
      case 'writing':
        if (this.#left.length > 0) this.#database.writeBuffers(this.#left.splice(0, piece))
        else this.#sync()
        return true
      case 'syncing':
        return false
      case 'synced':
        this.#database.checkpoint()
        this.#schedule.done(now)
        this.#phase = 'idle'
        return true
    }
  }

  /** Resolves when no sync is under way. Throws when the disk has refused one: the database must not make a checkpoint any more then. */
  async settled(): Promise<void> {
    await this.#syncing
    if (this.#failure) throw this.#failure
  }

  #sync(): void {
    this.#phase = 'syncing'
    this.#syncing = this.#database.syncFiles().then(
      () => {
        this.#phase = 'synced'
      },
      cause => {
        this.#failure = new Error('files of the database could not be synced', { cause })
      },
    )
    this.#syncing.finally(this.#onSynced)
  }
}
