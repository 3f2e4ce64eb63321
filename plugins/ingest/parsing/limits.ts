import { MB } from 'mneme/plugin'
/** Bounds on what a document may make its reader do; beyond them it is refused with a sentence. */
export interface ParsingLimits {
  /** From the start of the reader to its last chunk, but for the time in which chunks are stored. */
  readonly timeMs: number
  /** By which the process may grow meanwhile. */
  readonly memoryBytes: number
  readonly pages: number
  /** Bounds a file's content when it is decompressed. */
  readonly decompressedBytes: number
  /** Characters of text in all. */
  readonly characters: number
  /** Values, elements and lists may lie in one another so deep. */
  readonly nesting: number
  readonly chunks: number
}

export const PARSING_LIMITS: ParsingLimits = {
  timeMs: 120_000,
  memoryBytes: 768 * MB,
  pages: 10_000,
  decompressedBytes: 256 * MB,
  characters: 50_000_000,
  nesting: 256,
  chunks: 100_000,
}
