import { Buffer } from 'node:buffer'

/** A part of an export's file. Memories stand in pieces of their own. */
export interface Piece {
  readonly text: string
  /** The memories that it tells of: its own, and those that they absorbed. */
  readonly memoryIds: readonly string[]
  readonly memories: number
  /** Null for a piece without memories. */
  readonly lastMemoryId: string | null
  /** The next piece does not go on with its last memory. */
  readonly isWhole: boolean
}

/** Text of a memory. A long history comes in several parts, each of which tells of the same memories. */
export interface MemoryPart {
  readonly text: string
  readonly memoryId: string
  /** The memory, and those that it absorbed. */
  readonly tellsOf: readonly string[]
  readonly isFirst: boolean
  readonly isLong: boolean
}

/** Small enough that a statement holds up nobody, large enough that a file takes few of them. */
export const PIECE_BYTES = 256 * 1024

/**
 * Gathers text into pieces, each handed on before more is taken; a text is never split over two pieces. A memory of several parts has pieces of
 * its own, so that nothing else stands in the pieces that are written again with it.
 */
export class FileSink {
  readonly #keep: (piece: Piece) => Promise<void>
  #texts: string[] = []
  #bytes = 0
  #memoryIds = new Set<string>()
  #memories = 0
  #lastMemoryId: string | null = null
  /** The memory of several parts that is being written. */
  #long: string | undefined

  constructor(keep: (piece: Piece) => Promise<void>) {
    this.#keep = keep
  }

  async write(text: string): Promise<void> {
    if (text === '') return
    this.#texts.push(text)
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes >= PIECE_BYTES) await this.flush()
  }

  async writeMemory({ text, memoryId, tellsOf, isFirst, isLong }: MemoryPart): Promise<void> {
    const long = isLong ? memoryId : undefined
    if (long !== this.#long) await this.flush()
    this.#long = long
    for (const id of tellsOf) this.#memoryIds.add(id)
    if (isFirst) this.#memories++
    this.#lastMemoryId = memoryId
    await this.write(text)
  }

  async flush(): Promise<void> {
    if (this.#bytes === 0) return
    const piece: Piece = {
      text: this.#texts.join(''),
      memoryIds: [...this.#memoryIds],
      memories: this.#memories,
      lastMemoryId: this.#lastMemoryId,
      isWhole: this.#long === undefined,
    }
    this.#texts = []
    this.#bytes = 0
    this.#memoryIds = new Set()
    this.#memories = 0
    this.#lastMemoryId = null
    await this.#keep(piece)
  }
}
