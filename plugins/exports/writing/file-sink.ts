import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

export interface Piece {
  readonly number: number
  readonly bytes: Uint8Array
  readonly memoryIds: readonly string[]
}

/** Small enough that a statement holds up nobody, large enough that a file takes few of them. */
const PIECE_BYTES = 256 * 1024

/** Gathers text into pieces, each handed on before more is taken; a text is never split over two pieces. */
export class FileSink {
  readonly #keep: (piece: Piece) => Promise<void>
  readonly #hash = createHash('sha256')
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #memoryIds: string[] = []
  #number = 0
  #size = 0

  constructor(keep: (piece: Piece) => Promise<void>) {
    this.#keep = keep
  }

  /** In bytes, so far. */
  get size(): number {
    return this.#size
  }

  /** SHA-256 of everything so far, in hex. */
  get sha256(): string {
    return this.#hash.copy().digest('hex')
  }

  async write(text: string, memoryId?: string): Promise<void> {
    if (text === '') return
    const bytes = Buffer.from(text)
    this.#hash.update(bytes)
    this.#size += bytes.byteLength
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.byteLength
    if (memoryId !== undefined) this.#memoryIds.push(memoryId)
    if (this.#waitingBytes >= PIECE_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#waitingBytes === 0) return
    const piece = { number: this.#number++, bytes: Buffer.concat(this.#waiting), memoryIds: this.#memoryIds }
    this.#waiting = []
    this.#waitingBytes = 0
    this.#memoryIds = []
    await this.#keep(piece)
  }
}
