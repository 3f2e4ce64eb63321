import { Buffer } from 'node:buffer'
import type { ArchivedMemory } from '../../memories/contract.ts'

/** A part of an export's file. Memories stand in pieces of their own. */
export interface Piece {
  readonly text: string
  /** The memories that it tells of: its own, and those that they absorbed. */
  readonly memoryIds: readonly string[]
  readonly memories: number
  /** Null for a piece without memories. */
  readonly lastMemoryId: string | null
}

/** Small enough that a statement holds up nobody, large enough that a file takes few of them. */
const PIECE_BYTES = 256 * 1024

/** Gathers text into pieces, each handed on before more is taken; a text is never split over two pieces. */
export class FileSink {
  readonly #keep: (piece: Piece) => Promise<void>
  #texts: string[] = []
  #bytes = 0
  #memoryIds: string[] = []
  #memories = 0
  #lastMemoryId: string | null = null

  constructor(keep: (piece: Piece) => Promise<void>) {
    this.#keep = keep
  }

  async write(text: string): Promise<void> {
    if (text === '') return
    this.#texts.push(text)
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes >= PIECE_BYTES) await this.flush()
  }

  async writeMemory(text: string, memory: ArchivedMemory): Promise<void> {
    if (text === '') return
    this.#memoryIds.push(memory.id, ...absorbedBy(memory))
    this.#memories++
    this.#lastMemoryId = memory.id
    await this.write(text)
  }

  async flush(): Promise<void> {
    if (this.#bytes === 0) return
    const piece: Piece = {
      text: this.#texts.join(''),
      memoryIds: this.#memoryIds,
      memories: this.#memories,
      lastMemoryId: this.#lastMemoryId,
    }
    this.#texts = []
    this.#bytes = 0
    this.#memoryIds = []
    this.#memories = 0
    this.#lastMemoryId = null
    await this.#keep(piece)
  }
}

/** A survivor's history has the texts of the memories that it absorbed. */
export function absorbedBy({ history = [] }: ArchivedMemory): string[] {
  return history.flatMap(({ absorbed_id: id }) => id ?? [])
}
