import { MB } from 'mneme/plugin'
/** Bounds on what a document may make its reader do; beyond them it is refused with a sentence. */
export interface ParsingLimits {
  /** From the start of the reader to its last chunk, but for the time in which chunks are stored. */
  readonly timeMs: number
  /** By which the process may grow while documents are read, beside what bounds each of its formats by itself. */
  readonly memoryBytes: number
  readonly pages: number
  /** Bounds a file's content when it is decompressed. */
  readonly decompressedBytes: number
  /** Characters of text in all. */
  readonly characters: number
  /** A stream of a PDF may unpack to so much; a reader asks for twice the buffer each time that it is too small. */
  readonly bufferBytes: number
  /** Bytes of markup with its text, without what only formats. */
  readonly markupBytes: number
  /** Elements and attributes of a Word document without what only formats, of which a tree is built in memory. */
  readonly marks: number
  /** The same of HTML, whose trees are smaller. */
  readonly htmlMarks: number
  /** Values of JSON, each of which is an object in memory with its digits or key. */
  readonly values: number
  /** Values, elements and lists may lie in one another so deep. */
  readonly nesting: number
  readonly chunks: number
}

export const PARSING_LIMITS: ParsingLimits = {
  timeMs: 120_000,
  memoryBytes: 384 * MB,
  pages: 10_000,
  decompressedBytes: 64 * MB,
  characters: 50_000_000,
  bufferBytes: 32 * MB,
  markupBytes: 16 * MB,
  marks: 120_000,
  htmlMarks: 300_000,
  values: 600_000,
  nesting: 256,
  chunks: 100_000,
}
