import type { SecretsMode } from '../../memories/contract.ts'
import type { Chunk, DocumentFacts, ReadingFault } from '../document/document.ts'
import type { SourceDocument } from '../formats.ts'
import type { ParsingLimits } from './limits.ts'
import type { UnstructuredElement } from './unstructured/elements.ts'

/** A reader thread is started with this: a document to read, or what another reader found in one. */
export interface ReaderTask {
  readonly document?: SourceDocument
  readonly elements?: readonly UnstructuredElement[]
  readonly limits: ParsingLimits
  /** Says what becomes of secrets in it; they are kept where it is left out. */
  readonly secrets?: SecretsMode | undefined
}

/**
 * A reader thread sends these. After `chunks` it waits for the word `more`, so that no more of them pile up than are
 * being stored.
 */
export type ReaderMessage =
  | { readonly kind: 'chunks'; readonly chunks: readonly Chunk[] }
  | { readonly kind: 'done'; readonly facts: DocumentFacts }
  /** `reason` says what a parser fell over, for the log. */
  | { readonly kind: 'failed'; readonly code: ReadingFault; readonly message: string; readonly reason?: string }
