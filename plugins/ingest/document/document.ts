/** A file as a parser gets it. */
export interface FileContent {
  readonly bytes: Uint8Array
  /** The file's name, or the page's address. */
  readonly name: string
  /** The character encoding that a server named, where one did. */
  readonly charset?: string | undefined
  /** A page of the web, which has more on it than its article. */
  readonly isPage?: boolean
}

/** Where a block stands in a document of pages, from 1. */
interface Placed {
  readonly page?: number
}

/** Every parser turns a document into this: its parts in reading order, whatever format they came in. */
export type Block =
  | (Placed & { readonly kind: 'heading'; readonly level: number; readonly text: string })
  | (Placed & { readonly kind: 'paragraph'; readonly text: string })
  /** `depth` counts the lists around it, from 0. */
  | (Placed & { readonly kind: 'item'; readonly depth: number; readonly text: string })
  /** A row of a table; `row` is its number in the file or the table, from 1 and without the row of column names. */
  | (Placed & {
      readonly kind: 'row'
      readonly row: number
      readonly columns: readonly string[]
      readonly cells: readonly string[]
      /** Empty cells are told, as no names of columns tell which the others are. */
      readonly hasGaps?: boolean
    })
  /** A value of a JSON document: its fields by their path within it, and its own path within the document. */
  | (Placed & {
      readonly kind: 'record'
      readonly path: string
      readonly fields: readonly (readonly [string, string])[]
    })
  | (Placed & { readonly kind: 'code'; readonly text: string })

/** Holds a document's own metadata. */
export interface DocumentFacts {
  readonly title?: string
  readonly pages?: number
  /** Sentences that say what of the document could not be read, or was by a guess. They are complete when its last block is read. */
  readonly warnings?: readonly string[]
}

/** A piece of a document that becomes a memory. */
export interface Chunk {
  readonly text: string
  /** The headings it stands under, the outermost first. */
  readonly headingPath: readonly string[]
  readonly page?: number
  readonly row?: number
  /** The path of the JSON value that it holds, or begins with. */
  readonly keyPath?: string
}

/** Tells programs why a document could not be read; each has a sentence for people. */
export type ReadingFault =
  | 'EMPTY_FILE'
  | 'NO_TEXT'
  | 'PASSWORD_PROTECTED'
  | 'CORRUPT_FILE'
  | 'FORMAT_MISMATCH'
  | 'LIMIT_EXCEEDED'
  | 'TIMED_OUT'
  | 'READER_UNAVAILABLE'
  | 'SECRET_REFUSED'

/** A document could not be read, and reading it again would come to the same. `message` is a sentence for its owner. */
export class ReadingError extends Error {
  override readonly name = 'ReadingError'

  constructor(
    readonly code: ReadingFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Parsers throw all kinds of things at broken files; the user needs to know no more than that it is broken. */
export function damagedFile(reason: string): ReadingError {
  return new ReadingError('CORRUPT_FILE', 'The file is damaged and could not be read.', { cause: new Error(reason) })
}

export const OUT_OF_MEMORY = 'Reading the file takes more memory than a file may.'

/**
 * The process grew by more than a document may take while this one was read. Only where no other was read beside it is that the document's
 * doing.
 */
export class MemoryExceeded extends ReadingError {
  constructor() {
    super('LIMIT_EXCEEDED', OUT_OF_MEMORY)
  }
}
