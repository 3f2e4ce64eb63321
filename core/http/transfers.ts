import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import { fail } from '../errors.ts'
import { ByteBudget, measureBudget } from '../fair/byte-budget.ts'
import { type Holding, held } from '../resources/holdings.ts'
import { GB, MB } from './sizes.ts'

const DISK_BYTES_MAX = 16 * GB

/** Refused bodies are read away at 32 MB a second, all together, after a burst of 16 MB. Shorter waits cost more than they keep. */
const DROP_BYTES_PER_MS = (32 * MB) / 1000
const DROP_BURST_MS = 500
const DROP_WAIT_MS_MIN = 2

/** Where temporary files lie. */
export interface TemporaryFiles {
  readonly freeBytes: number
  /** They are a part of the memory, as in most containers. */
  readonly inMemory: boolean
}

/** The type of a tmpfs, by statfs(2). */
const TMPFS = 0x01021994

/** @returns undefined where the file system does not tell */
function temporaryFiles(): TemporaryFiles | undefined {
  try {
    const { bavail, bsize, type } = statfsSync(tmpdir())
    return { freeBytes: bavail * bsize, inMemory: type === TMPFS }
  } catch {
    return undefined
  }
}

/**
 * Tracks bodies under way, up or down: a stop cuts short those that outlast its grace time, and their memory and disk
 * are bounded.
 */
export class Transfers {
  readonly #running = new Set<() => void>()
  #stopping = false
  /** When all that was read away would have been at the rate. */
  #droppedAt = Number.NEGATIVE_INFINITY
  /** Request bodies and parts of forms that are held, by the address they come from, or the caller's workspace once it is known. */
  readonly memory = new ByteBudget(192 * MB)
  /** The runtime takes in so much of refused bodies while they are read away, by the same names. */
  readonly dropped = new ByteBudget(32 * MB)
  /** Large responses that their clients have not taken yet, by the same names. */
  readonly responses = new ByteBudget(192 * MB)
  readonly holdings: readonly Holding[] = [
    held({ name: 'http.bodies', maxBytes: this.memory.maxBytes, bytes: () => this.memory.used }),
    held({ name: 'http.refused_bodies', maxBytes: this.dropped.maxBytes, bytes: () => this.dropped.used }),
    held({ name: 'http.responses', maxBytes: this.responses.maxBytes, bytes: () => this.responses.used }),
  ]
  /**
   * Uploaded files, which lie on disk until their request ends, by the caller's workspace: half of what is free now, and of what they
   * have, since others fill the disk and clear it.
   */
  readonly disk: ByteBudget
  readonly #temporary: () => TemporaryFiles | undefined

  constructor(temporary: () => TemporaryFiles | undefined = temporaryFiles) {
    this.#temporary = temporary
    this.disk = new ByteBudget(usedBytes => {
      const { freeBytes = Number.POSITIVE_INFINITY } = temporary() ?? {}
      return Math.min(DISK_BYTES_MAX, Math.floor((freeBytes + usedBytes) / 2))
    })
  }

  /** Bytes of uploaded files that are memory of the system, and not of the process. */
  get filesInMemory(): number {
    return this.disk.used > 0 && this.#temporary()?.inMemory ? this.disk.used : 0
  }

  /**
   * Counts bytes of a response until it is sent. Throws SERVICE_UNAVAILABLE where its recipient has too much under way already.
   * @param isDone it is sent in any case
   * @returns a function to call at its end
   */
  sending(holder: string, bytes: number, isDone = false): () => void {
    if (isDone) this.responses.take(holder, bytes)
    else if (!this.responses.reserve(holder, bytes)) throw tooManyResponses()
    return () => this.responses.release(holder, bytes)
  }

  /** Refuses, before it begins, what changes something for a recipient whose responses have no room. */
  requireRoom(holder: string): void {
    if (!this.responses.admits(holder)) throw tooManyResponses()
  }

  /**
   * Waits for as long as refused bodies have to that are read away: sixteen clients of one machine that send as fast as they can keep its
   * thread busy otherwise. It is the generic cell rate algorithm (ITU-T I.371, annex A), with bytes for cells.
   */
  async dropping(bytes: number, clock: Clock): Promise<void> {
    const now = clock.now()
    this.#droppedAt = Math.max(this.#droppedAt, now - DROP_BURST_MS) + bytes / DROP_BYTES_PER_MS
    const waitMs = this.#droppedAt - now
    if (waitMs >= DROP_WAIT_MS_MIN) await new Promise<void>(resolve => clock.after(waitMs, resolve))
  }

  /**
   * @param cut ends the transfer early; called at once when a stop has come that far.
   * @returns a function to call at its end
   */
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

class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
}

/** Tells whether the work of a request was thrown away because its caller reads too little of what it asked for. */
export function isWithoutRoom(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof NoRoomError
}

function tooManyResponses() {
  return fail('SERVICE_UNAVAILABLE', {
    message: 'Too many large responses are under way; retry when they have been read.',
    retryAfterSeconds: 1,
    cause: new NoRoomError('the responses under way have all room'),
  })
}

/** Shows how much of the budgets for bodies, responses and uploaded files is used, and how often they had no room. */
export function measured(transfers: Transfers, registry: Registry): Transfers {
  measureBudget(registry, 'mneme_body', transfers.memory, {
    used: 'Request bodies that are held in memory.',
    limit: 'Bytes that request bodies may have in memory together.',
    refused: 'Bodies that there was no room for.',
  })
  measureBudget(registry, 'mneme_response', transfers.responses, {
    used: 'Large responses that their clients have not taken yet.',
    limit: 'Bytes that large responses may have in memory together.',
    refused: 'Large responses that there was no room for.',
  })
  measureBudget(registry, 'mneme_upload_file', transfers.disk, {
    used: 'Uploaded files that lie in the folder for temporary files.',
    limit: 'Bytes that uploaded files may have together now.',
    refused: 'Uploads that there was no room for.',
  })
  return transfers
}
