import type { Block, DocumentFacts, FileContent } from '../document/document.ts'
import type { BinaryData } from './binary-data.ts'
import type { ParsingLimits } from './limits.ts'

/** A reader works with this beside the file. */
export interface Reading {
  readonly limits: ParsingLimits
  /** The name of the file, or the address of the page; '' where it has none. */
  readonly name: string
  /** Gets a sentence for what of the document is left out, or is read by a guess. */
  readonly warnings: string[]
  readonly binary: BinaryData
  /** The number of documents around this one, as an e-mail is around its attachments. */
  readonly depth: number
  /** @throws ReadingError for a part that cannot be read, or of no format that can */
  readPart(file: FileContent, mediaType: string): Promise<Parsed>
}

/** A document as its reader takes it apart. */
export interface Parsed extends DocumentFacts {
  readonly blocks: Iterable<Block> | AsyncIterable<Block>
}
