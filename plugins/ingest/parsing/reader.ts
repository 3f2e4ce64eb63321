import type { Chunk, DocumentFacts } from '../document/document.ts'
import type { Format, SourceDocument } from '../formats.ts'

/** Takes chunks in their order. The next ones come when the promise is resolved. */
export type ChunkSink = (chunks: readonly Chunk[]) => Promise<void>

/** Reads documents: the port behind which the local parsers and the Unstructured API stand. */
export interface DocumentReader {
  /** Shown with the job that it read for. */
  readonly id: string
  readonly formats: readonly Format[]
  /**
   * Reads a document and hands its chunks to the sink.
   * @throws ReadingError where it cannot be read, however often; the reason of `signal`; what the sink fails with
   */
  read(document: SourceDocument, sink: ChunkSink, signal: AbortSignal): Promise<DocumentFacts>
}
